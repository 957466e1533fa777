// Gives all that one member owns in an organization to another, each with its line in the audit log.
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
