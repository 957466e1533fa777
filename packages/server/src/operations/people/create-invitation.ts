// Invites somebody by e-mail. A second invitation to the same address replaces the first, whose link is then unknown.
import type { NewInvitation } from '@shipway/api/organizations'
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { Forbidden, InvalidField, TooManyInvitations } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayManageRole } from '../../domain/people/permissions.ts'
import { invitationMail } from '../../mail/invitation.ts'
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
import { recordRefusal } from '../record-refusal.ts'
import { required } from '../required.ts'
import { type AllowedMail, allowMail } from './allow-mail.ts'
import { holdOrganization } from './hold-organization.ts'

/** `mail`: null where none is set up. */
type KeptInvitation = {
  readonly invitation: Invitation
  readonly organization: Organization
  readonly mail: AllowedMail | null
}

type InvitationRequest = NewInvitation & { readonly organizationId: number }

const OPEN_INVITATIONS_LIMIT = 100
const LIFETIME_MS = 7 * 86_400_000

/** The link comes back only when no mail carried it. */
export async function createInvitation(
  ctx: Context,
  actor: Actor,
  wanted: InvitationRequest,
): Promise<{ readonly invitation: Invitation; readonly url: Secret | null }> {
  const { token, digest } = newToken('shw_invite_')
  const target = { kind: 'invitation', id: null, name: wanted.email }
  const attempt = { organizationId: wanted.organizationId, action: 'invitation.creation_refused', target }
  const kept = await recordRefusal(ctx, actor, attempt, () => keepInvitation(ctx, actor, { ...wanted, digest }))
  // After the #, so that it never travels in a request line and never lands in a log.
  const url = new Secret(`${ctx.config.baseUrl}/invitation#token=${token.reveal()}`)
  const isSent = await sendLink(ctx, { ...kept, url })
  return { invitation: kept.invitation, url: isSent ? null : url }
}

async function keepInvitation(
  ctx: Context,
  actor: Actor,
  { organizationId, email, role, digest }: InvitationRequest & { readonly digest: string },
): Promise<KeptInvitation> {
  return ctx.change(actor, async (tx) => {
    const { organization, actor: current } = await holdOrganization(tx, actor, organizationId)
    demand(current, 'manage_members', organizationId)
    if (!mayManageRole(current, organizationId, role)) throw Forbidden(`Only an owner can invite an ${role}`)
    await makeRoom(ctx, tx, current, { organizationId, email })
    const mail = ctx.mail.isSetUp ? await allowMail(ctx, tx, { kind: 'invitation', to: email, organizationId }) : null
    // The link does not go to the inviter instead: that mail arrives is what proves whose address it is.
    if (mail === undefined) throw TooManyInvitations()
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
    return { organization, mail, invitation: required(await findInvitation(tx, organizationId, { id }), 'invitation') }
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
    throw InvalidField('/email', 'already_member', 'Somebody with this e-mail is a member already')
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

/** A mail server that fails must not lose the invitation: the link then goes by the hand of the inviter. */
async function sendLink(
  ctx: Context,
  { invitation, organization, mail, url }: KeptInvitation & { readonly url: Secret },
): Promise<boolean> {
  if (!mail) return false
  try {
    await mail.send(
      invitationMail({
        to: invitation.email,
        organization: organization.name,
        invitedBy: invitation.invitedBy.name,
        role: invitation.role,
        url,
        expiresAt: invitation.expiresAt,
      }),
    )
    return true
  } catch (error) {
    ctx.log.warn({ err: error, invitation: invitation.id }, 'the mail of an invitation could not be sent')
    return false
  }
}
