// Ends every session and every OAuth sign-in of a user. Personal tokens stay: machines hold them, and they are listed. Returns how many
// sessions there were.
import type { Change } from '../../store/change.ts'
import { deleteOauthRecordsOfUser } from '../../store/credentials/oauth-records.ts'
import { deleteSessionsOf } from '../../store/credentials/sessions.ts'

export async function endEverySignIn(
  tx: Change,
  userId: number,
  { exceptSession }: { exceptSession?: number | undefined } = {},
): Promise<number> {
  const ended = await deleteSessionsOf(tx, userId, { except: exceptSession })
  await deleteOauthRecordsOfUser(tx, userId)
  return ended
}
