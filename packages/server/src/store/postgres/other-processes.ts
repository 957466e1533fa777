// Processes of the platform that use the same PostgreSQL. The embedded database is locked for one.
import { sql } from 'kysely'
import type { Database } from '../database.ts'

export async function countOtherProcesses({ db, kind }: Pick<Database, 'db' | 'kind'>): Promise<number> {
  if (kind === 'sqlite') return 0
  // Connections of one process come from one place; this command has the pool of one connection.
  const { rows } = await sql<{ count: number }>`
    select count(*) as count from pg_stat_activity
    where datname = current_database() and application_name = 'shipway' and pid <> pg_backend_pid()`.execute(db)
  return rows[0]?.count ?? 0
}
