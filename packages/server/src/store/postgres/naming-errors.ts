// The pool as Kysely uses it. Every query passes here, so errors that a caller can wait out get their name here: no connection can be
// had, or a query failed in a way that `isUnavailable` knows.
import type { PostgresCursor, PostgresPool, PostgresPoolClient, PostgresQueryResult } from 'kysely'
import { DatabaseError, type Pool, type PoolClient } from 'pg'
import { ChangedMeanwhile, DatabaseUnavailable } from '../../domain/errors.ts'
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

/** A newer process has changed a table that a prepared statement of this connection reads. A new connection prepares it anew. */
function isStale(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/**
 * Operations check before they write that referenced records exist and that deleted ones are unused. A violated foreign key
 * therefore means that another transaction was faster, between the check and the write.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === foreignKeyViolation
}

const foreignKeyViolation = '23503'

/**
 * Errors that say nothing about the query: the same one may succeed in a moment. Lost connections (08), resources that ran out (53,
 * a full disk among them), cancellation and shutdown (57), failures of the system (58), conflicts of two transactions (40), a lock
 * that was not given, a transaction that was idle for too long, a server that takes no writes for now. pg itself reports a broken
 * connection as a plain Error, or as one of the socket.
 */
function isUnavailable(error: unknown): boolean {
  if (error instanceof DatabaseError) return UNAVAILABLE.test(error.code ?? '')
  return error instanceof Error && ('syscall' in error || BROKEN.test(error.message))
}

const UNAVAILABLE = /^(08|40|53|57|58|55P03$|25P03$|25006$)/
const BROKEN = /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/
