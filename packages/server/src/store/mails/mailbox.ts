// Rows of mails that are kept to be read instead of being sent: the newest few.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'

const MOST_KEPT = 100
const KEPT_MS = 7 * 86_400_000

type KeptMail = { readonly key: string; readonly kind: string; readonly sealed: string }

export async function insertKeptMail(tx: Change, { key, kind, sealed }: KeptMail): Promise<void> {
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
