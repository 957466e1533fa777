// Rows of password_resets: at most one that still counts for each user.
import type { Insertable, Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

/** The user that an unused link is for. */
export async function findPasswordReset(
  db: Kysely<Tables>,
  digest: string,
  now: number,
): Promise<{ readonly userId: number } | undefined> {
  return db
    .selectFrom('password_resets')
    .where('token_digest', '=', digest)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .select('user_id as userId')
    .executeTakeFirst()
}

export async function insertPasswordReset(
  db: Kysely<Tables>,
  values: Insertable<Tables['password_resets']>,
): Promise<void> {
  await db.insertInto('password_resets').values(values).execute()
}

/** True for the one caller that used the link up. */
export async function updatePasswordResetUse(db: Kysely<Tables>, digest: string, now: number): Promise<boolean> {
  const used = await db
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('token_digest', '=', digest)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now)
    .returning('id')
    .execute()
  return used.length === 1
}

export async function deletePasswordResetsOf(db: Kysely<Tables>, userId: number): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).execute()
}
