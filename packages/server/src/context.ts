// The first parameter of everything that acts. Only main and the tests create one.
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { ServerAddress } from './domain/server-address.ts'
import type { EmbeddedEdge } from './edge/embedded-edge.ts'
import type { TrafficReadings } from './edge/haproxy/traffic-readings.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Bus } from './progress/bus.ts'
import type { ChangeRecords } from './progress/change-records.ts'
import type { Receivers } from './receivers/receivers.ts'
import type { SshAccess } from './remote/access/ssh-access.ts'
import type { Artifacts } from './remote/artifacts/artifacts.ts'
import type { ServiceLogs } from './remote/output/service-logs.ts'
import type { Servers } from './remote/set-up/servers.ts'
import type { Box } from './secrets/box.ts'
import type { EnvironmentTokens } from './secrets/environment-tokens.ts'
import type { GuessLimits } from './secrets/guess-limits.ts'
import type { Mask } from './secrets/mask.ts'
import type { SignInProvider } from './sign-in-provider/sign-in-provider.ts'
import type { ConnectedHosts } from './source/connected-hosts.ts'
import type { Credentials } from './source/credentials.ts'
import type { GitHubApps } from './source/github-app/github-apps.ts'
import type { Repositories } from './source/repositories.ts'
import type { Tables } from './store/tables/tables.ts'

export type Context = {
  readonly db: Kysely<Tables>
  /** Another text after every change in the journal (`http/response-cache.ts`); undefined where it cannot be read now. */
  readonly recordsVersion: () => Promise<string | undefined>
  readonly box: Box
  readonly mail: Mailer
  /** Sends messages to webhooks and channels. */
  readonly receivers: Receivers
  /** Where bots of Telegram are called; tests have one of their own. */
  readonly telegramApi: string
  /** The only way to change records. `db` itself is for reading. */
  readonly change: ChangeRecords
  readonly bus: Bus
  readonly embeddedEdge: EmbeddedEdge
  /** The last traffic counters of the edges on servers. */
  readonly traffic: TrafficReadings
  readonly servers: Servers
  /** Issues certificates for ssh access to servers. */
  readonly access: SshAccess
  readonly repositories: Repositories
  /** The APIs of git hosts that organizations have connected. */
  readonly connectedHosts: ConnectedHosts
  /** Which token the platform uses at a git host. */
  readonly credentials: Credentials
  /** GitHub's API of Apps. */
  readonly gitHubApps: GitHubApps
  readonly artifacts: Artifacts
  readonly serviceLogs: ServiceLogs
  /** Hides every secret that services of an environment may print. */
  readonly openLogMask: (environment: MaskedEnvironment) => Promise<Mask>
  /** Creates the container of a one-off command on a server, for a terminal. Throws AppErrors that say why it cannot. */
  readonly createRunContainer: (order: RunContainerOrder) => Promise<void>
  /** The platform's public ssh authority key: a line for TrustedUserCAKeys on servers. */
  readonly sshAuthorityKey: string
  /** Part of folder names on servers, so that two installations never touch each other's files. */
  readonly installationId: string
  readonly environmentTokens: (environmentId: number) => EnvironmentTokens
  /** Thumbprint of the ACME account key: the edge answers challenges with it. */
  readonly acmeThumbprint: string
  readonly config: Config
  readonly log: Logger
  /** Integer milliseconds; tests pass their own. */
  readonly clock: () => number
  /** Runs work in the background, after the response. Failures are logged. */
  readonly afterwards: (work: () => Promise<void>) => void
  /** Limits on guessing passwords and codes. */
  readonly guessLimits: GuessLimits
  /** Undefined if none is configured. */
  readonly signInProvider: SignInProvider | undefined
}

type MaskedEnvironment = { readonly id: number; readonly projectId: number; readonly isFork: boolean }

export type RunContainerOrder = {
  readonly server: ServerAddress
  readonly environmentId: number
  readonly servingTaskId: number
  /** Named by the user, or the main one. */
  readonly service: string | null
  readonly container: string
  readonly words: readonly string[]
  readonly hasTerminal: boolean
}
