// Gives what a member owns in an organization to somebody else: when the member leaves, or may only look from now on.
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
import { moveOwnership } from './move-ownership.ts'

type LostOwnership = {
  readonly organizationId: number
  readonly member: Pick<Member, 'id' | 'name'>
  /** Named by whoever takes the member out; must be, where protected environments are among what is passed on. */
  readonly newOwnerId: number | undefined
}

/** Of the list that a caller is shown. */
const MOST_TOLD = 50

/**
 * A protected environment obeys its owner alone, so none may be left with somebody who can do nothing about it, and whose it is becomes
 * nobody's by accident. Everything else goes to the oldest owner unless somebody is named. After the member has lost the role.
 */
export async function passOnOwnership(ctx: Context, tx: Change, actor: Actor, loss: LostOwnership): Promise<void> {
  const { organizationId, member, newOwnerId } = loss
  const guarded = await listProtectedOf(tx, { organizationId, userId: member.id, most: MOST_TOLD })
  if (guarded.length > 0 && newOwnerId === undefined) throw NewOwnerNeeded(guarded)
  const heir = await chooseHeir(tx, actor, loss)
  await moveOwnership(tx, { organizationId, from: member.id, to: heir.id, at: ctx.clock() })
  for (const environment of guarded) {
    const mail = await allowMail(ctx, tx, { kind: 'transfer', to: heir.email })
    const { name, domain } = environment
    const transfer = { environment: name, domain: domain ?? name, from: member.name, by: actor.name }
    await mail?.queue(environmentTransferredMail({ ...transfer, to: heir.email, newOwner: heir.name }))
  }
}

/** Only an owner of the organization hands on what is somebody else's, so anybody below can but leave it to an owner. */
async function chooseHeir(
  tx: Change,
  actor: Actor,
  { organizationId, member, newOwnerId }: LostOwnership,
): Promise<Member> {
  if (newOwnerId === undefined) return orNotFound(await findOldestOwner(tx, organizationId), 'member')
  const heir = await chooseOwner(tx, { organizationId, userId: newOwnerId, pointer: '/new_owner_id' })
  const isOwn = actor.userId === member.id || actor.roles.get(organizationId) === 'owner'
  if (isOwn || heir.role === 'owner') return heir
  throw InvalidField('/new_owner_id', 'not_an_owner', 'Only an owner can choose somebody else than an owner here')
}
