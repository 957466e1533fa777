// Requests about organizations, their members, invitations and audit log.

import { orNotFound } from '../../operations/or-not-found.ts'
import { acceptInvitation } from '../../operations/people/accept-invitation.ts'
import { createInvitation } from '../../operations/people/create-invitation.ts'
import { createOrganization } from '../../operations/people/create-organization.ts'
import { deleteInvitation } from '../../operations/people/delete-invitation.ts'
import { deleteOrganization } from '../../operations/people/delete-organization.ts'
import { listInvitations } from '../../operations/people/list-invitations.ts'
import { previewInvitation } from '../../operations/people/preview-invitation.ts'
import { removeMember } from '../../operations/people/remove-member.ts'
import { updateMember } from '../../operations/people/update-member.ts'
import { updateOrganization } from '../../operations/people/update-organization.ts'
import { listMembers } from '../../store/people/memberships.ts'
import { findOrganization, listOrganizations } from '../../store/people/organizations.ts'
import type { Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentInvitation, presentInvitationPreview, presentNewInvitation } from '../present/invitation.ts'
import { presentMe } from '../present/me.ts'
import { presentMember } from '../present/member.ts'
import { presentOrganization } from '../present/organization.ts'
import { callerOf, signedInCookies } from './people.ts'

export const organizationHandlers = {
  listOrganizations: async ({ ctx, actor, query, request }) => {
    const { items, next } = await listOrganizations(ctx.db, actor, pageRequest(query))
    return { body: items.map(presentOrganization), headers: linkNext(request, next) }
  },
  createOrganization: async ({ ctx, actor, body }) => {
    const organization = await createOrganization(ctx, actor, body.name)
    return {
      body: presentOrganization(organization),
      headers: { location: `/api/organizations/${organization.id}` },
    }
  },
  getOrganization: async ({ ctx, actor, params }) => ({
    body: presentOrganization(orNotFound(await findOrganization(ctx.db, actor, params.id), 'organization')),
  }),
  updateOrganization: async ({ ctx, actor, params, body }) => ({
    body: presentOrganization(
      await updateOrganization(ctx, actor, {
        id: params.id,
        name: body.name,
        requiresTwoFactor: body.require_two_factor,
      }),
    ),
  }),
  deleteOrganization: async ({ ctx, actor, params }) => {
    await deleteOrganization(ctx, actor, params.id)
    return {}
  },
  listMembers: async ({ ctx, actor, params, query, request }) => {
    orNotFound(await findOrganization(ctx.db, actor, params.id), 'organization')
    const { items, next } = await listMembers(ctx.db, params.id, pageRequest(query))
    return {
      body: items.map((member) => presentMember(member, { actor, organizationId: params.id })),
      headers: linkNext(request, next),
    }
  },
  updateMember: async ({ ctx, actor, params, body }) => {
    const member = { organizationId: params.id, userId: params.user_id }
    const change = { ...member, role: body.role, newOwnerId: body.new_owner_id }
    return { body: presentMember(await updateMember(ctx, actor, change), { actor, organizationId: params.id }) }
  },
  removeMember: async ({ ctx, actor, params, body }) => {
    const member = { organizationId: params.id, userId: params.user_id }
    await removeMember(ctx, actor, { ...member, newOwnerId: body?.new_owner_id })
    return {}
  },
  listInvitations: async ({ ctx, actor, params, query, request }) => {
    const wanted = { organizationId: params.id, page: pageRequest(query) }
    const { items, next } = await listInvitations(ctx, actor, wanted)
    return { body: items.map(presentInvitation), headers: linkNext(request, next) }
  },
  createInvitation: async ({ ctx, actor, params, body }) => {
    const wanted = { organizationId: params.id, email: body.email, role: body.role }
    return { body: presentNewInvitation(await createInvitation(ctx, actor, wanted)) }
  },
  deleteInvitation: async ({ ctx, actor, params }) => {
    await deleteInvitation(ctx, actor, { organizationId: params.id, id: params.invitation_id })
    return {}
  },
  previewInvitation: async ({ ctx, body }) => ({
    body: presentInvitationPreview(await previewInvitation(ctx, body.token)),
  }),
  acceptInvitation: async ({ ctx, actor, body, origin, request }) => {
    const acceptance = { ...body, caller: callerOf({ ctx, origin, request }) }
    const { profile, session } = await acceptInvitation(ctx, actor, acceptance)
    return { body: presentMe(profile, actor), cookies: session ? signedInCookies(ctx, session) : [] }
  },
} satisfies Handlers
