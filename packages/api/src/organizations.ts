// Organizations, their members and roles, and invitations.
import { z } from 'zod'
import { IdParams, PageQuery } from './page.ts'
import { Me, OneTimeToken, Password, Person, Role } from './people.ts'
import { addedLater } from './read-other-release.ts'
import { route } from './route.ts'
import { Email } from './values/email.ts'
import { Id, IdParam, Time } from './values/ids.ts'
import { Name } from './values/name.ts'

export const Organization = z.object({
  id: Id,
  name: z.string(),
  role: Role,
  created_at: Time,
  require_two_factor: addedLater(
    z.boolean().describe('Members without two-factor codes have no access until they turn them on'),
    false,
  ),
})
export type Organization = z.infer<typeof Organization>
export const Member = z.object({
  user: Person.extend({ email: z.string() }),
  role: Role,
  since: Time,
  has_two_factor: addedLater(
    z
      .boolean()
      .nullable()
      .describe(
        'Two-factor codes are on, or the account has no password and signs in with the provider. Null for callers who may not manage members',
      ),
    null,
  ),
})
export type Member = z.infer<typeof Member>
export const Invitation = z.object({
  id: Id,
  email: z.string(),
  role: Role,
  invited_by: Person,
  created_at: Time,
  expires_at: Time,
  is_void: z.boolean().describe('The inviter has left or may no longer give this role, so the link is refused'),
})
export type Invitation = z.infer<typeof Invitation>
const MemberParams = z.object({ id: IdParam, user_id: IdParam })
const InvitationParams = z.object({ id: IdParam, invitation_id: IdParam })

const NewOwnerId = Id.optional().describe(
  'The new owner of what the member owned: a user with the role member or higher. An administrator who removes another member has to name an owner',
)

export const NewInvitation = z.strictObject({ email: Email, role: Role })
export type NewInvitation = z.infer<typeof NewInvitation>

export const InvitationAcceptance = z.strictObject({
  token: OneTimeToken,
  name: Name.optional(),
  password: Password.optional(),
})
export type InvitationAcceptance = z.infer<typeof InvitationAcceptance>

export const InvitationPreview = z.object({
  organization: z.string(),
  invited_by: z.string(),
  role: Role,
  email: z.string().describe('The address that it was sent to'),
  has_account: z.boolean().describe('Whether that address has an account, which has to sign in to join'),
  expires_at: Time,
})
export type InvitationPreview = z.infer<typeof InvitationPreview>

export const organizationRoutes = {
  listOrganizations: route({
    method: 'GET',
    path: '/api/organizations',
    summary: 'Your organizations',
    description: 'Those that you are a member of, each with your role.',
    permission: 'signed_in',
    scope: 'read',
    query: PageQuery,
    success: 200,
    answer: z.array(Organization),
  }),
  createOrganization: route({
    method: 'POST',
    path: '/api/organizations',
    summary: 'Make an organization; you become its owner',
    description: 'For platform administrators, unless SHIPWAY_OPEN_ORGANIZATIONS lets everybody who has an account.',
    permission: 'signed_in',
    scope: 'admin',
    body: z.strictObject({ name: Name }),
    success: 201,
    answer: Organization,
    errors: ['insufficient_role'],
  }),
  getOrganization: route({
    method: 'GET',
    path: '/api/organizations/{id}',
    summary: 'One organization',
    description: 'Its name, and your role in it.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    success: 200,
    answer: Organization,
  }),
  updateOrganization: route({
    method: 'PATCH',
    path: '/api/organizations/{id}',
    summary: 'Rename an organization, or require two-factor codes of its members',
    description:
      'Its id and the addresses of its environments stay. With `require_two_factor`, members without two-factor codes have no access until ' +
      'they turn them on: no session, token, live connection or ssh certificate of theirs reaches the organization. Refused with ' +
      '`second_factor_off` where the caller has none.',
    permission: 'own_organization',
    scope: 'admin',
    params: IdParams,
    body: z
      .strictObject({ name: Name.optional(), require_two_factor: z.boolean().optional() })
      .refine((body) => Object.values(body).some((value) => value !== undefined), 'Give a name, or require_two_factor'),
    success: 200,
    answer: Organization,
    errors: ['second_factor_off'],
  }),
  deleteOrganization: route({
    method: 'DELETE',
    path: '/api/organizations/{id}',
    summary: 'Delete an organization that has no project and no server left',
    description: 'Members, invitations and the audit log go with it.',
    permission: 'own_organization',
    scope: 'admin',
    params: IdParams,
    success: 204,
    errors: ['in_use'],
  }),
  listMembers: route({
    method: 'GET',
    path: '/api/organizations/{id}/members',
    summary: 'Members and their roles',
    description: 'Each with e-mail address, role and the day of joining.',
    permission: 'read',
    scope: 'read',
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(Member),
  }),
  updateMember: route({
    method: 'PATCH',
    path: '/api/organizations/{id}/members/{user_id}',
    summary: "Change a member's role, never above your own",
    description:
      'Projects and environments of a member who becomes a viewer go to `new_owner_id`, or to the oldest owner where it is left out. It has ' +
      'to be given where protected environments are among them: else the answer is 409 with their list in `environments`.',
    permission: 'manage_members',
    scope: 'admin',
    params: MemberParams,
    body: z.strictObject({ role: Role, new_owner_id: NewOwnerId }),
    success: 200,
    answer: Member,
    errors: ['last_owner', 'new_owner_needed'],
  }),
  removeMember: route({
    method: 'DELETE',
    path: '/api/organizations/{id}/members/{user_id}',
    summary: 'Take a member out; anybody may leave',
    description:
      'What the member owned here goes to `new_owner_id`, else to the oldest owner. Needed where protected environments are among it: else 409 with their list in `environments`. Tokens of the member ' +
      'that are bound to the organization end.',
    permission: 'manage_members',
    scope: 'admin',
    params: MemberParams,
    body: z.strictObject({ new_owner_id: NewOwnerId }).optional(),
    success: 204,
    errors: ['last_owner', 'new_owner_needed'],
  }),
  listInvitations: route({
    method: 'GET',
    path: '/api/organizations/{id}/invitations',
    summary: 'Invitations that are still open, without their links',
    description: '`is_void` marks one whose link is refused.',
    permission: 'manage_members',
    scope: 'admin',
    params: IdParams,
    query: PageQuery,
    success: 200,
    answer: z.array(Invitation),
  }),
  createInvitation: route({
    method: 'POST',
    path: '/api/organizations/{id}/invitations',
    summary: 'Invite a user by e-mail, with at most your own role',
    description:
      'The link works once, for seven days, and goes by mail. Where no mail server is set up, it is in the ' +
      'answer this once, as `url`. A second invitation to the same address replaces the first. ' +
      'It is worth what its sender is worth when it is accepted.',
    permission: 'manage_members',
    scope: 'admin',
    params: IdParams,
    body: NewInvitation,
    success: 201,
    answer: Invitation.extend({ url: z.string().nullable() }),
  }),
  deleteInvitation: route({
    method: 'DELETE',
    path: '/api/organizations/{id}/invitations/{invitation_id}',
    summary: 'Withdraw an invitation',
    description: 'Its link stops working.',
    permission: 'manage_members',
    scope: 'admin',
    params: InvitationParams,
    success: 204,
  }),
  previewInvitation: route({
    method: 'POST',
    path: '/api/invitations/preview',
    summary: 'What an invitation link is for: organization, inviter, role and address',
    description: 'Takes the token of the link and changes nothing, so the link still works.',
    permission: 'public',
    scope: 'none',
    body: z.strictObject({ token: OneTimeToken }),
    success: 200,
    answer: InvitationPreview,
    errors: ['link_expired'],
    guarded: true,
  }),
  acceptInvitation: route({
    method: 'POST',
    path: '/api/invitations/acceptance',
    summary: 'Join with the token of an invitation link',
    description:
      'A new user sends `name` and `password` and is signed in. A user with an account signs in first; ' +
      'the invitation must be for the e-mail of that account.',
    permission: 'public',
    scope: 'none',
    body: InvitationAcceptance,
    success: 201,
    answer: Me,
    errors: ['link_expired', 'authentication_required'],
    guarded: true,
  }),
}
