// Which statements of Kysely are sent to PostgreSQL: a repeatable transaction is one statement, so its begin and commit are not.
import { REPEATABLE } from '../repeatable-transaction.ts'

/** The result that Kysely gets for statements that are not sent. */
export const NOTHING_SENT = Promise.resolve({ command: 'COMMIT', rowCount: 0, rows: [] })

export class Transactions {
  /** Of the repeatable transaction under way. */
  #statements: number | undefined

  /** A repeatable transaction is one statement, and that commits itself. Neither its beginning nor its end is sent. */
  isSent(text: string): boolean {
    if (text === BEGIN_REPEATABLE) {
      this.#statements = 0
      return false
    }
    const isEnd = END.test(text)
    if (this.#statements === undefined) return true
    if (isEnd) this.#statements = undefined
    else if (++this.#statements > 1) throw new Error('A repeatable transaction is one statement on PostgreSQL')
    return !isEnd
  }
}

const BEGIN_REPEATABLE = `start transaction ${REPEATABLE}`
/** Not of a savepoint. */
const END = /^\s*(commit|rollback)\s*$/i
