// The whole application in process, on a database of the test's own, with a clock that the test moves.
import { randomBytes } from 'node:crypto'
import type { FastifyInstance, InjectOptions } from 'fastify'
import { pino } from 'pino'
import { type Config, readConfig } from '../src/config.ts'
import type { Context } from '../src/context.ts'
import { NotAManager } from '../src/domain/errors.ts'
import type { RepositoryFindings } from '../src/domain/repository/repository-findings.ts'
import { createEmbeddedEdge } from '../src/edge/embedded-edge.ts'
import { edgeTemplates } from '../src/edge/haproxy/config-template.ts'
import { createTrafficReadings } from '../src/edge/haproxy/traffic-readings.ts'
import { buildApp } from '../src/http/app.ts'
import { isOwnHost } from '../src/http/host.ts'
import { createWebhookEventDescription } from '../src/http/present/webhook-event.ts'
import type { Mail, Mailer } from '../src/mail/mailer.ts'
import { createAfterwards } from '../src/operations/installation/afterwards.ts'
import { sendDueMails } from '../src/operations/mails/send-due-mails.ts'
import { createBus } from '../src/progress/bus.ts'
import { createChangeRecords } from '../src/progress/change-records.ts'
import { createReceivers, TELEGRAM_API } from '../src/receivers/receivers.ts'
import { createSshAccess } from '../src/remote/access/ssh-access.ts'
import { joinLine, setUpLine, setUpScript } from '../src/remote/set-up/server-set-up.ts'
import { openLogMask } from '../src/runner/open-secrets.ts'
import { ownCounts } from '../src/scheduling/shared-counts.ts'
import { createBox } from '../src/secrets/box.ts'
import { createEnvironmentTokens } from '../src/secrets/environment-tokens.ts'
import { createGuessLimits } from '../src/secrets/guess-limits.ts'
import { createRegistryKeys, generateRegistryKey } from '../src/secrets/registry/registry-keys.ts'
import { Secret } from '../src/secrets/secret.ts'
import { generateSshKey } from '../src/secrets/ssh-key.ts'
import { createConnectedHosts } from '../src/source/connected-hosts.ts'
import { createCredentials } from '../src/source/credentials.ts'
import { readConfigFile } from '../src/source/files/read-config-file.ts'
import { createGitHubApps } from '../src/source/github-app/github-apps.ts'
import type { TestDatabase, TestDatabaseSource } from './databases.ts'
import { countDirectWrites } from './direct-writes.ts'

export type TestApp = {
  readonly ctx: Context
  /** The application's own context: the same but for the database, in which writes are not counted. */
  readonly served: Context
  readonly app: FastifyInstance
  /** Mails that would have been sent. */
  readonly mails: readonly Mail[]
  /** Lines of the log, as they would be written. */
  readonly logLines: readonly string[]
  /** Calls the API as the holder of a bearer token, or as a guest. */
  call(method: Method, url: string, options?: CallOptions): Promise<TestAnswer>
  moveClock(milliseconds: number): void
  /** Resolves when what goes on after an answer is done, such as sending a mail. */
  finished(): Promise<void>
  close(): Promise<void>
}

type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE' | 'PUT' | 'HEAD' | 'OPTIONS'
type CallOptions = {
  readonly as?: { readonly token: string } | undefined
  readonly body?: unknown
  readonly headers?: Record<string, string>
}
export type TestAnswer = {
  readonly status: number
  readonly headers: Record<string, string | string[] | number | undefined>
  readonly text: string
  /** The parsed JSON, loosely typed: a test looks at what it expects. */
  // biome-ignore lint/suspicious/noExplicitAny: answers of every route pass through here
  readonly body: any
}

export async function openTestApp(
  source: TestDatabaseSource,
  settings: Partial<Config> = {},
  parts: Partial<Context> = {},
): Promise<TestApp> {
  const database = await source.open()
  return buildTestApp(database, settings, parts)
}

/** On a database that is open already. */
export async function buildTestApp(
  database: TestDatabase,
  settings: Partial<Config>,
  parts: Partial<Context>,
): Promise<TestApp> {
  const mails: Mail[] = []
  const logLines: string[] = []
  let now = Date.parse('2026-01-02T03:04:05.678Z')
  const mail: Mailer = { isSetUp: true, hasMailbox: false, send: async (sent) => void mails.push(sent) }
  const log = pino({ level: 'info' }, { write: (line: string) => void logLines.push(line) })
  const afterwards = createAfterwards(log)
  // Most tests do not need built pages; a test that does gives a folder.
  const config: Config = {
    ...readConfig({}),
    baseUrl: 'https://ship.example.com',
    dashboardFolder: '/nowhere',
    docsFolder: '/nowhere',
    ...settings,
  }
  const bus = createBus()
  const { db, version } = countDirectWrites(database)
  const box = parts.box ?? createBox(new Secret(new Uint8Array(randomBytes(32))))
  const gitHubApps = parts.gitHubApps ?? createGitHubApps({ allowedNetworks: config.allowedNetworks, clock: () => now })
  const served: Context = {
    db: database.db,
    recordsVersion: version,
    box,
    connectedHosts: createConnectedHosts({ allowedNetworks: config.allowedNetworks }),
    credentials: createCredentials({ box, apps: gitHubApps }),
    gitHubApps,
    mail,
    receivers: createReceivers({ allowedNetworks: config.allowedNetworks, clock: () => now }),
    telegramApi: TELEGRAM_API,
    bus,
    change: createChangeRecords({
      db: database.db,
      bus,
      clock: () => now,
      describeWebhookEvent: createWebhookEventDescription({ config, clock: () => now }),
    }),
    ...installation,
    environmentTokens: createEnvironmentTokens(new Secret('test')),
    registryKeys: createRegistryKeys(generateRegistryKey(), installation.installationId),
    acmeThumbprint: 'test-thumbprint',
    ownMetricsToken: undefined,
    servers: {
      setUpScript: setUpScript(edgeTemplates()),
      setUpLine: (server) => setUpLine({ ...lines, baseUrl: config.baseUrl }, server),
      joinLine: (server, join) => joinLine({ ...lines, baseUrl: config.baseUrl }, server, join),
      inspect: async () => ({
        checks: [{ name: 'connection', status: 'ok', message: 'The server was reached', fix: null }],
        disk: null,
      }),
    },
    // Signs as the platform does; servers cannot be asked here.
    access: {
      ...createSshAccess({ hosts: nowhere, installationId: installation.installationId }),
      isSetUp: async () => false,
    },
    repositories: NO_REPOSITORIES,
    artifacts: { readPart: async (_server, _file, { length }) => Buffer.alloc(length, 'a') },
    serviceLogs: {
      follow: async () => ({ kind: 'lost', detail: 'There are no servers here' }),
      read: async () => ({ kind: 'lost', detail: 'There are no servers here' }),
      now: async () => ({ kind: 'lost', detail: 'There are no servers here' }),
    },
    swarms: {
      read: async ({ name }) => {
        throw NotAManager(name)
      },
      setAvailability: async () => undefined,
      joinToken: async () => new Secret(`SWMTKN-1-${'a'.repeat(50)}-${'b'.repeat(25)}`),
      checkRegistry: async () => undefined,
    },
    scaleServices: async () => undefined,
    openLogMask: async (environment) => openLogMask(served, environment),
    createRunContainer: async () => undefined,
    openRunTerminal: async () => {
      throw new TypeError('There are no containers here')
    },
    embeddedEdge: createEmbeddedEdge({
      isOwnHost: (host) => isOwnHost({ config }, host),
      onFault: (error) => log.error({ err: error }, 'the edge broke off a request'),
    }),
    traffic: createTrafficReadings(now),
    config,
    log,
    clock: () => now,
    afterwards: afterwards.run,
    guessLimits: createGuessLimits(parts.sharedCounts),
    sharedCounts: ownCounts,
    signInProvider: undefined,
    ...parts,
  }
  const ctx: Context = { ...served, db: parts.db ?? db }
  const app = await buildApp(served)
  // The background work sends mails. It does not run here.
  let hasMail = false
  const endListening = bus.listen((event) => {
    if (event.about === 'mail') hasMail = true
  })
  const finished = async (): Promise<void> => {
    await afterwards.finished()
    if (!hasMail) return
    hasMail = false
    await sendDueMails(ctx, { signal: never, cut: never, atOnce: 1 })
  }
  return {
    ctx,
    served,
    app,
    mails,
    logLines,
    call: async (method, url, options = {}) => {
      const answer = await call(app, method, { url, ...options })
      if (hasMail) await finished()
      return answer
    },
    moveClock: (milliseconds) => {
      now += milliseconds
    },
    finished,
    close: async () => {
      endListening()
      await app.close()
      await afterwards.finished()
      await database.drop()
    },
  }
}

/** The cookie that a browser has after a sign-in. */
export const deviceCookieOf = ({ headers }: TestAnswer): string =>
  /__Host-shipway_device=[^;]+/.exec(String(headers['set-cookie']))?.[0] ?? 'none'

const never = new AbortController().signal

const UNREAD: RepositoryFindings = {
  status: 'failed',
  message: 'No repository is read here',
  fix: null,
  branches: 0,
  head: null,
  serviceFile: 'unknown',
  suggestion: null,
}

/** Every repository is unreadable, and no git host says anything. */
export const NO_REPOSITORIES: Context['repositories'] = {
  inspect: async () => UNREAD,
  probe: async () => undefined,
  fetchEarly: async () => undefined,
  readRules: async () => ({ sha: '0'.repeat(40), read: {} }),
  checkServiceFile: async (_organizationId, { content, recipe }) => {
    await readConfigFile({ content: Buffer.from(content), recipe, origin: 'settings' })
  },
  listChangedFiles: async () => undefined,
  findWriteAccess: async () => 'unknown',
  findUploadBase: async () => undefined,
  receiveUpload: async (_project, _uploaded, _pack, use) => use({ file: '/dev/null', bytes: 0 }),
}

const nowhere = {
  publicKey: generateSshKey('').publicKey,
  of: () => {
    throw new Error('No server can be reached here')
  },
}

const installation = { installationId: 'test', sshAuthorityKey: 'ssh-ed25519 AAAA-authority' }
const lines = { ...installation, registryAuthority: (serverId: number) => Buffer.from(`authority ${serverId}`) }

async function call(
  app: FastifyInstance,
  method: Method,
  { url, as, body, headers }: CallOptions & { url: string },
): Promise<TestAnswer> {
  const request: InjectOptions = {
    method,
    url,
    headers: { host: 'ship.example.com', ...(as && { authorization: `Bearer ${as.token}` }), ...headers },
    ...(body !== undefined && {
      payload: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
    }),
  }
  if (body !== undefined && !('content-type' in (headers ?? {}))) {
    request.headers = { ...request.headers, 'content-type': 'application/json' }
  }
  const answer = await app.inject(request)
  const isJson = /json/.test(String(answer.headers['content-type'])) && answer.payload !== ''
  return {
    status: answer.statusCode,
    headers: answer.headers,
    text: answer.payload,
    body: isJson ? answer.json() : undefined,
  }
}
