// Removes a member from an organization, or lets one leave; the member's projects and environments get a new owner.
import type { Context } from '../../context.ts'
import { Forbidden, LastOwner } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayManageRole } from '../../domain/people/permissions.ts'
import { revokeSshCertificates } from '../../store/access/ssh-certificates.ts'
import { updatePersonalTokensRevoked } from '../../store/credentials/personal-tokens.ts'
import { countOwners, deleteMember, findMember } from '../../store/people/memberships.ts'
import { orNotFound } from '../or-not-found.ts'
import { recordRefusal } from '../record-refusal.ts'
import { findOrganizationForUpdate } from './find-organization-for-update.ts'
import { transferOnLeave } from './transfer-on-leave.ts'

type LeavingMember = {
  readonly organizationId: number
  readonly userId: number
  readonly newOwnerId: number | undefined
}

export async function removeMember(ctx: Context, actor: Actor, leaving: LeavingMember): Promise<void> {
  const { organizationId, userId } = leaving
  const attempt = { organizationId, action: 'member.removal_refused', target: { kind: 'member', id: userId, name: '' } }
  await recordRefusal(ctx, actor, attempt, () => takeOut(ctx, actor, leaving))
}

async function takeOut(
  ctx: Context,
  actor: Actor,
  { organizationId, userId, newOwnerId }: LeavingMember,
): Promise<void> {
  const isOneself = userId === actor.userId
  await ctx.change(actor, async (tx) => {
    const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    if (!isOneself) demand(current, 'manage_members', organizationId)
    const member = orNotFound(await findMember(tx, organizationId, userId), 'member')
    if (!isOneself && !mayManageRole(current, organizationId, member.role)) {
      throw Forbidden('Only an owner can take out an owner')
    }
    if (member.role === 'owner' && (await countOwners(tx, organizationId)) === 1) throw LastOwner()
    await deleteMember(tx, { organizationId, userId })
    await updatePersonalTokensRevoked(tx, { organizationId, userId, at: ctx.clock() })
    await revokeSshCertificates(tx, { organizationId, userId, purposes: ['logs', 'shell', 'run'], at: ctx.clock() })
    await tx.audit({
      organizationId,
      action: isOneself ? 'member.left' : 'member.removed',
      target: { kind: 'member', id: userId, name: member.name },
    })
    await transferOnLeave(ctx, tx, current, { organizationId, member, newOwnerId })
  })
}
