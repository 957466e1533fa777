// Rows of mails: queued with the change that causes them, deleted when sent.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import { isLeased, type Leased, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'

export type QueuedMail = Leased & {
  readonly key: string
  readonly kind: string
  readonly sealed: string
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

export async function takeMail(db: Kysely<Tables>, leaseMs: number): Promise<QueuedMail | undefined> {
  const row = await takeDueRow(db, 'mails', { leaseMs, where: sql`q.given_up_at is null and q.is_kept = 0` })
  return (
    row && {
      id: row.id,
      attempts: row.attempts,
      leasedUntil: row.leasedUntil,
      key: row.key,
      kind: row.kind,
      sealed: row.mail_sealed ?? '',
      isExpired: row.expires_at <= row.leasedUntil - leaseMs,
    }
  )
}

/** Deletes the text; that there was a mail, and why it did not arrive, stays for a while. */
export async function updateMailGivenUp(db: Kysely<Tables>, mail: QueuedMail, error: string | null): Promise<void> {
  await sql`
    update mails set given_up_at = ${databaseTime(db)}, mail_sealed = null, last_error = coalesce(${error}, last_error)
    where ${isLeased('mails', mail)}`.execute(db)
}
