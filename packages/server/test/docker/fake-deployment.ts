// Deployments by the docker recipe on a server that is not there: what Compose makes of the files, what containers the server has and
// what each command ends with are data; what the recipe asks of the server, the repository and the records are lines.
import { posix } from 'node:path'
import type { JsonObject } from '@shipway/rules/compose/model'
import { isComposePath } from '@shipway/rules/service-file/find-compose-files'
import type { Deployment } from '../../src/deployment/deployment.ts'
import type { Run } from '../../src/deployment/run.ts'
import { deployDocker } from '../../src/recipes/docker/deploy.ts'
import type { PathKind } from '../../src/recipes/docker/release/inspect-paths.ts'
import type { RecipeContext } from '../../src/recipes/recipe-context.ts'
import { composeRuntime } from '../../src/runtimes/compose/compose-runtime.ts'
import { Secret } from '../../src/secrets/secret.ts'
import type { Source } from '../../src/source/source.ts'
import { createFakeHost, type FakeAnswer } from '../fake-host.ts'
import { type Ran, type RanStep, runProgram } from '../recipe-run.ts'

export const sha = 'c'.repeat(40)
const taskId = 42
export const environmentFolder = '/shipway/environments/7'
export const taskFolder = `${environmentFolder}/tasks/${taskId}`
export const release = `${environmentFolder}/releases/${taskId}`

const serviceFile = `
services:
  web: { port: 3000, health: /healthz }
docker:
  compose: compose.yml
`

/** A website that is built, what migrates its data once, and a store that cannot run twice. */
export const shop: JsonObject = {
  web: {
    build: { context: release, dockerfile: 'Dockerfile' },
    depends_on: { migrate: { condition: 'service_completed_successfully' } },
  },
  migrate: { image: 'migrate:1', depends_on: { store: { condition: 'service_started' } } },
  store: { image: 'redis:7', volumes: [{ type: 'volume', source: 'data', target: '/data' }] },
}

export type FakeContainer = { readonly service: string; readonly task: number } & JsonObject

export type Scenario = {
  /** Services of the compose file, as Compose resolves them. */
  readonly services?: JsonObject
  readonly serviceFile?: string
  /** Files of the commit beside `.service.yml`. */
  readonly committed?: Readonly<Record<string, string>>
  /** What is at a path of the release, where it is no folder with something in it. */
  readonly paths?: Readonly<Record<string, PathKind>>
  readonly containers?: readonly FakeContainer[]
  readonly answers?: Readonly<Record<string, FakeAnswer>>
  readonly deployment?: Partial<Deployment>
  readonly context?: Partial<RecipeContext>
  readonly source?: Partial<Source>
  /** Of the server; what is written comes to it. */
  readonly files?: Map<string, string>
  /** Steps that an earlier run has done. */
  readonly kept?: readonly RanStep[]
  readonly signal?: AbortSignal
}

/** `afterwards` is what is done when it has ended: its lines, and its sentences. */
export type Deployed = Ran & {
  readonly files: Map<string, string>
  readonly afterwards: { readonly lines: readonly string[]; readonly said: readonly string[] }
}

export async function deployOnFakeHost(scenario: Scenario = {}): Promise<Deployed> {
  const lines: string[] = []
  const { files = new Map<string, string>(), kept = [], signal } = scenario
  const host = createFakeHost({ ...usualAnswers(scenario), ...scenario.answers }, lines, files)
  const deployment = { ...usualDeployment, ...scenario.deployment }
  const place = { host, lines, files, kept, ...(signal && { signal }) }
  const works: (() => Promise<readonly string[]>)[] = []
  const context = {
    ...contextOf(scenario, lines),
    afterwards: (work: () => Promise<readonly string[]>) => void works.push(work),
  }
  const ran = await runProgram(async (run: Run) => void (await deployDocker(run, deployment, context)), place)
  const before = lines.length
  const said: string[] = []
  for (const work of works) said.push(...(await work()))
  return { ...ran, files, afterwards: { lines: lines.slice(before).map(inShort), said } }
}

/** Where a deployment ends that fails, and what is said there. */
export async function failOnFakeHost(scenario: Scenario) {
  const { steps, error } = await deployOnFakeHost(scenario)
  const { name, said = [], lines = [] } = steps.at(-1) ?? {}
  if (!(error instanceof Error)) throw new Error(`It did not fail, and ended with "${name}"`)
  return { step: name, error, message: error.message, said, lines: lines.map(inShort) }
}

/** The lines of one step, by its name. */
export function linesOf(ran: Pick<Ran, 'steps'>, name: string): readonly string[] {
  return stepOf(ran, name).lines.map(inShort)
}

export function stepOf({ steps }: Pick<Ran, 'steps'>, name: string): RanStep {
  const found = steps.find((step) => step.name === name)
  if (!found) throw new Error(`There was no step "${name}" among ${steps.map((step) => step.name).join(', ')}`)
  return found
}

/** With short names for the folders, and none for digests, which differ each time. */
export const inShort = (line: string): string =>
  line
    .replaceAll(taskFolder, 'TASK')
    .replaceAll(release, 'RELEASE')
    .replaceAll(environmentFolder, 'ENVIRONMENT')
    .replaceAll(/\b[0-9a-f]{64}\b/g, 'DIGEST')
    .replace(/^(list-networks .*?) \{.*/, '$1 …')

/** A container as docker tells of it: it runs unless something else is said. */
const containerLine = ({ health = null, ports = [], ...container }: FakeContainer): string =>
  JSON.stringify({
    id: `${container.service}-of-${container.task}`,
    slot: '',
    hash: 'earlier',
    mode: 'beside',
    origin: 'new',
    status: 'running',
    health: health === null ? 'Up 2 minutes' : `Up 2 minutes (${health})`,
    ports: [ports]
      .flat()
      .map((port) => `127.0.0.1:${port}->3000/tcp`)
      .join(', '),
    ...container,
  })

export const listed = (containers: readonly FakeContainer[]) => ({ stdout: containers.map(containerLine).join('\n') })

function usualAnswers({ services = shop, containers = [], paths = {} }: Scenario): Record<string, FakeAnswer> {
  const model = { name: 'shipway-main-7', services, volumes: { data: { name: 'shipway-main-7_data' } } }
  return {
    'find home': { stdout: '/home/shipway\n' },
    compose: { stdout: JSON.stringify(model) },
    'inspect-paths': ({ input = '' }) => ({
      stdout: pathsIn(input)
        .map((path) => `${paths[path] ?? 'folder'}\n`)
        .join(''),
    }),
    'check-disk': { stdout: `${4096 * 1024}\n${9000 * 1024}\n` },
    'find-images': {
      stdout: Object.keys(services)
        .map((name) => `sha256:${name} null\tnull\n`)
        .join(''),
    },
    'docker info': { stdout: '4\n' },
    'inspect-engine': { exitCode: 3 },
    'list-containers': listed(containers),
    'container-end': { stdout: '{"exitCode":0,"isOutOfMemory":false,"memoryBytes":0,"error":""}\n' },
  }
}

/** Of the release, one a line. */
const pathsIn = (input: string | Uint8Array): string[] =>
  Buffer.from(input)
    .toString()
    .trimEnd()
    .split('\n')
    .map((path) => posix.relative(release, path))

const usualDeployment: Deployment = {
  taskId,
  repository: {
    projectId: 3,
    address: 'git@git.example.com:shop.git',
    publicKey: 'ssh-ed25519 AAAA',
    privateKey: new Secret('key'),
    hostKey: null,
  },
  branch: 'main',
  commitSha: null,
  reportedSha: null,
  isCommitAdmitted: false,
  isUpload: false,
  forkRef: null,
  environment: { id: 7, name: 'main', type: 'manual', domain: 'main.shop.example.com' },
  project: { id: 3, domain: 'shop.example.com', customDomains: [] },
  dashboardHost: 'ship.example.com',
  variables: new Map([['TOKEN', new Secret('t0ken')]]),
  buildKeys: new Set(),
  ids: { installationId: 'main', environmentId: 7, imageToken: 'images7', cacheToken: 'cache7' },
  live: null,
  hasBeenLive: false,
  serviceFile: null,
  undo: null,
  servingServiceFile: null,
  servingTaskId: null,
  rollbackTo: null,
  keptTaskIds: [],
  grants: new Set(),
  limits: { cpus: 8, memoryBytes: 512 * 1024 ** 2, processes: null },
  replicas: new Map(),
  readySeconds: 30,
  drainSeconds: 0,
  leastDiskMebibytes: 2048,
  keptOutput: { days: 14, bytes: 1024 ** 3 },
  serverFolder: '/shipway',
}

function contextOf(scenario: Scenario, lines: string[]): Omit<RecipeContext, 'afterwards'> {
  return {
    source: sourceOf(scenario, lines),
    runtime: composeRuntime,
    registry: null,
    composeConfigs: { find: () => undefined, keep: () => undefined },
    freeDisk: async () => void lines.push('free the disk'),
    balance: async () => [],
    retryLeftOut: async () => [],
    countStreams: async (ports) => {
      lines.push(`count streams ${ports.join(' ')}`)
      return 0
    },
    noteCommit: async (commit) => void lines.push(`note commit ${commit.sha.slice(0, 7)}`),
    noteServiceFile: async (content) => void lines.push(`note service file of ${content.length} characters`),
    restoreUpload: async () => undefined,
    onRepositoryHostKey: async () => undefined,
    listTakenDomains: async (domains) => {
      lines.push(`list taken domains ${domains.join(' ')}`)
      return []
    },
    claimPorts: () => Promise.reject(new Error('Containers have ports of their own')),
    allocatePorts: () => Promise.reject(new Error('Containers have slots')),
    allocateSlots: async (services, { inUse, foreign }) => {
      lines.push(
        `allocate slots ${services.join(' ')}: in use ${[...inUse].join(' ')}, foreign ${[...foreign].join(' ')}`,
      )
      return services.flatMap((service, at) => [
        { service, slot: 'a', port: 20_000 + 2 * at },
        { service, slot: 'b', port: 20_001 + 2 * at },
      ])
    },
    switchRoutes: async (routes) => {
      const switched = routes.map(({ service, domain, port }) => `${service || '(environment)'} ${domain} ${port}`)
      lines.push(`switch routes ${switched.join(', ')}`)
      return []
    },
    visit: async ({ domain }) => {
      lines.push(`visit ${domain}`)
      return { status: 200, text: 'Hello' }
    },
    removeRoutes: () => Promise.reject(new Error('A deployment removes no routes')),
    orphansOf: () => Promise.reject(new Error('Only releases of the manual recipe are checked here')),
    ...scenario.context,
  }
}

function sourceOf(
  { serviceFile: content = serviceFile, services = shop, committed, source }: Scenario,
  lines: string[],
): Source {
  const named = Object.keys(services).map((name) => [name, { image: 'image:1' }])
  const commit: Readonly<Record<string, string>> = {
    'compose.yml': JSON.stringify({ services: Object.fromEntries(named) }),
    ...committed,
    '.service.yml': content,
  }
  return {
    resolveBranch: async () => sha,
    listRefs: async () => [],
    findUploadBase: async () => undefined,
    receiveUpload: () => Promise.reject(new Error('Nothing is uploaded here')),
    restoreUpload: async () => undefined,
    forgetUploads: async () => undefined,
    sweepUploads: async () => undefined,
    findFiles: async () => new Set<string>(),
    fetchCommit: async (_repository, wanted) => {
      lines.push(`fetch ${wanted.sha ?? wanted.branch}`)
      return { sha, message: 'Change\n\nMore of it', author: 'Ada' }
    },
    fetchSubmodules: async () => [],
    fetchEarly: async () => undefined,
    close: () => undefined,
    readFile: async (_projectId, _sha, { path }) => {
      lines.push(`read ${path}`)
      const text = commit[path]
      return text === undefined ? undefined : Buffer.from(text)
    },
    listLinks: async () => {
      lines.push('list links')
      return new Set()
    },
    listChangedFiles: async () => undefined,
    closed: new AbortController().signal,
    listComposeFiles: async () => Object.keys(commit).filter(isComposePath),
    pushCommit: async ({ repository }) => {
      lines.push(`push to ${repository}`)
      return 'sent'
    },
    checkout: async ({ folder }) => void lines.push(`check out ${folder}`),
    removeCommits: async () => undefined,
    listMirrors: async () => [],
    forget: async () => undefined,
    sweepKeys: async () => undefined,
    ...source,
  }
}
