// Brings the schema up to date: forward-only SQL files, one set for both databases.
//
// Kysely's Migrator is not used: its migrations are code and carry no checksum, and on SQLite it runs them outside a
// transaction.
//
// Each migration is one transaction: take the lock, read what is applied, apply the next one with its record. A kill in
// the middle leaves that migration undone. A second runner waits for the lock, finds the record and goes on from there.
import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kysely, sql, type Transaction } from 'kysely'
import { CannotStart } from '../domain/cannot-start.ts'
import { isOlderRelease } from '../domain/releases.ts'
import { RELEASE } from '../version.ts'
import type { Database, DatabaseKind } from './database.ts'
import { databaseTime } from './database-time.ts'
import { findSetting, updateSetting } from './settings.ts'
import type { Tables } from './tables/tables.ts'

/**
 * The oldest release that works on the tables of this one, so that an upgrade can be undone: later migrations only add (`npm run check` holds
 * them to it). Raised by a migration that removes what that release still uses.
 */
export const OLDEST_RELEASE = '1.15.0'

const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))

// Returns the names of the migrations that it applied, in order; at most the first `limit` of all.
export async function migrate(
  { db, kind }: Pick<Database, 'db' | 'kind'>,
  folder = migrationsFolder,
  first = Number.POSITIVE_INFINITY,
): Promise<string[]> {
  const migrations = (await readMigrations(folder)).slice(0, first)
  const applied: string[] = []
  for (;;) {
    const name = await db.transaction().execute((transaction) => applyNext(transaction, kind, migrations))
    if (name === undefined) break
    applied.push(name)
  }
  if (folder === migrationsFolder && first === Number.POSITIVE_INFINITY) await noteOldestRelease(db, migrations.length)
  return applied
}

export async function countMigrations(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ count: number }>`select count(*) as count from schema_migrations`.execute(db)
  return Number(rows[0]?.count)
}

/** Only the newest release knows which ones work on its tables. */
async function noteOldestRelease(db: Kysely<Tables>, known: number): Promise<void> {
  if ((await countMigrations(db)) !== known || (await findSetting(db, 'oldest_release')) === OLDEST_RELEASE) return
  await updateSetting(db, 'oldest_release', OLDEST_RELEASE)
}

export type Migration = {
  readonly version: number
  readonly name: string
  readonly checksum: string
  readonly text: string
}

export async function readMigrations(folder = migrationsFolder): Promise<Migration[]> {
  const files = (await readdir(folder)).filter((file) => file.endsWith('.sql')).sort()
  return Promise.all(
    files.map(async (file, index) => {
      const version = index + 1
      if (!new RegExp(`^${String(version).padStart(4, '0')}-[a-z0-9-]+\\.sql$`).test(file)) {
        throw new Error(`${file} is not migration ${version}: files are named 0001-name.sql and numbered without a gap`)
      }
      const text = (await readFile(join(folder, file), 'utf8')).replaceAll('\r\n', '\n')
      return {
        version,
        name: file.slice(0, -'.sql'.length),
        checksum: createHash('sha256').update(text).digest('hex'),
        text,
      }
    }),
  )
}

type Executor<Schema> = Kysely<Schema> | Transaction<Schema>

async function applyNext<Schema>(
  transaction: Transaction<Schema>,
  kind: DatabaseKind,
  migrations: readonly Migration[],
): Promise<string | undefined> {
  await takeLock(transaction, kind)
  await sql`create table if not exists schema_migrations (
    version integer primary key, name text not null, checksum text not null, applied_at bigint not null
  )`.execute(transaction)
  const next = migrations[await countApplied(transaction, migrations)]
  if (!next) return undefined
  for (const statement of statementsOf(next.text, kind)) await sql.raw(statement).execute(transaction)
  await sql`insert into schema_migrations (version, name, checksum, applied_at)
    values (${next.version}, ${next.name}, ${next.checksum}, ${databaseTime(transaction)})`.execute(transaction)
  return next.name
}

// On SQLite the transaction itself is the lock, since it begins with the right to write. On PostgreSQL the lock ends
// with the transaction, also when the process is killed. Neither the wait for it nor a long migration may run into the
// time limit of statements.
async function takeLock<Schema>(transaction: Transaction<Schema>, kind: DatabaseKind): Promise<void> {
  if (kind === 'sqlite') return
  await sql`set local statement_timeout = 0`.execute(transaction)
  await sql`select pg_advisory_xact_lock(${sql.lit(migrationLock)})`.execute(transaction)
}

// An arbitrary number that nothing else in this database locks.
const migrationLock = 7_878_000_1

async function countApplied<Schema>(db: Executor<Schema>, migrations: readonly Migration[]): Promise<number> {
  const { rows } = await sql<Omit<Migration, 'text'>>`
    select version, name, checksum from schema_migrations order by version`.execute(db)
  for (const [index, row] of rows.entries()) {
    const known = migrations[index]
    if (!known) {
      if (await worksOnNewerTables(db)) return rows.length
      throw new CannotStart(
        `The database is newer than this version of Shipway: it has the migration ${row.name}. ` +
          'Start the version that made it or a newer one, or restore a backup from before the update.',
      )
    }
    if (known.checksum !== row.checksum) {
      throw new CannotStart(
        `The migration ${row.name} was changed after it was applied to this database. ` +
          'Restore the file as it was, and put the change into a new migration.',
      )
    }
  }
  return rows.length
}

/** After an upgrade that is undone, the earlier release starts on the tables of the later one. */
export async function worksOnNewerTables<Schema>(db: Executor<Schema>): Promise<boolean> {
  const tables = await db.introspection.getTables()
  if (!tables.some(({ name }) => name === 'settings')) return false
  const { rows } = await sql<{ value: string }>`select value from settings where key = 'oldest_release'`.execute(db)
  const [oldest] = rows
  return oldest !== undefined && !isOlderRelease(RELEASE, oldest.value)
}

// Cuts at each semicolon outside quotes and comments: SQLite would run the first statement of a text and ignore the
// rest. Triggers and dollar quotes do not fit in; they are not portable anyway.
function statementsOf(text: string, kind: DatabaseKind): string[] {
  const statements = ['']
  const own = text.replaceAll('{{id}}', idColumn[kind]).replaceAll('{{random}}', randomText[kind])
  for (const [token] of own.matchAll(tokens)) {
    if (token === ';') statements.push('')
    else if (!token.startsWith('--')) statements.push(`${statements.pop()}${token}`)
  }
  return statements.map((statement) => statement.trim()).filter((statement) => statement !== '')
}

const tokens = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|;|[^'";-]+|./g

const idColumn: Record<DatabaseKind, string> = {
  sqlite: 'integer primary key autoincrement',
  postgres: 'bigint generated by default as identity primary key',
}

// 32 random hexadecimal digits, different for each row.
const randomText: Record<DatabaseKind, string> = {
  sqlite: 'lower(hex(randomblob(16)))',
  postgres: "replace(gen_random_uuid()::text, '-', '')",
}
