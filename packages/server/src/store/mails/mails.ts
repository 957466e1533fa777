// Rows of mails: what is to be sent. Written with what causes it, taken by one process at a time. Times are the database's.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'

export type QueuedMail = {
  readonly id: number
  readonly key: string
  readonly kind: string
  readonly sealed: string
  readonly attempts: number
  /** Until when it is the taker's. */
  readonly heldUntil: number
  readonly isExpired: boolean
}

type NewMail = { readonly key: string; readonly kind: string; readonly sealed: string; readonly lifeMs: number }

export async function insertMail(tx: Change, { key, kind, sealed, lifeMs }: NewMail): Promise<void> {
  const now = databaseTime(tx)
  await sql`
    insert into mails (key, kind, mail_sealed, next_at, expires_at, created_at)
    values (${key}, ${kind}, ${sealed}, 0, ${now} + ${sql.lit(lifeMs)}, ${now})`.execute(tx)
  tx.notify({ about: 'mail' })
}

/** Takes the mail that has been due longest, for a while: nobody else sends it meanwhile. */
export async function takeMail(db: Kysely<Tables>, heldMs: number): Promise<QueuedMail | undefined> {
  const now = databaseTime(db)
  const { rows } = await sql<Row>`
    update mails set next_at = ${now} + ${sql.lit(heldMs)}, attempts = attempts + 1
    where id = (
      select id from mails where next_at <= ${now} and given_up_at is null and is_kept = 0 order by next_at, id limit 1)
      and next_at <= ${now} and given_up_at is null
    returning id, key, kind, mail_sealed, attempts, next_at,
      case when expires_at <= ${now} then 1 else 0 end as is_expired`.execute(db)
  const row = rows[0]
  return (
    row && {
      id: row.id,
      key: row.key,
      kind: row.kind,
      sealed: row.mail_sealed,
      attempts: row.attempts,
      heldUntil: row.next_at,
      isExpired: row.is_expired === 1,
    }
  )
}

type Row = {
  readonly id: number
  readonly key: string
  readonly kind: string
  readonly mail_sealed: string
  readonly attempts: number
  readonly next_at: number
  readonly is_expired: number
}

/** It was sent, and nothing of it stays. */
export async function deleteMail(db: Kysely<Tables>, { id, heldUntil }: QueuedMail): Promise<void> {
  await db.deleteFrom('mails').where('id', '=', id).where('next_at', '=', heldUntil).execute()
}

/** Later again. */
export async function updateMailFailure(
  db: Kysely<Tables>,
  { id, heldUntil }: QueuedMail,
  { afterMs, error }: { readonly afterMs: number; readonly error: string },
): Promise<void> {
  await sql`
    update mails set next_at = ${databaseTime(db)} + ${sql.lit(afterMs)}, last_error = ${error}
    where id = ${id} and next_at = ${heldUntil}`.execute(db)
}

/** What stood in it goes; that there was one, and why it did not arrive, stays for a while. */
export async function updateMailGivenUp(db: Kysely<Tables>, { id, heldUntil }: QueuedMail, error: string | null) {
  await sql`
    update mails set given_up_at = ${databaseTime(db)}, mail_sealed = null, last_error = coalesce(${error}, last_error)
    where id = ${id} and next_at = ${heldUntil}`.execute(db)
}
