// A valid request for every route, so that nothing but the permission decides its answer.
import type { Route } from '@shipway/api/route'
import { type RouteName, routes } from '@shipway/api/routes'
import type { ROUTES_TO_COME } from '../../src/http/handlers/handlers.ts'
import { type MadeCertificate, makeCertificate } from '../make-certificate.ts'
import { baseDomain, type TargetIds } from './callers.ts'

type BoundRoute = Exclude<RouteName, (typeof ROUTES_TO_COME)[number]>
type WithBody = { [N in BoundRoute]: (typeof routes)[N] extends { readonly body: unknown } ? N : never }[BoundRoute]

/** Exhaustive by its type: a new route with a body does not compile until it has one here. */
const bodies: Record<WithBody, (ids: TargetIds) => unknown> = {
  updateMe: () => ({ name: 'New name' }),
  findUploadBase: () => ({ commits: ['a'.repeat(40)] }),
  setUp: () => ({
    token: 'x',
    name: 'Ada',
    email: 'ada@example.com',
    password: 'a long enough one',
    organization: 'Acme',
  }),
  signIn: () => ({ email: 'nobody@example.com', password: 'a long enough one' }),
  signOut: () => ({}),
  createToken: () => ({ name: 'CI', scopes: ['read'] }),
  startSecondFactor: () => ({ password: 'a long enough one' }),
  confirmSecondFactor: () => ({ otp: '123456' }),
  renewRecoveryCodes: () => ({ password: 'a long enough one', otp: '123456' }),
  stopSecondFactor: () => ({ password: 'a long enough one', otp: '123456' }),
  removeSecondFactor: () => ({ email: 'nobody@example.com' }),
  deleteUser: () => ({}),
  deleteMe: () => ({ password: 'a long enough one' }),
  startProviderSignIn: () => ({}),
  redeemProviderSignIn: () => ({ state: 'x' }),
  linkIdentity: () => ({ password: 'a long enough one' }),
  answerDeviceRequest: () => ({ decision: 'deny' }),
  requestPasswordReset: () => ({ email: 'nobody@example.com' }),
  resetPassword: () => ({ token: 'x', password: 'a long enough one' }),
  previewInvitation: () => ({ token: 'x' }),
  acceptInvitation: () => ({ token: 'x', name: 'Ada', password: 'a long enough one' }),
  createOrganization: () => ({ name: 'New' }),
  updateOrganization: () => ({ name: 'New' }),
  updatePlatform: () => ({ require_two_factor: false }),
  updateMember: () => ({ role: 'viewer' }),
  removeMember: () => ({}),
  createInvitation: () => ({ email: 'new@example.com', role: 'viewer' }),
  createServer: (ids) => ({ name: 'New', hostname: 'new.example.com', organization_id: ids.organizations }),
  updateServer: () => ({ name: 'New' }),
  joinServer: () => ({ role: 'worker' }),
  updateNode: () => ({ availability: 'drain' }),
  updateScale: () => ({ services: { web: 2 } }),
  issueSshCertificate: () => ({}),
  createProject: (ids) => ({
    name: 'New',
    repo_url: 'https://git.example.org/acme/new.git',
    domain: `new-${ids.organizations}.example.org`,
    server_ids: [ids.servers],
    organization_id: ids.organizations,
  }),
  updateProject: () => ({ name: 'New' }),
  deleteProject: () => ({ confirm_protected: true }),
  supplyCertificate: (ids) => suppliedCertificate(ids.organizations),
  createEnvironment: () => ({ name: 'new', branch: 'main' }),
  updateEnvironment: () => ({ branch: 'next' }),
  changeGrants: () => ({ capabilities: ['privileged'] }),
  changeVariables: () => ({ set: { KEY: 'value' } }),
  changeProjectVariables: () => ({ set: { KEY: 'value' } }),
  startRun: () => ({ command: ['true'] }),
  startDeployment: () => ({ commit: 'a'.repeat(40) }),
  approveEnvironment: () => ({ commit_sha: 'a'.repeat(40) }),
  deleteEnvironment: () => ({}),
  createHook: () => ({ url: 'https://hooks.example.com/x' }),
  updateHook: () => ({ enabled: false }),
  createChannel: () => ({ type: 'mail', name: 'On call', recipient: 'oncall@example.com' }),
  updateChannel: () => ({ enabled: false }),
  createConnection: () => ({ type: 'github_app', name: 'GitHub' }),
  updateConnection: () => ({ name: 'Renamed' }),
  startAppSetup: () => ({}),
  redeemAppCode: () => ({ code: 'code', state: 'state' }),
  redeemAppInstallation: () => ({ installation_id: 1, state: 'state' }),
  updateAlertRules: () => ({ rules: [{ rule: 'disk_high', threshold: 90 }] }),
  silenceEnvironment: () => ({}),
  rollBackEnvironment: (ids) => ({ task_id: ids.deployed }),
}

/** One for the projects of a hundred organizations: to make one for each of them takes longer than all else that is asked here. */
function suppliedCertificate(organizationId: number): unknown {
  const first = organizationId - (organizationId % 100)
  const { certificate, privateKey } = certificates.get(first) ?? makeCertificateFor(first)
  return { certificate, private_key: privateKey }
}

const certificates = new Map<number, MadeCertificate>()

/** Valid at the beginning of the tests' clock and for long after. */
function makeCertificateFor(first: number): MadeCertificate {
  const names = Array.from({ length: 100 }, (_, index) => `*.${baseDomain(first + index)}`)
  const made = makeCertificate({ names, from: Date.parse('2026-01-01T00:00:00Z') })
  certificates.set(first, made)
  return made
}

/** What a public route answers to everybody here. */
export const publicAnswers: Partial<Record<RouteName, number>> = {
  getSetUp: 200,
  setUp: 410,
  signIn: 401,
  startProviderSignIn: 409,
  redeemProviderSignIn: 409,
  requestPasswordReset: 202,
  resetPassword: 410,
  previewInvitation: 404,
  acceptInvitation: 404,
  receiveWebhook: 401,
  getHealth: 200,
  getReadiness: 200,
  getOpenApi: 200,
  readReference: 200,
}

/** Queries of routes that need one. */
const QUERIES: Partial<Record<RouteName, string>> = {
  createUpload: `?commit=${'a'.repeat(40)}&head=${'b'.repeat(40)}&branch=main`,
  findAccounts: '?email=nobody%40example.com',
  readConnectionRepository: '?repository=acme%2Fshop&branch=main',
}

/** Routes that list without an id are pointed at an organization by the header. */
const listsAll: readonly RouteName[] = ['listServers', 'listProjects', 'listOverviews', 'listActiveTasks']

export function requestFor(
  name: RouteName,
  ids: TargetIds,
): { url: string; body?: unknown; headers: Record<string, string> } {
  const route: Route = routes[name]
  const url = route.path
    .replace(
      /^\/api\/(\w+)\/\{id\}/,
      (_, resource: string) => `/api/${resource}/${idOf(ids, recordOf(name, resource))}`,
    )
    // Of no record: the Swarm knows it.
    .replace('{node}', 'n'.repeat(25))
    .replaceAll(/\{(\w+)\}/g, (_, parameter: string) => String(idOf(ids, parameter)))
  const query = QUERIES[name] ?? ''
  const body = Object.entries(bodies).find(([other]) => other === name)?.[1](ids)
  const headers: Record<string, string> = listsAll.includes(name)
    ? { 'x-service-organization': String(ids.organizations) }
    : {}
  return { url: `${url}${query}`, ...(body !== undefined && { body }), headers }
}

/** The words of its path, and of what its body names. */
export function wantedBy(name: RouteName): ReadonlySet<string> {
  const words = [...routes[name].path.matchAll(/\w+/g)].map(([word]) => word)
  return new Set([...words, ...(name === 'createProject' ? ['servers'] : [])])
}

/** Whether the request names a record, so that a foreign and an absent one can be told apart or not. */
export function namesRecord(name: RouteName): boolean {
  return routes[name].path.includes('{') || listsAll.includes(name) || ['createServer', 'createProject'].includes(name)
}

/** Most routes of a resource are asked about the same record. */
function recordOf(name: RouteName, resource: string): string {
  if (resource === 'users') return 'user_id'
  return name === 'approveEnvironment' ? 'awaiting' : resource
}

function idOf(ids: TargetIds, word: string): number {
  const id = Object.entries(ids).find(([key]) => key === word)?.[1]
  if (id === undefined) throw new Error(`No record for ${word} in the tests of permissions`)
  return id
}
