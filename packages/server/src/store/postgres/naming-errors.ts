// The pool as Kysely uses it. Every query passes here, so errors that a caller can wait out get their name here: no connection can be
// had, or a query failed in a way that `isUnavailable` knows.
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import type { Pool, PoolClient } from 'pg'
import { ChangedMeanwhile, DatabaseUnavailable } from '../../domain/errors.ts'
import { isOutdated, isStale, isUnavailable } from './query-errors.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'
import { NOTHING_SENT, Transactions } from './transactions.ts'

export function namingErrors(pool: Pool): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  const names = createStatementNames()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => Promise.reject(DatabaseUnavailable(error)))
      const known = clients.get(client) ?? wrapClient(client, names)
      clients.set(client, known)
      return known
    },
  }
}

function wrapClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  const transactions = new Transactions()
  let isOver = false
  const rethrowNamed = (error: unknown): never => {
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
    return client.query({ ...named, text, values: [...values] }).catch(rethrowNamed)
  }
  return { query, release: (destroy) => client.release(destroy || isOver) }
}
