// The registry that an organization named for a server: columns of servers.
import type { Kysely } from 'kysely'
import type { Tables } from '../tables/tables.ts'

export type SealedRegistry = { readonly address: string; readonly username: string; readonly passwordSealed: string }

/** Undefined where the registry is the one on its managers. */
export async function findRegistry(db: Kysely<Tables>, serverId: number): Promise<SealedRegistry | undefined> {
  const row = await db
    .selectFrom('servers')
    .where('id', '=', serverId)
    .select(['registry_address', 'registry_username', 'registry_password_sealed'])
    .executeTakeFirst()
  const { registry_address: address, registry_username: username, registry_password_sealed: sealed } = row ?? {}
  if (!address || !username || !sealed) return undefined
  return { address, username, passwordSealed: sealed }
}
