// The database server: Kysely's PostgreSQL dialect over a pool of pg connections.
import { type Dialect, PostgresDialect } from 'kysely'
import { DatabaseError, Pool, TypeOverrides, types } from 'pg'

export function openPostgres(url: string): { dialect: Dialect; version: () => Promise<string | undefined> } {
  const pool = new Pool({
    connectionString: url,
    application_name: 'shipway',
    types: numericTypes(),
    max: 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    keepAlive: true,
    statement_timeout: 30_000,
    idle_in_transaction_session_timeout: 20_000,
  })
  // A connection that breaks while nobody waits for an answer emits `error`, which would end the process. The pool
  // drops such a connection; the query that needs it next fails in its own name or gets a new one.
  pool.on('error', () => undefined)
  pool.on('connect', (client) => client.on('error', () => undefined))
  return { dialect: new PostgresDialect({ pool }), version: versionOf(pool) }
}

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
function numericTypes(): TypeOverrides {
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
