// A snapshot of PostgreSQL: one transaction that reads everything as it was when it began. Cursors of SQL hand out the rows, so that
// the memory of neither side grows with the database.
import { Client, escapeIdentifier } from 'pg'
import { CannotStart } from '../../domain/cannot-start.ts'
import { numericTypes } from '../postgres/postgres.ts'
import type { AppliedMigration, Row, Snapshot, SnapshotTable, Value } from './snapshot.ts'

const BATCH = 100

export async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = new Client({
    connectionString: url,
    application_name: 'shipway backup',
    types: numericTypes(),
    connectionTimeoutMillis: 10_000,
    keepAlive: true,
  })
  // A connection that breaks between two queries fails the next one.
  client.on('error', () => undefined)
  try {
    await client.connect()
    // The disk that the backup is written to may be slower than the limits for requests allow.
    await client.query('set statement_timeout = 0')
    await client.query('set idle_in_transaction_session_timeout = 0')
    await client.query('begin transaction isolation level repeatable read, read only')
  } catch (cause) {
    await client.end()
    throw new CannotStart(
      `The database does not answer (${cause instanceof Error ? cause.message : cause}). ` +
        'Check DATABASE_URL and that PostgreSQL runs.',
      { cause },
    )
  }
  return {
    kind: 'postgres',
    listMigrations: () => listMigrations(client),
    listTables: () => listTables(client),
    rowsOf: (table) => rowsOf(client, table),
    close: () => client.end(),
  }
}

async function listMigrations(client: Client): Promise<readonly AppliedMigration[]> {
  const { rows: found } = await client.query("select to_regclass('schema_migrations') is not null as is_there")
  if (!found[0]?.is_there) return []
  const { rows } = await client.query<AppliedMigration>('select name, checksum from schema_migrations order by version')
  return rows
}

async function listTables(client: Client): Promise<readonly SnapshotTable[]> {
  const { rows } = await client.query<{ name: string; columns: string[]; sequence: string | null }>(`
    select c.table_name as name, array_agg(c.column_name::text order by c.ordinal_position) as columns,
      max(case when c.is_identity = 'YES'
        then pg_get_serial_sequence(quote_ident(c.table_name), c.column_name) end) as sequence
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = current_schema() and t.table_type = 'BASE TABLE' and c.table_name <> 'schema_migrations'
    group by c.table_name order by c.table_name`)
  const tables: SnapshotTable[] = []
  for (const { name, columns, sequence } of rows) {
    tables.push({ name, columns, lastId: sequence === null ? null : await lastIdOf(client, sequence) })
  }
  return tables
}

/** The name comes quoted as far as it needs it. */
async function lastIdOf(client: Client, sequence: string): Promise<number> {
  const { rows } = await client.query<{ last: number }>(
    `select case when is_called then last_value else 0 end as last from ${sequence}`,
  )
  return rows[0]?.last ?? 0
}

async function* rowsOf(client: Client, { name, columns }: SnapshotTable): AsyncGenerator<readonly Row[]> {
  await client.query(
    `declare backup_rows no scroll cursor for select ${columns.map(escapeIdentifier).join(', ')} from ${escapeIdentifier(name)}`,
  )
  for (;;) {
    const { rows } = await client.query<Value[]>({ text: `fetch ${BATCH} from backup_rows`, rowMode: 'array' })
    yield rows
    if (rows.length < BATCH) break
  }
  await client.query('close backup_rows')
}
