// Rows of mails that are kept to be read in a mailbox instead of being sent: the newest few.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'

const MOST_KEPT = 100
const KEPT_MS = 7 * 86_400_000

type NewKeptMail = { readonly key: string; readonly kind: string; readonly sealed: string }
type KeptMail = NewKeptMail & { readonly id: number; readonly createdAt: number }

export async function insertKeptMail(tx: Change, { key, kind, sealed }: NewKeptMail): Promise<void> {
  const now = databaseTime(tx)
  await sql`
    insert into mails (key, kind, mail_sealed, next_at, expires_at, is_kept, created_at)
    values (${key}, ${kind}, ${sealed}, 0, ${now} + ${sql.lit(KEPT_MS)}, 1, ${now})`.execute(tx)
  await sql`
    delete from mails where is_kept = 1 and (expires_at <= ${now} or id not in (
      select id from mails where is_kept = 1 order by id desc limit ${sql.lit(MOST_KEPT)}))`.execute(tx)
}

export async function deleteKeptMails(db: Kysely<Tables>): Promise<void> {
  await db.deleteFrom('mails').where('is_kept', '=', 1).execute()
}

export async function listKeptMails(db: Kysely<Tables>): Promise<readonly KeptMail[]> {
  const rows = await db
    .selectFrom('mails')
    .where('is_kept', '=', 1)
    .where('expires_at', '>', databaseTime(db))
    .orderBy('id', 'desc')
    .limit(MOST_KEPT)
    .select(['id', 'key', 'kind', 'mail_sealed', 'created_at'])
    .execute()
  return rows.flatMap(({ mail_sealed: sealed, created_at: createdAt, ...row }) =>
    sealed === null ? [] : [{ ...row, sealed, createdAt }],
  )
}
