// Rows of counters: how often something happened in its present window of time.
import { type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'

export type Quota = { readonly key: string; readonly most: number; readonly windowMs: number }

/** Counts once more, in one statement so that of two at once both count. False if there were as many as may be. */
export async function takeFromQuota(db: Kysely<Tables>, { key, most, windowMs }: Quota, now: number): Promise<boolean> {
  const ended = now - windowMs
  const { rows } = await sql`
    insert into counters (key, started_at, count) values (${key}, ${now}, 1)
    on conflict (key) do update set
      started_at = case when counters.started_at <= ${ended} then excluded.started_at else counters.started_at end,
      count = case when counters.started_at <= ${ended} then 1 else counters.count + 1 end
    where counters.started_at <= ${ended} or counters.count < ${most}
    returning key`.execute(db)
  return rows.length === 1
}

/** Skips locked rows: waiting for one while holding others could deadlock. */
export async function deleteCountersBefore(db: Kysely<Tables>, time: number): Promise<void> {
  const skip = db.getExecutor().adapter instanceof PostgresAdapter ? sql`for update skip locked` : sql``
  await sql`delete from counters where key in (select key from counters where started_at < ${time} ${skip})`.execute(db)
}
