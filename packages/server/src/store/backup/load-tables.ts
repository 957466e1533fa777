/**
 * Fills an empty database with the rows of a backup, in one transaction. Foreign keys are checked when all rows are
 * there, so neither the order of tables nor cycles matter.
 */
import { type Kysely, sql, type Transaction } from 'kysely'
import type { Database, DatabaseKind } from '../database.ts'
import type { Tables } from '../tables/tables.ts'
import type { Row, SnapshotTable } from './snapshot.ts'

export type TableRows = { readonly table: SnapshotTable; readonly rows: readonly Row[] }

type Loading = {
  /** Batches of rows, those of one table after the other. */
  readonly batches: AsyncIterable<TableRows>
  /** Throws if the database must not be filled. From then on nothing else fills it. */
  readonly refuse: (transaction: Transaction<Tables>) => Promise<void>
  /** What else belongs to it: all of it is there or nothing. */
  readonly together: (transaction: Transaction<Tables>) => Promise<void>
}

export async function loadTables({ db, kind }: Database, { batches, refuse, together }: Loading): Promise<void> {
  // Has no effect within a transaction.
  if (kind === 'sqlite') await sql`pragma foreign_keys = off`.execute(db)
  await db.transaction().execute(async (transaction) => {
    if (kind === 'postgres') await lockTables(transaction)
    await refuse(transaction)
    const references = kind === 'postgres' ? await dropReferences(transaction) : []
    const tables = new Map<string, SnapshotTable>()
    for await (const { table, rows } of batches) {
      if (!tables.has(table.name)) await deleteFrom(transaction, table.name)
      tables.set(table.name, table)
      await insertRows(transaction, table, rows)
    }
    for (const { name, lastId } of tables.values()) {
      if (lastId !== null) await goOnAfter(transaction, kind, { name, lastId })
    }
    await together(transaction)
    for (const { table, name, definition } of references) {
      await sql`alter table ${sql.table(table)} add constraint ${sql.ref(name)} ${sql.raw(definition)}`.execute(
        transaction,
      )
    }
    if (kind === 'sqlite') await refuseBrokenReferences(transaction)
  })
  if (kind === 'sqlite') await sql`pragma foreign_keys = on`.execute(db)
}

/** Migrations leave rows of their own. */
async function deleteFrom(db: Kysely<Tables>, table: string): Promise<void> {
  await sql`delete from ${sql.table(table)}`.execute(db)
}

/** Both databases take some thirty thousand values in one statement. */
const MOST_VALUES = 10_000

async function insertRows(db: Kysely<Tables>, { name, columns }: SnapshotTable, rows: readonly Row[]): Promise<void> {
  const atOnce = Math.max(1, Math.floor(MOST_VALUES / columns.length))
  for (let from = 0; from < rows.length; from += atOnce) {
    const tuples = rows.slice(from, from + atOnce).map((row) => sql`(${sql.join(row)})`)
    await sql`insert into ${sql.table(name)} (${sql.join(columns.map((column) => sql.ref(column)))})
      values ${sql.join(tuples)}`.execute(db)
  }
}

/**
 * A server may hold traces of what was made after the backup, named after ids. So many are left out, so that none of these ids is
 * given to something else: a step of a new task would be taken for the one of the same id that ran before.
 */
const LEFT_OUT_IDS = 1_000_000

async function goOnAfter(
  db: Kysely<Tables>,
  kind: DatabaseKind,
  { name, lastId }: { readonly name: string; readonly lastId: number },
): Promise<void> {
  const last = lastId + LEFT_OUT_IDS
  if (kind === 'postgres') {
    await sql`select setval(pg_get_serial_sequence(${name}, 'id'), ${sql.lit(last)})`.execute(db)
    return
  }
  await sql`delete from sqlite_sequence where name = ${name}`.execute(db)
  await sql`insert into sqlite_sequence (name, seq) values (${name}, ${last})`.execute(db)
}

type Reference = { readonly table: string; readonly name: string; readonly definition: string }

/** The first thing that a platform or another restore writes are settings. */
async function lockTables(db: Kysely<Tables>): Promise<void> {
  await sql`set local statement_timeout = 0`.execute(db)
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(db)
  await sql`lock table settings, users in access exclusive mode`.execute(db)
}

async function dropReferences(db: Kysely<Tables>): Promise<readonly Reference[]> {
  const { rows } = await sql<Reference>`
    select t.relname as table, c.conname as name, pg_get_constraintdef(c.oid) as definition
    from pg_constraint c join pg_class t on t.oid = c.conrelid
    where c.contype = 'f' and t.relnamespace = current_schema()::regnamespace order by t.relname, c.conname`.execute(db)
  for (const { table, name } of rows) {
    await sql`alter table ${sql.table(table)} drop constraint ${sql.ref(name)}`.execute(db)
  }
  return rows
}

async function refuseBrokenReferences(db: Kysely<Tables>): Promise<void> {
  const { rows } = await sql<{ table: string; parent: string }>`pragma foreign_key_check`.execute(db)
  const [first] = rows
  if (first) throw new Error(`Rows of ${first.table} refer to rows of ${first.parent} that the backup does not have`)
}
