// An invitation as JSON. Only the answer to its author contains the link.

import { mayGrant } from '@shipway/api/permissions'
import type { RouteAnswer } from '@shipway/api/route'
import type { Routes } from '@shipway/api/routes'
import type { Secret } from '../../secrets/secret.ts'
import type { Invitation } from '../../store/people/invitations.ts'
import { presentTime } from './time.ts'

export function presentInvitation(invitation: Invitation): RouteAnswer<Routes['listInvitations']>[number] {
  return {
    id: invitation.id,
    email: invitation.email,
    role: invitation.role,
    invited_by: { id: invitation.invitedBy.id, name: invitation.invitedBy.name },
    created_at: presentTime(invitation.createdAt),
    expires_at: presentTime(invitation.expiresAt),
    is_void: !mayGrant(invitation.invitedBy.role, invitation.role),
  }
}

export const presentInvitationPreview = ({
  invitation,
  hasAccount,
}: {
  readonly invitation: Invitation
  readonly hasAccount: boolean
}): RouteAnswer<Routes['previewInvitation']> => ({
  organization: invitation.organizationName,
  invited_by: invitation.invitedBy.name,
  role: invitation.role,
  email: invitation.email,
  has_account: hasAccount,
  expires_at: presentTime(invitation.expiresAt),
})

export function presentNewInvitation(made: {
  readonly invitation: Invitation
  readonly url: Secret | null
}): RouteAnswer<Routes['createInvitation']> {
  return { ...presentInvitation(made.invitation), url: made.url?.reveal() ?? null }
}
