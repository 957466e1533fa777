// Rows of sessions.
import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export async function updateSessionUse(db: Kysely<Tables>, id: number, at: number): Promise<void> {
  await db.updateTable('sessions').set({ last_seen_at: at }).where('id', '=', id).execute()
}
