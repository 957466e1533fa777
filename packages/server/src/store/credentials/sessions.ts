// Rows of sessions; the token itself is never kept, only its digest.
import type { Insertable, Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export async function insertSession(db: Kysely<Tables>, values: Insertable<Tables['sessions']>): Promise<number> {
  const { id } = await db.insertInto('sessions').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateSessionUse(db: Kysely<Tables>, id: number, at: number): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()
}

/** Where the user is signed in from, the latest first; a few are enough to know somebody by. */
export async function listSessionAddresses(
  db: Kysely<Tables>,
  userId: number,
  now: number,
): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('sessions')
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .limit(20)
    .select('address')
    .execute()
  return rows.flatMap(({ address }) => address ?? [])
}

export async function deleteSession(tx: Change, id: number): Promise<void> {
  const ended = await tx.deleteFrom('sessions').where('id', '=', id).returning('user_id').executeTakeFirst()
  if (ended) tx.tell({ about: 'user', id: ended.user_id, how: 'updated' })
}

export async function deleteSessionsOf(
  tx: Change,
  userId: number,
  { except }: { except?: number | undefined } = {},
): Promise<void> {
  await tx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 0))
    .execute()
  tx.tell({ about: 'user', id: userId, how: 'updated' })
}

/** So that the table holds as many rows as there are sign-ins that still count. */
export async function deleteExpiredSessionsOf(db: Kysely<Tables>, userId: number, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('expires_at', '<=', now).execute()
}
