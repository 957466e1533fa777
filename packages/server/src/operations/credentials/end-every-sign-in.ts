// Ends every session and every OAuth sign-in of a user. Personal tokens stay: machines hold them, and they are listed.
import type { Kysely } from 'kysely'
import { deleteOauthRecordsOfUser } from '../../store/credentials/oauth-records.ts'
import { deleteSessionsOf } from '../../store/credentials/sessions.ts'
import type { Tables } from '../../store/tables/tables.ts'

export async function endEverySignIn(
  db: Kysely<Tables>,
  userId: number,
  { exceptSession }: { exceptSession?: number | undefined } = {},
): Promise<void> {
  await deleteSessionsOf(db, userId, { except: exceptSession })
  await deleteOauthRecordsOfUser(db, userId)
}
