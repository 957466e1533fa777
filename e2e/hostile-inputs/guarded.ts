// A platform that allows no private network, with an organization that attacks and another one that is to notice nothing of it.
import { createHmac, randomUUID } from 'node:crypto'
import { type IncomingMessage, request } from 'node:http'
import { text } from 'node:stream/consumers'
import { type Client, createClient } from '@shipway/api'
import { generateSshKey } from '../../packages/server/src/secrets/ssh-key.ts'
import { newToken } from '../../packages/server/src/secrets/token.ts'
import type { Database } from '../../packages/server/src/store/database.ts'
import {
  buildEnvironment,
  buildInvitation,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildToken,
  buildUser,
} from '../../packages/server/test/factories.ts'
import { responseTo } from '../../packages/server/test/loopback.ts'
import { type MailServer, startMailServer } from '../../packages/server/test/mail/mail-server.ts'
import { weakPasswordHash } from '../../packages/server/test/sign-in/weak-password-hash.ts'
import { type Platform, startPlatform } from '../../tools/platform.ts'
import { outcomeOf } from '../webhooks/deliveries.ts'
import { must } from './must.ts'

export const PASSWORD = 'seven green bicycles'

export type Reply = {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
  /** The parsed JSON, loosely typed: a check looks at what it expects. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route pass through here
  readonly body: any
}

type Call = {
  /** The owner unless told otherwise; null for a guest. */
  readonly as?: { readonly token: string } | null
  readonly body?: unknown
  readonly headers?: Record<string, string | string[]>
  /** The address of this machine to send from; another one each time by default. */
  readonly from?: string
}

type Delivered = {
  readonly event?: 'push' | 'pull_request'
  readonly id?: string | null
  readonly signature?: string | null
  readonly headers?: Record<string, string>
  readonly path?: string
}

export type Guarded = {
  readonly platform: Platform
  readonly port: number
  readonly mail: MailServer
  readonly client: Client
  readonly users: Filled['users']
  readonly organizationId: number
  readonly serverId: number
  /** With its key, as the API makes it. */
  readonly project: {
    readonly id: number
    readonly hookPath: string
    readonly secret: string
  }
  readonly environmentId: number
  /** A key that certificates may be made for. */
  readonly publicKey: string
  /** Of the owner, signed in to the dashboard; and the headers that a browser sends from there. */
  readonly cookie: string
  readonly fromOwnPage: Record<string, string>
  readonly tokens: Filled['tokens']
  /** What the other organization has. */
  readonly theirs: Filled['theirs']
  call(method: string, path: string, call?: Call): Promise<Reply>
  /** As GitHub sends it, with the right signature unless told another one. */
  deliver(payload: unknown, how?: Delivered): Promise<Reply>
  /** What it came to, also where it takes effect after its answer. */
  settle(payload: unknown, how?: Delivered): Promise<{ readonly verdict: string; readonly reason: string | null }>
  /** Different for each environment and pull request. */
  next(): number
  /** Names what the organization has: equal texts before and after mean that nothing was made, changed or started. */
  records(): Promise<string>
  mustBeSound(): Promise<void>
  stop(): Promise<void>
}

type Filled = Awaited<ReturnType<typeof fill>>

export async function beginGuarded(): Promise<Guarded> {
  const mail = await startMailServer()
  const platform = await startPlatform('embedded', fill, {
    SHIPWAY_ALLOWED_NETWORKS: '',
    SHIPWAY_SMTP_URL: mail.url,
    SHIPWAY_REFUSED_DELIVERIES_PER_MINUTE: '100000',
  })
  const { users, organizationId, serverId, theirs, tokens } = platform.filled
  const port = Number(new URL(platform.url).port)
  const client = createClient({ baseUrl: platform.url, token: () => users.owner.token })
  const repoUrl = 'https://git.example.com/acme/app.git'
  const project = await client.createProject({
    body: { name: 'App', repo_url: repoUrl, domain: 'app.example.com', server_ids: [serverId] },
  })
  const params = { id: project.id }
  await client.updateProject({ params, body: { fork_pull_requests: 'approval' } })
  const administrator = createClient({ baseUrl: platform.url, token: () => users.administrator.token })
  await administrator.updateProject({ params, body: { environment_limit: 1000 } })
  const { secret, url } = await client.regenerateWebhookSecret({ params })
  const hookPath = new URL(url).pathname
  const environment = await client.createEnvironment({
    params,
    body: { name: 'main', branch: 'main', auto_deploy: false },
  })

  let calls = 0
  const call: Guarded['call'] = async (method, path, { as = users.owner, body, headers = {}, from } = {}) => {
    const sent = request({
      ...{ host: '127.0.0.1', port, method, path, agent: false },
      localAddress: from ?? addressOf(++calls),
      headers: {
        host: `localhost:${port}`,
        ...(as && { authorization: `Bearer ${as.token}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
    })
    sent.end(body === undefined || typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body))
    const answer = await responseTo(sent)
    const received = await text(answer)
    return { status: answer.statusCode ?? 0, headers: answer.headers, text: received, body: parsed(answer, received) }
  }
  const fromOwnPage = { origin: `http://localhost:${port}`, 'sec-fetch-site': 'same-origin' }
  const body = { email: users.owner.email, password: PASSWORD }
  const signedIn = await call('POST', '/api/session', { as: null, body, headers: fromOwnPage })
  must(signedIn.status === 201, signedIn.text)
  const [cookie = ''] = String(signedIn.headers['set-cookie']?.find((one) => one.includes('_session='))).split(';')
  const theirRecords = async (): Promise<string> => {
    const paths = [
      ...[`/api/projects/${theirs.projectId}`, `/api/environments/${theirs.environmentId}`],
      ...[`/api/environments/${theirs.environmentId}/variables`, `/api/environments/${theirs.environmentId}/tasks`],
      ...[`/api/organizations/${theirs.organizationId}/members`, '/api/projects'],
    ]
    const answers = await Promise.all(paths.map((path) => call('GET', path, { as: users.stranger })))
    return answers.map(({ status, text }) => `${status} ${text}`).join('\n')
  }
  const before = await theirRecords()
  let count = 0
  const deliver: Guarded['deliver'] = (
    payload,
    { event = 'push', id = randomUUID(), signature, headers = {}, path = hookPath } = {},
  ) => {
    const body = typeof payload === 'string' || Buffer.isBuffer(payload) ? payload : JSON.stringify(payload)
    const sent = signature === undefined ? signatureOf(body, secret) : signature
    return call('POST', path, {
      as: null,
      body,
      headers: {
        'x-github-event': event,
        ...(id !== null && { 'x-github-delivery': id }),
        ...(sent !== null && { 'x-hub-signature-256': sent }),
        ...headers,
      },
    })
  }
  return {
    platform,
    port,
    mail,
    client,
    users,
    organizationId,
    serverId,
    project: { id: project.id, hookPath, secret },
    environmentId: environment.id,
    publicKey: generateSshKey('').publicKey,
    cookie,
    fromOwnPage,
    tokens,
    theirs,
    call,
    deliver,
    settle: async (payload, how = {}) => {
      const id = how.id ?? randomUUID()
      const { status, body } = await deliver(payload, { ...how, id })
      must(status === 200, { status, body })
      return outcomeOf(client, project.id, { id, verdict: body.verdict, reason: body.reason })
    },
    next: () => ++count,
    records: async () => {
      const { environment_count: _, environments_used: __, ...shown } = await client.getProject({ params })
      const environments = await client.listEnvironments({ params, query: { limit: 200 } })
      const tasks = await Promise.all(
        environments.map(async ({ id }) => (await client.listTasks({ params: { id } })).map((task) => task.id)),
      )
      const named = environments.map(({ id, name, title, branch, domain }) => ({ id, name, title, branch, domain }))
      return JSON.stringify({ shown, named, tasks })
    },
    mustBeSound: async () => {
      must(platform.process.exitCode === null, `a platform that exited with ${platform.process.exitCode}`)
      const health = await call('GET', '/healthz', { as: null })
      must(health.status === 200, `/healthz with ${health.status}`)
      const after = await theirRecords()
      must(after === before, `a change of another organization: ${after}`)
    },
    stop: async () => {
      await platform.stop()
      await mail.close()
    },
  }
}

export const signatureOf = (body: string | Uint8Array, secret: string): string =>
  `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`

/** A network of its own for each, so that limits of one address do not stand in for the refusal that is looked for. */
const addressOf = (call: number): string => `127.${1 + (call % 250)}.${1 + (Math.floor(call / 250) % 250)}.1`

function parsed({ headers }: IncomingMessage, received: string): unknown {
  return /json/.test(headers['content-type'] ?? '') && received !== '' ? JSON.parse(received) : undefined
}

async function fill({ db }: Pick<Database, 'db'>) {
  const records = { db, clock: Date.now }
  const password_hash = weakPasswordHash(PASSWORD)
  const owner = await buildUser(records, { password_hash })
  const admin = await buildUser(records, { password_hash })
  const member = await buildUser(records, { password_hash })
  const viewer = await buildUser(records, { password_hash })
  const leaver = await buildUser(records)
  const administrator = await buildUser(records, { password_hash, is_platform_admin: 1 })
  const { id: organizationId } = await buildOrganization(records, [
    { user: owner, role: 'owner' },
    { user: admin, role: 'admin' },
    { user: member, role: 'member' },
    { user: viewer, role: 'viewer' },
    { user: leaver, role: 'member' },
  ])
  const server = await buildServer(records, organizationId)
  const stranger = await buildUser(records)
  const { id: theirOrganizationId } = await buildOrganization(records, [{ user: stranger, role: 'owner' }])
  const of = { organizationId: theirOrganizationId, ownerId: stranger.id }
  const project = await buildProject(records, of, { name: 'Theirs' })
  const environment = await buildEnvironment(records, project, { name: 'theirs' })
  const task = await buildTask(records, environment.id, { status: 'failed', finished_at: Date.now() })
  const refresh = newToken('shw_rt_')
  await db
    .insertInto('oauth_records')
    .values({
      ...{ kind: 'RefreshToken', id_digest: refresh.digest, grant_digest: 'grant', user_id: owner.id },
      ...{ payload: '{"scope":"admin"}', created_at: Date.now(), expires_at: Date.now() + 3_600_000 },
    })
    .execute()
  const invitation = newToken('shw_invite_')
  const { id: invitationId } = await buildInvitation(records, organizationId, owner.id)
  await db
    .updateTable('invitations')
    .set({ token_digest: invitation.digest, expires_at: Date.now() - 1000 })
    .where('id', '=', invitationId)
    .execute()
  const tokens = {
    expired: await buildToken(records, owner.id, { expires_at: Date.now() - 1000 }),
    revoked: await buildToken(records, owner.id, { revoked_at: Date.now() }),
    refresh: refresh.token.reveal(),
    expiredInvitation: invitation.token.reveal(),
  }
  return {
    tokens,
    users: { owner, admin, member, viewer, leaver, administrator, stranger },
    organizationId,
    serverId: server.id,
    theirs: {
      organizationId: theirOrganizationId,
      serverId: project.serverId,
      projectId: project.id,
      environmentId: environment.id,
      taskId: task.id,
    },
  }
}
