// The state of the mail queue: waiting and recently given-up mails.
import { type Kysely, sql } from 'kysely'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'

export type MailState = {
  readonly waiting: number
  /** Of those that wait, they failed at least once. */
  readonly retrying: number
  readonly givenUp: number
  readonly oldestAt: number | null
  readonly lastError: string | null
}

export async function findMailState(db: Kysely<Tables>): Promise<MailState> {
  const { rows } = await sql<{
    waiting: number
    retrying: number
    given_up: number
    oldest_at: number | null
    last_error: string | null
  }>`
    select
      count(case when given_up_at is null then 1 end) as waiting,
      count(case when given_up_at is null and last_error is not null then 1 end) as retrying,
      count(given_up_at) as given_up,
      min(case when given_up_at is null then created_at end) as oldest_at,
      (select last_error from mails where last_error is not null and is_kept = 0 order by id desc limit 1) as last_error
    from mails where is_kept = 0`.execute(db)
  const row = rows[0]
  return {
    waiting: Number(row?.waiting ?? 0),
    retrying: Number(row?.retrying ?? 0),
    givenUp: Number(row?.given_up ?? 0),
    oldestAt: row?.oldest_at ?? null,
    lastError: row?.last_error ?? null,
  }
}

/** Those that were given up longer ago than this. */
export async function deleteMailsGivenUp(db: Kysely<Tables>, olderThanMs: number): Promise<void> {
  await sql`delete from mails where given_up_at < ${databaseTime(db)} - ${sql.lit(olderThanMs)}`.execute(db)
}
