// Withdraws an invitation that was not accepted, and invalidates its link.
import type { Context } from '../../context.ts'
import { Forbidden } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayManageRole } from '../../domain/people/permissions.ts'
import { deleteInvitation as deleteRow, findInvitation } from '../../store/people/invitations.ts'
import { orNotFound } from '../or-not-found.ts'
import { recordRefusal } from '../record-refusal.ts'
import { findOrganizationForUpdate } from './find-organization-for-update.ts'

type InvitationReference = { readonly organizationId: number; readonly id: number }

export async function deleteInvitation(ctx: Context, actor: Actor, unwanted: InvitationReference): Promise<void> {
  const { organizationId, id } = unwanted
  const target = { kind: 'invitation', id, name: '' }
  const attempt = { organizationId, action: 'invitation.deletion_refused', target }
  await recordRefusal(ctx, actor, attempt, () => withdraw(ctx, actor, unwanted))
}

async function withdraw(ctx: Context, actor: Actor, { organizationId, id }: InvitationReference): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demand(current, 'manage_members', organizationId)
    const invitation = orNotFound(await findInvitation(tx, organizationId, { id }), 'invitation')
    if (!mayManageRole(current, organizationId, invitation.role)) {
      throw Forbidden('Only an owner can withdraw the invitation of an owner')
    }
    await deleteRow(tx, id)
    await tx.audit({
      organizationId,
      action: 'invitation.deleted',
      target: { kind: 'invitation', id, name: invitation.email },
    })
  })
}
