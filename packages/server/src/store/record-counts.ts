// How many records of each kind the whole installation has.
import { type Kysely, sql } from 'kysely'
import type { Tables } from './tables/tables.ts'

export type RecordCounts = {
  readonly users: number
  readonly organizations: number
  readonly projects: number
  /** Those that were not removed. */
  readonly environments: number
  readonly servers: number
  /** Queued or running; each state has an index that holds nothing else. */
  readonly activeTasks: number
}

export async function findRecordCounts(db: Kysely<Tables>): Promise<RecordCounts> {
  const { rows } = await sql<RecordCounts>`
    select
      (select count(*) from users) as users,
      (select count(*) from organizations) as organizations,
      (select count(*) from projects) as projects,
      (select count(*) from environments where removed_at is null) as environments,
      (select count(*) from servers) as servers,
      (select count(*) from tasks where status = 'queued')
        + (select count(*) from tasks where status = 'running') as "activeTasks"`.execute(db)
  const [counts] = rows
  if (!counts) throw new Error('The database counted nothing')
  return counts
}

/** Each state has an index that holds nothing else. */
export async function findTaskCounts(
  db: Kysely<Tables>,
): Promise<{ readonly queued: number; readonly running: number }> {
  const { rows } = await sql<{ queued: number; running: number }>`
    select (select count(*) from tasks where status = 'queued') as queued,
      (select count(*) from tasks where status = 'running') as running`.execute(db)
  return rows[0] ?? { queued: 0, running: 0 }
}
