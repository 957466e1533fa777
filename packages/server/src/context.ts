// What everything that acts is handed first. Only main and the tests make one.
import type { Kysely } from 'kysely'
import type { Logger } from 'pino'
import type { Config } from './config.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Box } from './secrets/box.ts'
import type { Tables } from './store/tables.ts'

export type Context = {
  readonly db: Kysely<Tables>
  readonly box: Box
  readonly mail: Mailer
  readonly config: Config
  readonly log: Logger
  /** Integer milliseconds; tests hand in their own. */
  readonly clock: () => number
}
