// Rows of sessions; the token itself is never kept, only its digest.
import type { Insertable, Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export async function insertSession(db: Kysely<Tables>, values: Insertable<Tables['sessions']>): Promise<number> {
  const { id } = await db.insertInto('sessions').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

export async function updateSessionUse(db: Kysely<Tables>, id: number, at: number): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()
}

export async function deleteSession(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', id).execute()
}

export async function deleteSessionsOf(
  db: Kysely<Tables>,
  userId: number,
  { except }: { except?: number | undefined } = {},
): Promise<void> {
  await db
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .$if(except !== undefined, (query) => query.where('id', '!=', except ?? 0))
    .execute()
}

/** So that the table holds as many rows as there are sign-ins that still count. */
export async function deleteExpiredSessionsOf(db: Kysely<Tables>, userId: number, now: number): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', userId).where('expires_at', '<=', now).execute()
}
