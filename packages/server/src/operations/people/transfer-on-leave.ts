// Transfers what a member owns in an organization, when the member leaves or becomes a viewer.
import type { Context } from '../../context.ts'
import { InvalidField, NewOwnerNeeded } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { environmentTransferredMail } from '../../mail/environment-transferred.ts'
import type { Change } from '../../store/change.ts'
import { findOldestOwner, type Member } from '../../store/people/memberships.ts'
import { listProtectedOf } from '../../store/people/ownership.ts'
import { orNotFound } from '../or-not-found.ts'
import { allowMail } from './allow-mail.ts'
import { chooseOwner } from './choose-owner.ts'
import { transferOwnership } from './transfer-ownership.ts'

type LostOwnership = {
  readonly organizationId: number
  readonly member: Pick<Member, 'id' | 'name'>
  /** Chosen by the caller; required if the member owns protected environments. */
  readonly newOwnerId: number | undefined
}

/** Of the list that a caller is shown. */
const MAX_NAMED = 50

/**
 * Only its owner can change a protected environment, so its new owner must be able to, and must be
 * chosen on purpose. Everything else goes to the oldest owner by default. Call this after the member has lost the role.
 */
export async function transferOnLeave(ctx: Context, tx: Change, actor: Actor, loss: LostOwnership): Promise<void> {
  const { organizationId, member, newOwnerId } = loss
  const guarded = await listProtectedOf(tx, { organizationId, userId: member.id, most: MAX_NAMED })
  if (guarded.length > 0 && newOwnerId === undefined) throw NewOwnerNeeded(guarded)
  const newOwner = await chooseNewOwner(tx, actor, loss)
  await transferOwnership(tx, { organizationId, from: member.id, to: newOwner.id, at: ctx.clock() })
  for (const environment of guarded) {
    const mail = await allowMail(ctx, tx, { kind: 'transfer', to: newOwner.email })
    const { name, domain } = environment
    const transfer = { environment: name, domain: domain ?? name, from: member.name, by: actor.name }
    await mail?.queue(environmentTransferredMail({ ...transfer, to: newOwner.email, newOwner: newOwner.name }))
  }
}

/** Only owners of the organization may choose another new owner; for others the records go to an owner. */
async function chooseNewOwner(
  tx: Change,
  actor: Actor,
  { organizationId, member, newOwnerId }: LostOwnership,
): Promise<Member> {
  if (newOwnerId === undefined) return orNotFound(await findOldestOwner(tx, organizationId), 'member')
  const newOwner = await chooseOwner(tx, { organizationId, userId: newOwnerId, pointer: '/new_owner_id' })
  const isOwn = actor.userId === member.id || actor.roles.get(organizationId) === 'owner'
  if (isOwn || newOwner.role === 'owner') return newOwner
  throw InvalidField('/new_owner_id', 'not_an_owner', 'Only an owner can choose a user who is not an owner here')
}
