// The database's own clock, for times that several processes compare (leases, expiry): one clock, one answer.
import { type Kysely, PostgresAdapter, type QueryExecutorProvider, type RawBuilder, sql } from 'kysely'

// Integer milliseconds since 1970, the same for a whole statement. Takes the database or the transaction in use.
export function databaseTime(db: QueryExecutorProvider): RawBuilder<number> {
  return db.getExecutor().adapter instanceof PostgresAdapter
    ? sql<number>`cast(floor(extract(epoch from statement_timestamp()) * 1000) as bigint)`
    : sql<number>`cast(round(unixepoch('subsec') * 1000) as integer)`
}

export async function findDatabaseTime<Schema>(db: Kysely<Schema>): Promise<number> {
  const { rows } = await sql<{ now: number }>`select ${databaseTime(db)} as now`.execute(db)
  return rows[0]?.now ?? 0
}
