// What verifying a delivery to a GitHub App needs. Found by the hook id alone.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

export type AppHook = {
  readonly connectionId: number
  readonly hookId: string
  readonly sealId: string
  readonly secretSealed: string
  /** Null until it is installed, and after it was removed. */
  readonly installationId: number | null
}

/** Undefined until GitHub has made the App. */
export async function findAppHook(db: Kysely<Tables>, hookId: string): Promise<AppHook | undefined> {
  const row = await db
    .selectFrom('connections')
    .where('hook_id', '=', hookId)
    .select([
      'id as connectionId',
      'seal_id as sealId',
      'webhook_secret_sealed as secretSealed',
      'installation_id as installationId',
    ])
    .executeTakeFirst()
  const secretSealed = row?.secretSealed ?? null
  return row && secretSealed !== null ? { ...row, hookId, secretSealed } : undefined
}
