// Who owns the projects and environments of an organization: moved as a whole when a member leaves.
import type { Kysely } from 'kysely'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type OwnershipTransfer = {
  readonly organizationId: number
  readonly from: number
  readonly to: number
  readonly at: number
}
type TransferredRecord = { readonly id: number; readonly name: string }
type OwnedRecord = TransferredRecord & { readonly domain: string | null }

/** Protected ones of a member that were not removed: the first of them, by their names. */
export function listProtectedOf(
  db: Kysely<Tables>,
  { organizationId, userId, most }: { readonly organizationId: number; readonly userId: number; readonly most: number },
): Promise<readonly OwnedRecord[]> {
  return db
    .selectFrom('environments as e')
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .leftJoin('domains as d', (join) => join.onRef('d.environment_id', '=', 'e.id').on('d.service', '=', MAIN_SERVICE))
    .where('p.organization_id', '=', organizationId)
    .where('e.owner_id', '=', userId)
    .where('e.is_protected', '=', 1)
    .where('e.removed_at', 'is', null)
    .orderBy('e.name')
    .orderBy('e.id')
    .limit(most)
    .select(['e.id', 'e.name', 'd.domain'])
    .execute()
}

export async function updateProjectOwners(
  tx: Change,
  { organizationId, from, to, at }: OwnershipTransfer,
): Promise<readonly TransferredRecord[]> {
  const moved = await tx
    .updateTable('projects')
    .set({ owner_id: to, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('owner_id', '=', from)
    .returning(['id', 'name'])
    .execute()
  for (const { id } of moved) tx.notify({ about: 'project', id, how: 'updated' })
  return moved
}

/** A removed environment keeps its owner: no action on it is possible. */
export async function updateEnvironmentOwners(
  tx: Change,
  { organizationId, from, to, at }: OwnershipTransfer,
): Promise<readonly TransferredRecord[]> {
  const moved = await tx
    .updateTable('environments')
    .set({ owner_id: to, updated_at: at })
    .where('owner_id', '=', from)
    .where('removed_at', 'is', null)
    .where('project_id', 'in', (eb) =>
      eb.selectFrom('projects').where('organization_id', '=', organizationId).select('id'),
    )
    .returning(['id', 'name'])
    .execute()
  for (const { id } of moved) tx.notify({ about: 'environment', id, how: 'updated' })
  return moved
}
