// Transfers everything that a member owns in an organization to another, with an audit event for each.
import type { Change } from '../../store/change.ts'
import { type OwnershipTransfer, updateEnvironmentOwners, updateProjectOwners } from '../../store/people/ownership.ts'

export async function transferOwnership(tx: Change, transfer: OwnershipTransfer): Promise<void> {
  const moved = [
    ...(await updateProjectOwners(tx, transfer)).map((project) => ({ kind: 'project', ...project })),
    ...(await updateEnvironmentOwners(tx, transfer)).map((environment) => ({ kind: 'environment', ...environment })),
  ]
  for (const target of moved) {
    const { organizationId } = transfer
    await tx.audit({ organizationId, action: `${target.kind}.updated`, target, fields: ['owner'] })
  }
}
