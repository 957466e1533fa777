// Ends every session and every OAuth sign-in of a user. Personal tokens stay: machines hold them, and they are listed.
import type { Change } from '../../store/change.ts'
import { deleteOauthRecordsOfUser } from '../../store/credentials/oauth-records.ts'
import { deleteSessionsOf } from '../../store/credentials/sessions.ts'

export async function endEverySignIn(
  tx: Change,
  userId: number,
  { exceptSession }: { exceptSession?: number | undefined } = {},
): Promise<void> {
  await deleteSessionsOf(tx, userId, { except: exceptSession })
  await deleteOauthRecordsOfUser(tx, userId)
}
