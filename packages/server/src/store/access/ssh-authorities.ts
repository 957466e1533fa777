// Rows of ssh_authorities: each organization's own key, which signs the certificates of its people.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type SshAuthorityRecord = {
  readonly publicKey: string
  readonly privateKeySealed: string
  /** Counted up whenever certificates are revoked. */
  readonly revocations: number
}

export async function findSshAuthority(
  db: Kysely<Tables>,
  organizationId: number,
): Promise<SshAuthorityRecord | undefined> {
  const row = await db
    .selectFrom('ssh_authorities')
    .where('organization_id', '=', organizationId)
    .selectAll()
    .executeTakeFirst()
  return row && { publicKey: row.public_key, privateKeySealed: row.private_key_sealed, revocations: row.revocations }
}

/** Whether a public key is one that some organization's certificates are signed with. */
export async function isSshAuthority(db: Kysely<Tables>, publicKey: string): Promise<boolean> {
  const found = db.selectFrom('ssh_authorities').where('public_key', '=', publicKey).select('organization_id')
  return (await found.executeTakeFirst()) !== undefined
}

/** Organizations with remote servers but without an ssh authority. */
export async function listOrganizationsWithoutAuthority(db: Kysely<Tables>): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`
    select distinct s.organization_id as id from servers s where s.connection = 'ssh'
      and not exists (select 1 from ssh_authorities a where a.organization_id = s.organization_id)`.execute(db)
  return rows.map(({ id }) => id)
}

type NewAuthority = { readonly organizationId: number } & Pick<SshAuthorityRecord, 'publicKey' | 'privateKeySealed'>

/** Two processes may make one in the same moment: the first stays. The set-up lines of the organization's servers name it. */
export async function insertSshAuthorityOnce(tx: Change, authority: NewAuthority): Promise<void> {
  await tx
    .insertInto('ssh_authorities')
    .values({
      organization_id: authority.organizationId,
      public_key: authority.publicKey,
      private_key_sealed: authority.privateKeySealed,
    })
    .onConflict((conflict) => conflict.column('organization_id').doNothing())
    .execute()
  tx.notify({ about: 'organization', id: authority.organizationId, how: 'updated' })
}

/** The next one, which no other certificate of this authority has. Undefined if there is no authority. */
export async function takeSerial(tx: Change, organizationId: number): Promise<number | undefined> {
  const { rows } = await sql<{ last_serial: number }>`
    update ssh_authorities set last_serial = last_serial + 1 where organization_id = ${organizationId}
    returning last_serial`.execute(tx)
  return rows[0]?.last_serial
}
