// Opens the database that the settings name: PostgreSQL by its address, else the embedded one in the data folder.
//
// Two databases, one subset of SQL: Kysely over SQLite (in the process, one connection, `synchronous=FULL` except for output) and PostgreSQL.
// The subset: `returning`, `on conflict`, partial unique indexes, integer milliseconds, 0 and 1 for booleans, JSON as text. A transaction locks a
// row by updating it, in this order: organization, project, environment; a server before its machine. A database that is busy, full or gone
// is `unavailable`, which callers get as 503 with `Retry-After`.
import { join } from 'node:path'
import { type Dialect, Kysely, sql } from 'kysely'
import { CannotStart } from '../domain/cannot-start.ts'
import { AppError } from '../domain/errors.ts'
import { openPostgres, type PoolLimits, violatedUniqueOfPostgres } from './postgres/postgres.ts'
import { openSqlite, violatedUniqueOfSqlite } from './sqlite.ts'
import type { Tables } from './tables/tables.ts'

export type DatabaseKind = 'sqlite' | 'postgres'

export type Database = {
  readonly db: Kysely<Tables>
  readonly kind: DatabaseKind
  /** Another text after every change in the journal (`http/response-cache.ts`); undefined where it cannot be read now. */
  version(): Promise<string | undefined>
  close(): Promise<void>
}

export type DatabaseAddress = {
  readonly url?: string | undefined
  readonly dataFolder: string
  readonly pool?: PoolLimits | undefined
}

export async function openDatabase({ url, dataFolder, pool }: DatabaseAddress): Promise<Database> {
  if (url === undefined) {
    const { dialect, version } = openSqlite(join(dataFolder, 'shipway.db'))
    return database('sqlite', dialect, async () => version())
  }
  const address = parseAddress(url)
  const { dialect, version } = openPostgres(url, pool)
  const opened = database('postgres', dialect, version)
  try {
    await refuseOldPostgres(opened.db)
  } catch (error) {
    await opened.close()
    if (error instanceof CannotStart) throw error
    const met = error instanceof AppError ? error.cause : error
    const reason = met instanceof Error ? met.message || String(Reflect.get(met, 'code')) : String(met)
    throw new CannotStart(
      `The database at ${whereOf(address)}${address.pathname} does not answer (${reason}). ` +
        'Check DATABASE_URL and that PostgreSQL runs.',
      { cause: error },
    )
  }
  return opened
}

// Tells a violated unique index from other errors, alike on both databases: `environments(domain)`,
// `environments(project_id, name)`, or the index's name when it is on an expression. Catch it outside the transaction:
// PostgreSQL refuses everything after an error inside one.
export function violatedUnique(error: unknown): string | undefined {
  return violatedUniqueOfSqlite(error) ?? violatedUniqueOfPostgres(error)
}

function database(kind: DatabaseKind, dialect: Dialect, version: Database['version']): Database {
  const db = new Kysely<Tables>({ dialect })
  return { db, kind, version, close: () => db.destroy() }
}

function parseAddress(url: string): URL {
  const address = URL.parse(url)
  if (address && ['postgres:', 'postgresql:'].includes(address.protocol)) return address
  throw new CannotStart(
    'DATABASE_URL is not an address of PostgreSQL. Write it as postgres://user:password@host:5432/name, ' +
      'or leave it out for the embedded database.',
  )
}

/** A socket on this machine is named behind a question mark: postgres:///name?host=/run/postgresql */
const whereOf = (address: URL): string => address.searchParams.get('host') ?? address.host

async function refuseOldPostgres(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ version: number }>`select current_setting('server_version_num')::int as version`.execute(
    db,
  )
  const version = Math.floor((rows[0]?.version ?? 0) / 10_000)
  if (version < oldestPostgres) {
    throw new CannotStart(`PostgreSQL ${version} is too old. Use PostgreSQL ${oldestPostgres} or newer.`)
  }
}

const oldestPostgres = 15
