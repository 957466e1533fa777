// Shows the open invitations to those who may send them.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Page, PageRequest } from '../../store/page.ts'
import { type Invitation, listOpenInvitations } from '../../store/people/invitations.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { orNotFound } from '../or-not-found.ts'
import { recordRefusal } from '../record-refusal.ts'

type InvitationsQuery = { readonly organizationId: number; readonly page: PageRequest }

export async function listInvitations(
  ctx: Context,
  actor: Actor,
  { organizationId, page }: InvitationsQuery,
): Promise<Page<Invitation>> {
  const { name } = orNotFound(await findOrganization(ctx.db, actor, organizationId), 'organization')
  const target = { kind: 'organization', id: organizationId, name }
  return recordRefusal(ctx, actor, { organizationId, action: 'invitation.list_refused', target }, async () => {
    demand(actor, 'manage_members', organizationId)
    return listOpenInvitations(ctx.db, { organizationId, now: ctx.clock() }, page)
  })
}
