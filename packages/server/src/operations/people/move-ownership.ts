// Transfers everything that a member owns in an organization to another, with an audit event for each.
import type { Change } from '../../store/change.ts'
import { type OwnershipTransfer, updateEnvironmentOwners, updateProjectOwners } from '../../store/people/ownership.ts'

export async function moveOwnership(tx: Change, move: OwnershipTransfer): Promise<void> {
  const moved = [
    ...(await updateProjectOwners(tx, move)).map((project) => ({ kind: 'project', ...project })),
    ...(await updateEnvironmentOwners(tx, move)).map((environment) => ({ kind: 'environment', ...environment })),
  ]
  for (const target of moved) {
    const { organizationId } = move
    await tx.audit({ organizationId, action: `${target.kind}.updated`, target, fields: ['owner'] })
  }
}
