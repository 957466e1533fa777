// Invites a user by e-mail. A second invitation to the same address replaces the first and invalidates its link.
import type { NewInvitation } from '@shipway/api/organizations'
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { Forbidden, InvalidField, TooManyInvitations } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayManageRole } from '../../domain/people/permissions.ts'
import { invitationMail } from '../../mail/invitation.ts'
import type { Mail } from '../../mail/mailer.ts'
import { Secret } from '../../secrets/secret.ts'
import { newToken } from '../../secrets/token.ts'
import type { Change } from '../../store/change.ts'
import {
  countOpenInvitations,
  deleteInvitation,
  findInvitation,
  type Invitation,
  insertInvitation,
} from '../../store/people/invitations.ts'
import { findMemberByEmail } from '../../store/people/memberships.ts'
import type { Organization } from '../../store/people/organizations.ts'
import { orNotFound } from '../or-not-found.ts'
import { recordRefusal } from '../record-refusal.ts'
import { allowMail } from './allow-mail.ts'
import { findOrganizationForUpdate } from './find-organization-for-update.ts'

type InvitationRequest = NewInvitation & { readonly organizationId: number }
type Link = { readonly digest: string; readonly url: Secret }

const OPEN_INVITATIONS_LIMIT = 100
const LIFETIME_MS = 7 * 86_400_000

/** The link comes back only where no mail server is set up to carry it. */
export async function createInvitation(
  ctx: Context,
  actor: Actor,
  request: InvitationRequest,
): Promise<{ readonly invitation: Invitation; readonly url: Secret | null }> {
  const { token, digest } = newToken('shw_invite_')
  const target = { kind: 'invitation', id: null, name: request.email }
  const attempt = { organizationId: request.organizationId, action: 'invitation.creation_refused', target }
  // After the #, so that it is never sent in a request and never lands in a log.
  const url = new Secret(`${ctx.config.baseUrl}/invitation#token=${token.reveal()}`)
  const keep = (): Promise<Invitation> => keepInvitation(ctx, actor, { ...request, digest, url })
  const invitation = await recordRefusal(ctx, actor, attempt, keep)
  return { invitation, url: ctx.mail.isSetUp ? null : url }
}

async function keepInvitation(
  ctx: Context,
  actor: Actor,
  { organizationId, email, role, digest, url }: InvitationRequest & Link,
): Promise<Invitation> {
  return ctx.change(actor, async (tx) => {
    const { organization, actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
    demand(current, 'manage_members', organizationId)
    if (!mayManageRole(current, organizationId, role)) throw Forbidden(`Only an owner can invite an ${role}`)
    await makeRoom(ctx, tx, current, { organizationId, email })
    const mail = await allowMail(ctx, tx, { kind: 'invitation', to: email, organizationId })
    // The inviter never gets the link instead: only the mail proves who owns the address.
    if (!mail) throw TooManyInvitations()
    const id = await insertInvitation(tx, {
      organization_id: organizationId,
      email,
      email_key: sameEmailKey(email),
      role,
      token_digest: digest,
      invited_by: actor.userId,
      created_at: ctx.clock(),
      expires_at: ctx.clock() + LIFETIME_MS,
    })
    await tx.audit({
      organizationId,
      action: 'invitation.created',
      target: { kind: 'invitation', id, name: email },
      fields: ['email', 'role'],
    })
    const invitation = orNotFound(await findInvitation(tx, organizationId, { id }), 'invitation')
    await mail.queue(linkMail(invitation, organization, url))
    return invitation
  })
}

async function makeRoom(
  ctx: Context,
  tx: Change,
  actor: Actor,
  { organizationId, email }: Pick<InvitationRequest, 'organizationId' | 'email'>,
): Promise<void> {
  const emailKey = sameEmailKey(email)
  if (await findMemberByEmail(tx, organizationId, emailKey)) {
    throw InvalidField('/email', 'already_member', 'A user with this e-mail is a member already')
  }
  const earlier = await findInvitation(tx, organizationId, { emailKey })
  if (earlier) {
    if (!mayManageRole(actor, organizationId, earlier.role)) {
      throw Forbidden('This address is invited as an owner. Only an owner can replace that invitation')
    }
    await deleteInvitation(tx, earlier.id)
  }
  if ((await countOpenInvitations(tx, { organizationId, now: ctx.clock() })) >= OPEN_INVITATIONS_LIMIT) {
    throw InvalidField(
      '/email',
      'too_many_invitations',
      `An organization has at most ${OPEN_INVITATIONS_LIMIT} open invitations. Withdraw one first`,
    )
  }
}

const linkMail = (invitation: Invitation, { name }: Organization, url: Secret): Mail =>
  invitationMail({
    to: invitation.email,
    organization: name,
    invitedBy: invitation.invitedBy.name,
    role: invitation.role,
    url,
    expiresAt: invitation.expiresAt,
  })
