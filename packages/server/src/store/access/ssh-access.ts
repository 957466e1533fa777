// Rows of ssh_access: servers that accept their organization's ssh certificates, and the revocations that each has.
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

/** Whether the server was seen to trust the authority that its organization has now. */
export async function isAccessSetUp(db: Kysely<Tables>, serverId: number): Promise<boolean> {
  const row = await db
    .selectFrom('ssh_access as x')
    .innerJoin('servers as s', 's.id', 'x.server_id')
    .innerJoin('ssh_authorities as a', (join) =>
      join.onRef('a.organization_id', '=', 's.organization_id').onRef('a.public_key', '=', 'x.authority_key'),
    )
    .where('x.server_id', '=', serverId)
    .select('x.server_id')
    .executeTakeFirst()
  return row !== undefined
}

type ObservedAccess = { readonly serverId: number; readonly authorityKey: string; readonly at: number }

/** Resets its known revocations: the machine may have been installed again. */
export async function upsertSshAccess(tx: Change, { serverId, authorityKey, at }: ObservedAccess): Promise<void> {
  const values = { authority_key: authorityKey, seen_at: at, revocations: 0 }
  await tx
    .insertInto('ssh_access')
    .values({ server_id: serverId, ...values })
    .onConflict((conflict) => conflict.column('server_id').doUpdateSet(values))
    .execute()
}

export async function deleteSshAccess(tx: Change, serverId: number): Promise<void> {
  await tx.deleteFrom('ssh_access').where('server_id', '=', serverId).execute()
}
