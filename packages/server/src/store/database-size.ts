// How large the database is, compared with its limit.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Tables } from './tables/tables.ts'

export type DatabaseSize = {
  readonly bytes: number
  /** Undefined without a limit. */
  readonly limitBytes: number | undefined
  /** From 80 % of the limit on. */
  readonly isNearlyFull: boolean
  readonly isFull: boolean
}

const MEBIBYTE = 1024 * 1024
const NEARLY = 0.8

export async function findDatabaseSize(db: Kysely<Tables>, limitMebibytes: number | undefined): Promise<DatabaseSize> {
  const bytes = await findDatabaseBytes(db)
  const limit = limitMebibytes === undefined ? Number.POSITIVE_INFINITY : limitMebibytes * MEBIBYTE
  return {
    bytes,
    limitBytes: limitMebibytes === undefined ? undefined : limit,
    isNearlyFull: bytes >= limit * NEARLY,
    isFull: bytes >= limit,
  }
}

/** Without the free pages of SQLite's file, which it fills again. PostgreSQL does not say how much of its files is free. */
async function findDatabaseBytes(db: Kysely<Tables>): Promise<number> {
  const isPostgres = db.getExecutor().adapter instanceof PostgresAdapter
  const size = isPostgres
    ? sql<{ bytes: number }>`select pg_database_size(current_database()) as bytes`
    : sql<{ bytes: number }>`
        select (page_count - freelist_count) * page_size as bytes
        from pragma_page_count, pragma_freelist_count, pragma_page_size`
  const { rows } = await size.execute(db)
  return Number(rows[0]?.bytes ?? 0)
}
