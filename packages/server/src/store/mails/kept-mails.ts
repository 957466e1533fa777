// The mails that a mailbox shows, as they are kept.
import type { Kysely } from 'kysely'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'

const MOST_SHOWN = 100

type KeptMail = {
  readonly id: number
  readonly key: string
  readonly kind: string
  readonly sealed: string
  readonly createdAt: number
}

export async function listKeptMails(db: Kysely<Tables>): Promise<readonly KeptMail[]> {
  const rows = await db
    .selectFrom('mails')
    .where('is_kept', '=', 1)
    .where('expires_at', '>', databaseTime(db))
    .orderBy('id', 'desc')
    .limit(MOST_SHOWN)
    .select(['id', 'key', 'kind', 'mail_sealed', 'created_at'])
    .execute()
  return rows.flatMap(({ mail_sealed: sealed, created_at: createdAt, ...row }) =>
    sealed === null ? [] : [{ ...row, sealed, createdAt }],
  )
}
