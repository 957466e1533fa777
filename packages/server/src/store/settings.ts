// Rows of settings: the platform's own state.
import type { Kysely } from 'kysely'
import type { Tables } from './tables/tables.ts'

type SettingKey =
  | 'canary'
  | 'setup_token_digest'
  | 'authority_key'
  | 'installation_id'
  | 'acme_account_key'
  | 'environment_token_key'
  | 'registry_key'
  // How the newest backup went, as JSON.
  | 'last_backup'
  // When the records were restored from a backup; deleted once an operator lets the platform act again.
  | 'restored_at'
  // '1' while the platform requires two-factor codes of every user.
  | 'require_two_factor'
  // The oldest release that works on the tables as they are.
  | 'oldest_release'

export async function findSetting(db: Kysely<Tables>, key: SettingKey): Promise<string | undefined> {
  const row = await db.selectFrom('settings').where('key', '=', key).select('value').executeTakeFirst()
  return row?.value
}

/** The first value stays: of two first starts, the second finds the first one's. */
export async function insertSettingOnce(db: Kysely<Tables>, key: SettingKey, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

export async function updateSetting(db: Kysely<Tables>, key: SettingKey, value: string): Promise<void> {
  await db
    .insertInto('settings')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

/** True for the one caller that deleted it. */
export async function deleteSetting(db: Kysely<Tables>, key: SettingKey, value: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('settings')
    .where('key', '=', key)
    .where('value', '=', value)
    .returning('key')
    .execute()
  return deleted.length === 1
}
