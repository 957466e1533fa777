// Gives what a member owns in an organization to its oldest owner: when the member leaves, or may only look from now on.
import type { Context } from '../../context.ts'
import type { Change } from '../../store/change.ts'
import { findOldestOwner } from '../../store/people/memberships.ts'
import { updateEnvironmentOwners, updateProjectOwners } from '../../store/people/ownership.ts'
import { required } from '../required.ts'

type Loss = { readonly organizationId: number; readonly userId: number }

/** A protected environment obeys its owner alone, so none may be left with somebody who can do nothing about it. */
export async function passOnOwnership(ctx: Context, tx: Change, { organizationId, userId }: Loss): Promise<void> {
  const heir = required(await findOldestOwner(tx, organizationId), 'member')
  const move = { organizationId, from: userId, to: heir.id, at: ctx.clock() }
  const moved = [
    ...(await updateProjectOwners(tx, move)).map((project) => ({ kind: 'project', ...project })),
    ...(await updateEnvironmentOwners(tx, move)).map((environment) => ({ kind: 'environment', ...environment })),
  ]
  for (const target of moved) {
    await tx.audit({ organizationId, action: `${target.kind}.updated`, target, fields: ['owner'] })
  }
}
