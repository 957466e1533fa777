// The first parameter of everything that acts. Only main and the tests create one.
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { RunTerminal, WindowSize } from './domain/run-terminal.ts'
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
import type { SwarmManagers } from './remote/swarm/swarm-manager.ts'
import type { SharedCounts } from './scheduling/shared-counts.ts'
import type { Box } from './secrets/box.ts'
import type { EnvironmentTokens } from './secrets/environment-tokens.ts'
import type { GuessLimits } from './secrets/guess-limits.ts'
import type { Mask } from './secrets/mask.ts'
import type { RegistryKeys } from './secrets/registry/registry-keys.ts'
import type { Secret } from './secrets/secret.ts'
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
  /** The managers of servers that are a Swarm. */
  readonly swarms: SwarmManagers
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
  /** The same on the platform's own machine, and starts it. The platform carries its terminal. */
  readonly openRunTerminal: (order: RunTerminalOrder) => Promise<RunTerminal>
  /** Gives services of an environment on a Swarm another number of containers, or checks that it could. Throws AppErrors that say why it cannot. */
  readonly scaleServices: (order: ScaleOrder) => Promise<void>
  /** The platform's public ssh authority key: a line for TrustedUserCAKeys on servers. */
  readonly sshAuthorityKey: string
  /** Part of folder names on servers, so that two installations never touch each other's files. */
  readonly installationId: string
  readonly environmentTokens: (environmentId: number) => EnvironmentTokens
  /** Of the registries on servers that are a Swarm. */
  readonly registryKeys: RegistryKeys
  /** Thumbprint of the ACME account key: the edge answers challenges with it. */
  readonly acmeThumbprint: string
  /** What commands of this machine read /metrics with. */
  readonly ownMetricsToken: Secret | undefined
  readonly config: Config
  readonly log: Logger
  /** Integer milliseconds; tests pass their own. */
  readonly clock: () => number
  /** Runs work in the background, after the response. Failures are logged. */
  readonly afterwards: (work: () => Promise<void>) => void
  /** Limits on guessing passwords and codes. */
  readonly guessLimits: GuessLimits
  /** Adds up the counts of rate limits over all processes on this database. */
  readonly sharedCounts: SharedCounts
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

export type ScaleOrder = {
  readonly work: 'check' | 'apply'
  readonly server: ServerAddress
  readonly environmentId: number
  readonly servingTaskId: number
  readonly replicas: ReadonlyMap<string, number>
}

export type RunTerminalOrder = Omit<RunContainerOrder, 'hasTerminal'> & {
  /** Undefined for pipes. */
  readonly size: WindowSize | undefined
  /** The platform process that carries it: if that ends, others remove the container. */
  readonly processId: string
}
