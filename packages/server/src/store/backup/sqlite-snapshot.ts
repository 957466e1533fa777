// A snapshot of the embedded database, over a connection of its own. A transaction that reads sees the write-ahead log up to where it
// began and keeps no writer waiting; the log is only not cut back until it ends.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync, type SQLOutputValue } from 'node:sqlite'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { CannotStart } from '../../domain/cannot-start.ts'
import type { AppliedMigration, Row, Snapshot, SnapshotTable, Value } from './snapshot.ts'

const BATCH = 100

export async function openSqliteSnapshot(dataFolder: string): Promise<Snapshot> {
  const path = join(dataFolder, 'shipway.db')
  if (!existsSync(path)) {
    throw new CannotStart(
      `There is no database at ${path}. Name the data folder with SHIPWAY_DATA, or PostgreSQL with DATABASE_URL.`,
    )
  }
  const database = new DatabaseSync(path, { timeout: 5_000, readOnly: true })
  database.exec('begin')
  // The snapshot is taken by the first statement that reads.
  database.prepare('select count(*) from sqlite_schema').get()
  return {
    kind: 'sqlite',
    listMigrations: async () => listMigrations(database),
    listTables: async () => listTables(database),
    rowsOf: (table) => rowsOf(database, table),
    close: async () => database.close(),
  }
}

function listMigrations(database: DatabaseSync): AppliedMigration[] {
  if (!hasTable(database, 'schema_migrations')) return []
  const rows = database.prepare('select name, checksum from schema_migrations order by version').all()
  return rows.map(({ name, checksum }) => ({ name: String(name), checksum: String(checksum) }))
}

function listTables(database: DatabaseSync): SnapshotTable[] {
  const tables = database
    .prepare(
      `select name from sqlite_schema where type = 'table' and name not like 'sqlite\\_%' escape '\\'
        and name <> 'schema_migrations' order by name`,
    )
    .all()
  return tables.map(({ name: text }) => {
    const name = String(text)
    const columns = database.prepare('select name from pragma_table_info(?) order by cid').all(name)
    return { name, columns: columns.map((column) => String(column.name)), lastId: lastIdOf(database, name) }
  })
}

function lastIdOf(database: DatabaseSync, table: string): number | null {
  const { sql: text } =
    database.prepare("select sql from sqlite_schema where type = 'table' and name = ?").get(table) ?? {}
  if (!/\bautoincrement\b/i.test(String(text))) return null
  return Number(database.prepare('select seq from sqlite_sequence where name = ?').get(table)?.seq ?? 0)
}

async function* rowsOf(database: DatabaseSync, { name, columns }: SnapshotTable): AsyncGenerator<readonly Row[]> {
  const statement = database.prepare(`select ${columns.map(quoted).join(', ')} from ${quoted(name)}`)
  let batch: Row[] = []
  for (const row of statement.iterate()) {
    batch.push(columns.map((column) => recordValue(row[column])))
    if (batch.length < BATCH) continue
    yield batch
    batch = []
    await nextTurn()
  }
  yield batch
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare("select 1 from sqlite_schema where type = 'table' and name = ?").get(name) !== undefined
}

function recordValue(value: SQLOutputValue | undefined): Value {
  if (typeof value === 'bigint' || value === undefined) throw new TypeError('A column holds what no record has')
  return value
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
