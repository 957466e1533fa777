// Rows of grants: what an environment may do beyond the policy, who let it, and when.

import { type Capability, isCapability } from '@shipway/rules/compose/policy/capabilities'
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type Grant = {
  readonly capability: Capability
  /** Null: the account is gone. */
  readonly grantedBy: { readonly id: number; readonly name: string } | null
  readonly grantedAt: number
}

export async function listGrants(db: Kysely<Tables>, environmentId: number): Promise<readonly Grant[]> {
  const rows = await db
    .selectFrom('grants as g')
    .leftJoin('users as u', 'u.id', 'g.granted_by')
    .where('g.environment_id', '=', environmentId)
    .select(['g.capability', 'g.granted_at', 'u.id', 'u.name'])
    .execute()
  // What another release of the platform knew is nothing that this one could grant or show.
  return rows.flatMap(({ capability, granted_at: grantedAt, id, name }) =>
    isCapability(capability)
      ? [{ capability, grantedAt, grantedBy: id === null || name === null ? null : { id, name } }]
      : [],
  )
}

type GrantsOf = { readonly environmentId: number; readonly capabilities: readonly Capability[] }

export async function insertGrants(
  tx: Change,
  { environmentId, capabilities, by, at }: GrantsOf & { readonly by: number; readonly at: number },
): Promise<void> {
  if (capabilities.length === 0) return
  const of = { environment_id: environmentId, granted_by: by, granted_at: at }
  await tx
    .insertInto('grants')
    .values(capabilities.map((capability) => ({ ...of, capability })))
    .execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

export async function deleteGrants(tx: Change, { environmentId, capabilities }: GrantsOf): Promise<void> {
  if (capabilities.length === 0) return
  await tx
    .deleteFrom('grants')
    .where('environment_id', '=', environmentId)
    .where('capability', 'in', capabilities)
    .execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}
