// Changes the role of a member: never to a role above the caller's, and never of a member above the caller.
import type { Role } from '@shipway/api/people'
import { hasPermission, mayOwn } from '@shipway/api/permissions'
import type { Context } from '../../context.ts'
import { Forbidden, LastOwner } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayManageRole } from '../../domain/people/permissions.ts'
import { revokeSshCertificates } from '../../store/access/ssh-certificates.ts'
import { countOwners, findMember, type Member, updateMemberRole } from '../../store/people/memberships.ts'
import { orNotFound } from '../or-not-found.ts'
import { recordRefusal } from '../record-refusal.ts'
import { findOrganizationForUpdate } from './find-organization-for-update.ts'
import { transferOnLeave } from './transfer-on-leave.ts'

type RoleChange = {
  readonly organizationId: number
  readonly userId: number
  readonly role: Role
  /** For what the member may own no longer. */
  readonly newOwnerId: number | undefined
}

export async function updateMember(ctx: Context, actor: Actor, change: RoleChange): Promise<Member> {
  const { organizationId, userId } = change
  const attempt = { organizationId, action: 'member.update_refused', target: { kind: 'member', id: userId, name: '' } }
  return recordRefusal(ctx, actor, attempt, () => changeRole(ctx, actor, change))
}

async function changeRole(ctx: Context, actor: Actor, change: RoleChange): Promise<Member> {
  const { organizationId, userId, role, newOwnerId } = change
  return ctx.change(actor, async (tx) => {
    const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demand(current, 'manage_members', organizationId)
    const member = orNotFound(await findMember(tx, organizationId, userId), 'member')
    for (const touched of [member.role, role]) {
      if (!mayManageRole(current, organizationId, touched)) {
        throw Forbidden(`Only an owner can give or take away the role ${touched}`)
      }
    }
    if (member.role === role) return member
    if (member.role === 'owner' && (await countOwners(tx, organizationId)) === 1) throw LastOwner()
    await updateMemberRole(tx, { organizationId, userId }, role)
    await tx.audit({
      organizationId,
      action: 'member.updated',
      target: { kind: 'member', id: userId, name: member.name },
      fields: ['role'],
    })
    if (!hasPermission(role, 'administer'))
      await revokeSshCertificates(tx, { organizationId, userId, purposes: ['shell', 'run'], at: ctx.clock() })
    if (!mayOwn(role)) await transferOnLeave(ctx, tx, current, { organizationId, member, newOwnerId })
    return { ...member, role }
  })
}
