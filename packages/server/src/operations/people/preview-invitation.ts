// Shows what an invitation link is for, before it is accepted.
import { mayGrant } from '@shipway/api/permissions'
import type { Context } from '../../context.ts'
import { InvitationVoid } from '../../domain/errors.ts'
import type { Invitation } from '../../store/people/invitations.ts'
import { findAccountByEmail } from '../../store/people/users.ts'
import { findInvitationOfLink, refuseClosed } from './accept-invitation.ts'

type Preview = { readonly invitation: Invitation; readonly hasAccount: boolean }

/** Refuses the links that acceptance would refuse, so that no one fills in a form in vain. */
export async function previewInvitation(ctx: Context, token: string): Promise<Preview> {
  const invitation = await findInvitationOfLink(ctx, token)
  refuseClosed(ctx, invitation)
  if (!mayGrant(invitation.invitedBy.role, invitation.role)) throw InvitationVoid()
  return { invitation, hasAccount: (await findAccountByEmail(ctx.db, invitation.emailKey)) !== undefined }
}
