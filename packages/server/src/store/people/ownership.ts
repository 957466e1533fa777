// Who owns the projects and environments of an organization: moved as a whole when a member leaves.
import type { Change } from '../change.ts'

type Move = { readonly organizationId: number; readonly from: number; readonly to: number; readonly at: number }
type Moved = { readonly id: number; readonly name: string }

export async function updateProjectOwners(
  tx: Change,
  { organizationId, from, to, at }: Move,
): Promise<readonly Moved[]> {
  const moved = await tx
    .updateTable('projects')
    .set({ owner_id: to, updated_at: at })
    .where('organization_id', '=', organizationId)
    .where('owner_id', '=', from)
    .returning(['id', 'name'])
    .execute()
  for (const { id } of moved) tx.tell({ about: 'project', id, how: 'updated' })
  return moved
}

/** A removed environment keeps the owner that it had: nobody acts on it any more. */
export async function updateEnvironmentOwners(
  tx: Change,
  { organizationId, from, to, at }: Move,
): Promise<readonly Moved[]> {
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
  for (const { id } of moved) tx.tell({ about: 'environment', id, how: 'updated' })
  return moved
}
