// Reads the settings of the server from the environment variables, once. No other file reads them.
import { resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { ServerHostname } from '@shipway/api/values/hostname'
import { isNetwork } from '@shipway/api/values/ip-address'
import { didYouMean } from '@shipway/rules/did-you-mean'
import { z } from 'zod'
import { CannotStart } from './domain/cannot-start.ts'
import { Secret } from './secrets/secret.ts'

export type Config = {
  readonly dataFolder: string
  /** Folder of the built dashboard. */
  readonly dashboardFolder: string
  readonly docsFolder: string
  readonly host: string
  readonly port: number
  /** Whether systemd hands over the listening socket, which stays open when this process ends. */
  readonly inheritsSocket: boolean
  /** Where releases are downloaded from, without a slash at the end. */
  readonly releasesUrl: string | undefined
  /** How long an upgrade is watched before the earlier version is given up. */
  readonly upgradeWatchSeconds: number
  /** Without a slash at the end. */
  readonly baseUrl: string
  readonly databaseUrl: string | undefined
  readonly masterKey: string | undefined
  readonly masterKeyFile: string | undefined
  /** The previous key, during a key rotation. */
  readonly previousMasterKey: string | undefined
  readonly previousMasterKeyFile: string | undefined
  readonly smtpUrl: string | undefined
  readonly mailFrom: string
  /** Addresses or networks whose X-Forwarded-For is trusted. */
  readonly trustedProxies: readonly string[]
  /** Private networks and host names that repositories and servers may use. */
  readonly allowedNetworks: readonly string[]
  /** Whether every user may create organizations, or only platform administrators. */
  readonly hasOpenOrganizations: boolean
  readonly apiRequestsPerMinute: number
  /** Forged deliveries to one hook from one address; a large one counts once per mebibyte. */
  readonly refusedDeliveriesPerMinute: number
  /** Tasks that one platform runs at once, in total and per server. */
  readonly mostTasks: number
  readonly mostTasksPerServer: number
  /** Time limits of a task, and of a step that sets no limit of its own. */
  readonly taskMinutes: number
  readonly stepMinutes: number
  /** Retention of artifacts, and their maximum size per run. */
  readonly artifactDays: number
  readonly artifactMebibytes: number
  /** Retention of the output of tasks; undefined means forever. */
  readonly taskLogDays: number | undefined
  /** Maximum size of the database; undefined means no limit. */
  readonly databaseMebibytes: number | undefined
  /** ACME directory, contact address, and a file with root certificates to trust beside the system's. */
  readonly acmeDirectory: string
  readonly acmeEmail: string | undefined
  readonly acmeCaFile: string | undefined
  /** A file with the root certificates that git hosts are trusted by over https, in place of the system's. */
  readonly gitCaFile: string | undefined
  /** Ports that are allocated to environments on their servers. */
  readonly portRange: { readonly first: number; readonly last: number }
  /** How long a new container may take to become ready, and how long the old one may take to drain. */
  readonly readySeconds: number
  readonly drainSeconds: number
  /** Minimum free disk space on a server before images are built. */
  readonly leastDiskMebibytes: number
  /** Retention of service logs on a server, per environment. */
  readonly keptOutput: { readonly days: number; readonly bytes: number }
  /** Maximum size of a server's build cache. */
  readonly buildCacheGigabytes: number
  /** Address of this machine's Docker Engine; undefined means the default socket. */
  readonly dockerHost: string | undefined
  /** Shared webhook secret, for projects from before each had its own. */
  readonly webhookSecret: Secret | undefined
  /** Token for /metrics. With `metricsAreOpen` none is needed. */
  readonly metricsToken: Secret | undefined
  readonly metricsAreOpen: boolean
  /** Whether /metrics has the figures of each service, too. */
  readonly metricsOfEnvironments: boolean
  /** The OpenID Connect provider for sign-in. */
  readonly oidc: OidcSettings | undefined
  readonly logLevel: 'debug' | 'info' | 'warn' | 'error'
}

type OidcSettings = {
  readonly issuer: string
  readonly clientId: string
  /** Undefined for a public client. */
  readonly clientSecret: Secret | undefined
  readonly clientSecretFile: string | undefined
  /** Shown on the sign-in button. */
  readonly name: string
  /** If not empty, users need a verified e-mail address in one of these domains. */
  readonly emailDomains: readonly string[]
  /** Whether the first sign-in creates an account, or users need an invitation. */
  readonly hasOpenSignUp: boolean
}

/** `note` gets a sentence for each variable that looks like a setting and is none. */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  note: (sentence: string) => void = () => undefined,
): Config {
  refuseUnknown(environment, note)
  const parsed = Settings.safeParse(environment)
  if (!parsed.success)
    throw new CannotStart(parsed.error.issues.map(({ path, message }) => `${path.join('.')}: ${message}`).join('\n'))
  const settings = parsed.data
  return {
    dataFolder: resolve(settings.SHIPWAY_DATA),
    dashboardFolder: fileURLToPath(new URL('../../web/dist', import.meta.url)),
    docsFolder: fileURLToPath(new URL('../../docs/dist', import.meta.url)),
    host: settings.SHIPWAY_HOST,
    port: settings.SHIPWAY_PORT,
    inheritsSocket: settings.LISTEN_FDS === '1' && settings.LISTEN_PID === String(process.pid),
    releasesUrl: settings.SHIPWAY_RELEASES_URL,
    upgradeWatchSeconds: settings.SHIPWAY_UPGRADE_WATCH_SECONDS,
    baseUrl: settings.SHIPWAY_BASE_URL ?? `http://localhost:${settings.SHIPWAY_PORT}`,
    databaseUrl: settings.DATABASE_URL,
    masterKey: settings.SHIPWAY_MASTER_KEY,
    masterKeyFile: settings.SHIPWAY_MASTER_KEY_FILE,
    previousMasterKey: settings.SHIPWAY_MASTER_KEY_PREVIOUS,
    previousMasterKeyFile: settings.SHIPWAY_MASTER_KEY_PREVIOUS_FILE,
    smtpUrl: settings.SHIPWAY_SMTP_URL,
    mailFrom: settings.SHIPWAY_MAIL_FROM,
    trustedProxies: settings.SHIPWAY_TRUSTED_PROXIES,
    allowedNetworks: settings.SHIPWAY_ALLOWED_NETWORKS,
    hasOpenOrganizations: settings.SHIPWAY_OPEN_ORGANIZATIONS === '1',
    apiRequestsPerMinute: settings.SHIPWAY_API_REQUESTS_PER_MINUTE,
    refusedDeliveriesPerMinute: settings.SHIPWAY_REFUSED_DELIVERIES_PER_MINUTE,
    mostTasks: settings.SHIPWAY_MOST_TASKS,
    mostTasksPerServer: settings.SHIPWAY_MOST_TASKS_PER_SERVER,
    taskMinutes: settings.SHIPWAY_TASK_MINUTES,
    stepMinutes: settings.SHIPWAY_STEP_MINUTES,
    artifactDays: settings.SHIPWAY_ARTIFACT_DAYS,
    artifactMebibytes: settings.SHIPWAY_ARTIFACT_MIB,
    taskLogDays: settings.SHIPWAY_TASK_LOG_DAYS,
    databaseMebibytes: settings.SHIPWAY_DATABASE_MIB,
    acmeDirectory: settings.SHIPWAY_ACME_DIRECTORY,
    acmeEmail: settings.SHIPWAY_ACME_EMAIL,
    acmeCaFile: settings.SHIPWAY_ACME_CA_FILE,
    gitCaFile: settings.SHIPWAY_GIT_CA_FILE,
    portRange: settings.SHIPWAY_PORTS,
    readySeconds: settings.SHIPWAY_READY_SECONDS,
    drainSeconds: settings.SHIPWAY_DRAIN_SECONDS,
    leastDiskMebibytes: settings.SHIPWAY_LEAST_DISK_MIB,
    keptOutput: {
      days: settings.SHIPWAY_KEPT_OUTPUT_DAYS,
      bytes: settings.SHIPWAY_KEPT_OUTPUT_MIB * 1024 * 1024,
    },
    buildCacheGigabytes: settings.SHIPWAY_BUILD_CACHE_GB,
    dockerHost: settings.DOCKER_HOST,
    webhookSecret:
      settings.SHIPWAY_WEBHOOK_SECRET === undefined ? undefined : new Secret(settings.SHIPWAY_WEBHOOK_SECRET),
    metricsToken: settings.SHIPWAY_METRICS_TOKEN === undefined ? undefined : new Secret(settings.SHIPWAY_METRICS_TOKEN),
    metricsAreOpen: settings.SHIPWAY_METRICS === 'open',
    metricsOfEnvironments: settings.SHIPWAY_METRICS_ENVIRONMENTS === '1',
    oidc: oidcOf(settings),
    logLevel: settings.SHIPWAY_LOG_LEVEL,
  }
}

/** A misspelled setting would take no effect: `SHIPWAY_MASTER_KEYFILE` would let the platform create another key. */
function refuseUnknown(environment: Record<string, string | undefined>, note: (sentence: string) => void): void {
  const known = Object.keys(Settings.shape)
  const unknown = Object.keys(environment).filter(
    (name) => name.startsWith('SHIPWAY_') && environment[name] !== '' && !known.includes(name) && !CLIENT.has(name),
  )
  for (const name of unknown) {
    const words = didYouMean(wordsOf(name), known.map(wordsOf))
    const meant = known.find((each) => wordsOf(each) === words)
    if (meant !== undefined) throw new CannotStart(`${name} is not a setting. Did you mean ${meant}?`)
    note(`${name} is not a setting and has no effect. docs/settings.md lists all settings.`)
  }
}

/** Settings of the command-line client. */
const CLIENT: ReadonlySet<string> = new Set(['SHIPWAY_URL', 'SHIPWAY_TOKEN', 'SHIPWAY_ORG'])

/** Without the prefix, which would make all names alike. */
const wordsOf = (name: string): string => name.replace('SHIPWAY_', '').toLowerCase()

/** An empty variable counts as unset. */
const setting = <S extends z.ZodType>(schema: S) => z.preprocess((value) => (value === '' ? undefined : value), schema)

const list = z
  .string()
  .default('')
  .transform((text) =>
    text
      .split(',')
      .map((part) => part.trim())
      .filter(Boolean),
  )

/** A mistake here would silently leave out a network. */
const networks = (isAllowed: (text: string) => boolean, advice: string) =>
  list.superRefine((all, context) => {
    for (const text of all.filter((each) => !isAllowed(each)))
      context.addIssue({ code: 'custom', message: `${JSON.stringify(text)} is not understood. ${advice}` })
  })

/** `name <address>` or an address alone. Names with a comma are in double quotes. */
const SENDER = /^(?:(?:"[^"\p{Cc}]*" *|[^"<>@,;\p{Cc}]*)<[^\s"<>@,;]+@[^\s"<>@,;]+>|[^\s"<>@,;]+@[^\s"<>@,;]+)$/u

/** At most a day: timers overflow after 24 days. */
const minutes = z.coerce.number('Give a number of minutes').int().min(1).max(1440)

const Settings = z.object({
  SHIPWAY_DATA: setting(z.string().default('./data')),
  SHIPWAY_HOST: setting(z.string().default('127.0.0.1')),
  SHIPWAY_PORT: setting(z.coerce.number('Give a port number').int().min(1).max(65_535).default(7878)),
  // Set by systemd for a service that has a socket.
  LISTEN_FDS: setting(z.string().optional()),
  LISTEN_PID: setting(z.string().optional()),
  SHIPWAY_RELEASES_URL: setting(
    z
      .url({ protocol: /^https?$/, error: 'Give an address such as https://example.com/shipway' })
      .transform((url) => url.replace(/(?<!\/)\/+$/, ''))
      .optional(),
  ),
  SHIPWAY_UPGRADE_WATCH_SECONDS: setting(z.coerce.number('Give a number').int().min(5).max(3600).default(60)),
  SHIPWAY_BASE_URL: setting(
    z.string().refine(isBaseUrl, 'Give an address such as https://ship.example.com').transform(originOf).optional(),
  ),
  DATABASE_URL: setting(z.string().optional()),
  SHIPWAY_MASTER_KEY: setting(z.string().optional()),
  SHIPWAY_MASTER_KEY_FILE: setting(z.string().optional()),
  SHIPWAY_MASTER_KEY_PREVIOUS: setting(z.string().optional()),
  SHIPWAY_MASTER_KEY_PREVIOUS_FILE: setting(z.string().optional()),
  SHIPWAY_SMTP_URL: setting(
    z
      .string()
      .regex(/^smtps?:\/\//, 'Give an address such as smtp://user:password@mail.example.com:587')
      .optional(),
  ),
  SHIPWAY_MAIL_FROM: setting(
    z
      .string()
      .regex(SENDER, 'Give a sender such as Shipway <shipway@example.com>')
      .default('Shipway <shipway@localhost>'),
  ),
  SHIPWAY_TRUSTED_PROXIES: setting(networks(isNetwork, 'Give addresses or networks such as 127.0.0.1, 10.0.0.0/8')),
  SHIPWAY_ALLOWED_NETWORKS: setting(
    networks(
      (text) => isNetwork(text) || (!text.includes('/') && ServerHostname.safeParse(text).success),
      'Give networks such as 10.0.0.0/8, addresses or host names',
    ),
  ),
  SHIPWAY_OPEN_ORGANIZATIONS: setting(z.enum(['0', '1'], 'Give 1 or 0').default('0')),
  SHIPWAY_API_REQUESTS_PER_MINUTE: setting(z.coerce.number('Give a number').int().min(1).default(6000)),
  SHIPWAY_REFUSED_DELIVERIES_PER_MINUTE: setting(z.coerce.number('Give a number').int().min(1).default(120)),
  SHIPWAY_MOST_TASKS: setting(z.coerce.number('Give a number').int().min(1).default(20)),
  SHIPWAY_MOST_TASKS_PER_SERVER: setting(z.coerce.number('Give a number').int().min(1).default(4)),
  SHIPWAY_TASK_MINUTES: setting(minutes.default(60)),
  SHIPWAY_STEP_MINUTES: setting(minutes.default(30)),
  SHIPWAY_ARTIFACT_DAYS: setting(z.coerce.number('Give a number of days').int().min(1).max(365).default(7)),
  SHIPWAY_ARTIFACT_MIB: setting(z.coerce.number('Give a number').int().min(1).max(1_000_000).default(4096)),
  SHIPWAY_TASK_LOG_DAYS: setting(z.coerce.number('Give a number of days').int().min(1).max(3650).optional()),
  SHIPWAY_DATABASE_MIB: setting(z.coerce.number('Give a number').int().min(64).max(100_000_000).optional()),
  SHIPWAY_ACME_DIRECTORY: setting(
    z
      .url({ protocol: /^https$/, error: 'Give the https address of an ACME directory' })
      .default('https://acme-v02.api.letsencrypt.org/directory'),
  ),
  SHIPWAY_ACME_EMAIL: setting(z.email('Give an e-mail address').optional()),
  SHIPWAY_ACME_CA_FILE: setting(z.string().optional()),
  SHIPWAY_GIT_CA_FILE: setting(z.string().optional()),
  SHIPWAY_PORTS: setting(
    z
      .string()
      .default('20000-29999')
      .transform(portRangeOf)
      .refine(
        ({ first, last }) => 1024 <= first && first <= last && last <= 65_535,
        'Give a range such as 20000-29999',
      ),
  ),
  SHIPWAY_READY_SECONDS: setting(z.coerce.number('Give a number').int().min(1).max(3600).default(180)),
  SHIPWAY_DRAIN_SECONDS: setting(z.coerce.number('Give a number').int().min(0).max(3600).default(30)),
  SHIPWAY_LEAST_DISK_MIB: setting(z.coerce.number('Give a number').int().min(0).default(2048)),
  SHIPWAY_KEPT_OUTPUT_DAYS: setting(z.coerce.number('Give a number of days').int().min(1).max(3650).default(14)),
  SHIPWAY_KEPT_OUTPUT_MIB: setting(z.coerce.number('Give a number').int().min(1).max(1_000_000).default(1024)),
  SHIPWAY_BUILD_CACHE_GB: setting(z.coerce.number('Give a number').int().min(1).max(100_000).default(20)),
  DOCKER_HOST: setting(z.string().optional()),
  SHIPWAY_WEBHOOK_SECRET: setting(z.string().optional()),
  SHIPWAY_METRICS_TOKEN: setting(
    z
      .string()
      .regex(/^[\x21-\x7e]{16,}$/, 'Give at least 16 visible ASCII characters, such as those of `openssl rand -hex 24`')
      .optional(),
  ),
  SHIPWAY_METRICS: setting(z.enum(['open', 'closed'], 'Give open or closed').default('closed')),
  SHIPWAY_METRICS_ENVIRONMENTS: setting(z.enum(['0', '1'], 'Give 1 or 0').default('0')),
  SHIPWAY_OIDC_ISSUER: setting(
    z
      .string()
      .refine(isIssuer, 'Give the https address of the provider, as it names itself, such as https://id.example.com')
      .optional(),
  ),
  SHIPWAY_OIDC_CLIENT_ID: setting(z.string().optional()),
  SHIPWAY_OIDC_CLIENT_SECRET: setting(z.string().optional()),
  SHIPWAY_OIDC_CLIENT_SECRET_FILE: setting(z.string().optional()),
  SHIPWAY_OIDC_NAME: setting(z.string().max(40, 'Give at most 40 characters').optional()),
  SHIPWAY_OIDC_EMAIL_DOMAINS: setting(list),
  SHIPWAY_OIDC_SIGN_UP: setting(z.enum(['0', '1'], 'Give 1 or 0').default('0')),
  SHIPWAY_LOG_LEVEL: setting(z.enum(['debug', 'info', 'warn', 'error']).default('info')),
})

function oidcOf(settings: z.infer<typeof Settings>): OidcSettings | undefined {
  const { SHIPWAY_OIDC_ISSUER: issuer, SHIPWAY_OIDC_CLIENT_ID: clientId } = settings
  if (issuer === undefined) {
    const lost = OIDC_NAMES.find((name) => settings[name] !== undefined)
    if (lost === undefined) return undefined
    throw new CannotStart(`SHIPWAY_OIDC_ISSUER: Give the https address of the provider, or leave out ${lost}`)
  }
  if (clientId === undefined)
    throw new CannotStart('SHIPWAY_OIDC_CLIENT_ID: Give the id that the provider knows this platform by')
  const secret = settings.SHIPWAY_OIDC_CLIENT_SECRET
  return {
    issuer,
    clientId,
    clientSecret: secret === undefined ? undefined : new Secret(secret),
    clientSecretFile: settings.SHIPWAY_OIDC_CLIENT_SECRET_FILE,
    name: settings.SHIPWAY_OIDC_NAME ?? new URL(issuer).hostname,
    emailDomains: settings.SHIPWAY_OIDC_EMAIL_DOMAINS.map((domain) => domain.toLowerCase()),
    hasOpenSignUp: settings.SHIPWAY_OIDC_SIGN_UP === '1',
  }
}

/** Settings that mean nothing without an issuer. */
const OIDC_NAMES = [
  'SHIPWAY_OIDC_CLIENT_ID',
  'SHIPWAY_OIDC_CLIENT_SECRET',
  'SHIPWAY_OIDC_CLIENT_SECRET_FILE',
  'SHIPWAY_OIDC_NAME',
] as const

/** http is allowed only on this machine, because the provider's answers decide who may sign in. */
function isIssuer(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '') return false
  return url.protocol === 'https:' || (url.protocol === 'http:' && /^(localhost|127\..+|\[::1\])$/.test(url.hostname))
}

function portRangeOf(text: string): { first: number; last: number } {
  const [, first = 0, last = 0] = /^([0-9]{4,5})-([0-9]{4,5})$/.exec(text) ?? []
  return { first: Number(first), last: Number(last) }
}

function isBaseUrl(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username && !url.hash
  )
}

function originOf(text: string): string {
  return new URL(text).origin
}
