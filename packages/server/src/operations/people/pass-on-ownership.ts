// Gives what a member owns in an organization to its oldest owner: when the member leaves, or may only look from now on.
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { findOldestOwner } from '../../store/people/memberships.ts'
import { updateEnvironmentOwners, updateProjectOwners } from '../../store/people/ownership.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { audit } from '../audit.ts'
import { required } from '../required.ts'

type Loss = { readonly organizationId: number; readonly userId: number }

/** A protected environment obeys its owner alone, so none may be left with somebody who can do nothing about it. */
export async function passOnOwnership(
  ctx: Context,
  db: Kysely<Tables>,
  actor: Actor,
  { organizationId, userId }: Loss,
): Promise<void> {
  const heir = required(await findOldestOwner(db, organizationId), 'member')
  const move = { organizationId, from: userId, to: heir.id, at: ctx.clock() }
  const moved = [
    ...(await updateProjectOwners(db, move)).map((project) => ({ kind: 'project', ...project })),
    ...(await updateEnvironmentOwners(db, move)).map((environment) => ({ kind: 'environment', ...environment })),
  ]
  for (const target of moved) {
    await audit(ctx, db, actor, { organizationId, action: `${target.kind}.updated`, target, fields: ['owner'] })
  }
}
