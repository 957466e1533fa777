// The database server: Kysely's PostgreSQL dialect over a pool of pg connections.
import { type Dialect, PostgresDialect } from 'kysely'
import { DatabaseError, Pool, TypeOverrides, types } from 'pg'
import { namingErrors } from './naming-errors.ts'

export type PoolLimits = {
  readonly most?: number
  /** How long a query waits for a connection. */
  readonly connectTimeoutMs?: number
}

export function openPostgres(
  url: string,
  { most = 10, connectTimeoutMs = 10_000 }: PoolLimits = {},
): { dialect: Dialect; version: () => Promise<string | undefined> } {
  const pool = new Pool({
    connectionString: url,
    application_name: 'shipway',
    types: numericTypes(),
    max: most,
    connectionTimeoutMillis: connectTimeoutMs,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    // A process that is stopped in the middle of a change holds the others up until then.
    idle_in_transaction_session_timeout: 5_000,
  })
  // An idle connection that breaks emits `error`, which would end the process. The pool
  // drops such a connection; the query that needs it next fails in its own name or gets a new one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { dialect: new PostgresDialect({ pool: namingErrors(pool) }), version: versionOf(pool) }
}

/**
 * The last number of the journal, and the server that gave it: after a fail-over to a replica that lags behind, the same number can
 * name another change. Requests that ask while a query is under way share the next one: the query under way may have missed what was
 * committed just before they asked. They all wait for it, so a connection that has fallen silent is given up soon; the caller's own
 * queries report what is wrong.
 */
function versionOf(pool: Pool): () => Promise<string | undefined> {
  let running: Promise<unknown> = Promise.resolve()
  let next: Promise<string | undefined> | undefined
  const read = async (): Promise<string | undefined> => {
    next = undefined
    const found = await pool.query<{ version: string }>(VERSION).catch(() => undefined)
    return found?.rows[0]?.version
  }
  return () => {
    if (next) return next
    next = running.then(read)
    running = next
    return next
  }
}

const VERSION = {
  name: 'shipway_version',
  text: "select seq || ' ' || pg_postmaster_start_time() as version from journal_end",
  query_timeout: 2_000,
}

// The columns of the violated unique index as `table(column, column)`; for an index on an expression, its name.
// PostgreSQL sends the columns only in the detail: "Key (project_id, name)=(1, main) already exists.", in the server's
// language: only the two pairs of brackets are certain.
export function violatedUniqueOfPostgres(error: unknown): string | undefined {
  if (!(error instanceof DatabaseError) || error.code !== uniqueViolation) return undefined
  const detail = error.detail ?? ''
  const end = detail.indexOf(')=(')
  const columns = end < 0 ? undefined : detail.slice(detail.indexOf('(') + 1, end).replaceAll('"', '')
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
