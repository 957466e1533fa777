// What everything that acts is handed first. Only main and the tests make one.
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { EmbeddedEdge } from './edge/embedded-edge.ts'
import type { TrafficReadings } from './edge/haproxy/traffic-readings.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Bus } from './progress/bus.ts'
import type { ChangeRecords } from './progress/change-records.ts'
import type { SshAccess } from './remote/access/ssh-access.ts'
import type { Artifacts } from './remote/artifacts/artifacts.ts'
import type { Servers } from './remote/set-up/servers.ts'
import type { Box } from './secrets/box.ts'
import type { EnvironmentTokens } from './secrets/environment-tokens.ts'
import type { GuessLimits } from './secrets/guess-limits.ts'
import type { SignInProvider } from './sign-in-provider/sign-in-provider.ts'
import type { Repositories } from './source/repositories.ts'
import type { Tables } from './store/tables/tables.ts'

export type Context = {
  readonly db: Kysely<Tables>
  /** Another text after every change in the journal (`http/response-cache.ts`); undefined where it cannot be read now. */
  readonly recordsVersion: () => Promise<string | undefined>
  readonly box: Box
  readonly mail: Mailer
  /** The one door for changes. `db` itself is for reading. */
  readonly change: ChangeRecords
  readonly bus: Bus
  readonly embeddedEdge: EmbeddedEdge
  /** What the edges on servers counted, as it was read last. */
  readonly traffic: TrafficReadings
  readonly servers: Servers
  /** Certificates that let people in at servers. */
  readonly access: SshAccess
  readonly repositories: Repositories
  readonly artifacts: Artifacts
  /** The public key that servers trust the platform by: a line for TrustedUserCAKeys. */
  readonly sshAuthorityKey: string
  /** Names the folders on servers, so that two installations never take each other's for their own. */
  readonly installationId: string
  readonly environmentTokens: (environmentId: number) => EnvironmentTokens
  /** Of the key of the ACME account: what the edge answers challenges with. */
  readonly acmeThumbprint: string
  readonly config: Config
  readonly log: Logger
  /** Integer milliseconds; tests hand in their own. */
  readonly clock: () => number
  /** Does something after the answer was sent. What fails is logged. */
  readonly afterwards: (work: () => Promise<void>) => void
  /** How often somebody guessed at a password or at a code lately. */
  readonly guessLimits: GuessLimits
  /** Undefined where none is set up. */
  readonly signInProvider: SignInProvider | undefined
}
