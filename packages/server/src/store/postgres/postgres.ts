// The database server: Kysely's PostgreSQL dialect over a pool of pg connections.
import {
  type Dialect,
  type PostgresCursor,
  PostgresDialect,
  type PostgresPool,
  type PostgresPoolClient,
  type PostgresQueryResult,
} from 'kysely'
import { DatabaseError, Pool, type PoolClient, TypeOverrides, types } from 'pg'
import { ChangedMeanwhile, DatabaseUnavailable } from '../../domain/errors.ts'
import { createStatementNames, type StatementNames } from './statement-names.ts'

export type PoolLimits = {
  readonly most?: number
  /** How long a query waits for a connection. */
  readonly patienceMs?: number
}

export function openPostgres(
  url: string,
  { most = 10, patienceMs = 10_000 }: PoolLimits = {},
): { dialect: Dialect; version: () => Promise<string | undefined> } {
  const pool = new Pool({
    connectionString: url,
    application_name: 'shipway',
    types: numericTypes(),
    max: most,
    connectionTimeoutMillis: patienceMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    // A process that is stopped in the middle of a change holds the others up until then.
    idle_in_transaction_session_timeout: 5_000,
  })
  // A connection that breaks while nobody waits for an answer emits `error`, which would end the process. The pool
  // drops such a connection; the query that needs it next fails in its own name or gets a new one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { dialect: new PostgresDialect({ pool: tellingPool(pool) }), version: versionOf(pool) }
}

// The pool as Kysely uses it. Every query passes here, so this is where an error that a caller can wait out gets its name:
// whatever keeps a connection from being had, and what `isUnavailable` knows of the queries.
function tellingPool(pool: Pool): PostgresPool {
  const clients = new WeakMap<PoolClient, PostgresPoolClient>()
  const names = createStatementNames()
  return {
    options: pool.options,
    end: () => pool.end(),
    connect: async () => {
      const client = await pool.connect().catch((error: unknown) => Promise.reject(DatabaseUnavailable(error)))
      const known = clients.get(client) ?? tellingClient(client, names)
      clients.set(client, known)
      return known
    },
  }
}

function tellingClient(client: PoolClient, names: StatementNames): PostgresPoolClient {
  let isOver = false
  function query<R>(text: string, values: readonly unknown[]): Promise<PostgresQueryResult<R>>
  function query<R>(cursor: PostgresCursor<R>): PostgresCursor<R>
  function query(text: unknown, values: readonly unknown[] = []): unknown {
    // Rows are read whole, never by a cursor.
    if (typeof text !== 'string') throw new TypeError('Cursors are not set up')
    const named = values.length > 0 ? names.of(text) : {}
    return client.query({ ...named, text, values: [...values] }).catch((error: unknown) => {
      if (isStale(error)) {
        isOver = true
        throw DatabaseUnavailable(error)
      }
      if (isOutdated(error)) throw ChangedMeanwhile(error)
      throw isUnavailable(error) ? DatabaseUnavailable(error) : error
    })
  }
  return { query, release: (destroy) => client.release(destroy || isOver) }
}

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

/** A newer process has changed a table that a prepared statement of this connection reads. A new connection prepares it anew. */
function isStale(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === '0A000' && error.routine === 'RevalidateCachedQuery'
}

/**
 * Operations look before they write whether what they refer to is there, and whether what they delete is in use. A foreign key that is
 * violated all the same says that somebody was faster, between the look and the write.
 */
function isOutdated(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === foreignKeyViolation
}

const foreignKeyViolation = '23503'
const UNAVAILABLE = /^(08|40|53|57|58|55P03$|25P03$|25006$)/
const BROKEN = /^(Connection terminated|Client has encountered a connection error|Client was closed|Query read timeout)/

// Another text after every commit: what is visible now, and by which server. Whoever asks while one look is under way shares the
// next one with the others that wait: the look under way may have missed what was committed just before they asked. A connection
// that has fallen silent is given up soon, since all wait for it; whatever is wrong is for the queries that come next to tell.
function versionOf(pool: Pool): () => Promise<string | undefined> {
  let looking: Promise<unknown> = Promise.resolve()
  let next: Promise<string | undefined> | undefined
  const look = async (): Promise<string | undefined> => {
    next = undefined
    const found = await pool.query<{ version: string }>(VERSION).catch(() => undefined)
    return found?.rows[0]?.version
  }
  return () => {
    if (next) return next
    next = looking.then(look)
    looking = next
    return next
  }
}

const VERSION = {
  name: 'shipway_version',
  text: 'select pg_current_snapshot()::text || pg_postmaster_start_time()::text as version',
  query_timeout: 2_000,
}

// The columns of the violated unique index as `table(column, column)`; for an index on an expression, its name.
// PostgreSQL sends the columns only in the detail: "Key (project_id, name)=(1, main) already exists.", in the server's
// language, of which only the two pairs of brackets are certain.
export function violatedUniqueOfPostgres(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code !== uniqueViolation) return undefined
  const columns = /\((.+?)\)=\(/.exec(error.detail ?? '')?.[1]?.replaceAll('"', '')
  return columns === undefined || columns.includes('(') ? error.constraint : `${error.table}(${columns})`
}

const uniqueViolation = '23505'

// Ids, times in milliseconds and counts are int8, sums of them are numeric; pg hands both over as text.
export function numericTypes(): TypeOverrides {
  const overrides = new TypeOverrides()
  overrides.setTypeParser(types.builtins.INT8, safeInteger)
  overrides.setTypeParser(types.builtins.NUMERIC, Number)
  return overrides
}

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too large to be a JavaScript number`)
  return value
}
