// Rows of personal_tokens; the token itself is never kept, only its digest.
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export async function updatePersonalTokenUse(db: Kysely<Tables>, id: number, at: number): Promise<void> {
  await db.updateTable('personal_tokens').set({ last_used_at: at }).where('id', '=', id).execute()
}
