// The pool as Kysely uses it. Every query passes here, so this is where an error that a caller can wait out gets its name:
// whatever keeps a connection from being had, and what `isUnavailable` knows of the queries.
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { ChangedMeanwhile, DatabaseUnavailable } from '../../domain/errors.ts'
import { isUnrecorded, readOwnTransaction } from '../unrecorded.ts'
import { isOutdated, isStale, isUnavailable } from './query-errors.ts'
import type { ShownTransactions } from './shown-transactions.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'
import { NOTHING_SENT, Transactions } from './transactions.ts'

export function tellingPool(pool: Pool, shown: ShownTransactions): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  const names = createStatementNames()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => Promise.reject(DatabaseUnavailable(error)))
      const known = clients.get(client) ?? tellingClient(client, names, shown)
      clients.set(client, known)
      return known
    },
  }
}

function tellingClient(client: PoolClient, names: StatementNames, shown: ShownTransactions): PostgresPoolClient {
  const transactions = new Transactions()
  let isOver = false
  const tell = (error: unknown): never => {
    if (isStale(error)) {
      isOver = true
      throw DatabaseUnavailable(error)
    }
    if (isOutdated(error)) throw ChangedMeanwhile(error)
    throw isUnavailable(error) ? DatabaseUnavailable(error) : error
  }
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    // Rows are read whole, never by a cursor.
    if (typeof text !== 'string') throw new TypeError('Cursors are not set up')
    if (!transactions.isSent(text)) return NOTHING_SENT
    const named = values.length > 0 ? names.of(text) : {}
    const isUnrecordedAlone = isUnrecorded(text) && !transactions.isOpen
    return client.query({ ...named, text, values: [...values] }).then((result) => {
      const transaction = isUnrecordedAlone ? readOwnTransaction(result.rows) : undefined
      if (transaction !== undefined) shown.noteUnrecorded(transaction)
      return result
    }, tell)
  }
  return { query, release: (destroy) => client.release(destroy || isOver) }
}
