// Joins an organization with the token of an invitation link: as the signed-in user, or with a new account.
import type { InvitationAcceptance } from '@shipway/api/organizations'
import { mayGrant } from '@shipway/api/permissions'
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import {
  InvalidFields,
  InvitationVoid,
  LinkExpired,
  MissingScope,
  NotFound,
  SignInFirst,
  TokenBound,
} from '../../domain/errors.ts'
import { type Actor, anonymous, boundOrganization, type Origin } from '../../domain/people/actor.ts'
import { digestOf, looksLikeToken } from '../../secrets/token.ts'
import type { Change } from '../../store/change.ts'
import { violatedUnique } from '../../store/database.ts'
import { findInvitationByToken, type Invitation, updateInvitationAccepted } from '../../store/people/invitations.ts'
import { findMember, insertMember } from '../../store/people/memberships.ts'
import { lockOrganization } from '../../store/people/organizations.ts'
import {
  findAccount,
  findAccountByEmail,
  findProfile,
  insertUser,
  lockAccount,
  type Profile,
} from '../../store/people/users.ts'
import { choosePassword } from '../credentials/choose-password.ts'
import { type Caller, createSession, type NewSession } from '../credentials/create-session.ts'
import { orNotFound } from '../or-not-found.ts'

type Acceptance = InvitationAcceptance & { readonly caller: Caller }

/** A new user is signed in at once; an existing one is signed in already. */
type Joined = { readonly profile: Profile; readonly session: NewSession | undefined }

export async function acceptInvitation(
  ctx: Context,
  actor: Actor | undefined,
  acceptance: Acceptance,
): Promise<Joined> {
  // Checked before the link, so that a token with a narrow scope cannot be used to guess links.
  if (actor) refuseNarrowToken(actor)
  const invitation = await findInvitationOfLink(ctx, acceptance.token)
  return actor
    ? joinAsAccount(ctx, actor, { invitation, origin: acceptance.caller.origin })
    : joinAsNewUser(ctx, invitation, acceptance)
}

export async function findInvitationOfLink(ctx: Context, token: string): Promise<Invitation> {
  const isToken = looksLikeToken(token, 'shw_invite_')
  return orNotFound(isToken ? await findInvitationByToken(ctx.db, digestOf(token)) : undefined, 'invitation')
}

function refuseNarrowToken(actor: Actor): void {
  if (boundOrganization(actor) !== null) throw TokenBound()
  if (!actor.scopes.has('admin')) throw MissingScope('admin')
}

async function joinAsAccount(
  ctx: Context,
  actor: Actor,
  { invitation, origin }: { readonly invitation: Invitation; readonly origin: Origin },
): Promise<Joined> {
  const account = orNotFound(await findAccount(ctx.db, actor.userId), 'invitation')
  // A link for another address reveals nothing, not even that it is valid.
  if (sameEmailKey(account.email) !== invitation.emailKey) throw NotFound('invitation')
  return ctx.change(actor, async (tx) => {
    await takeInvitation(ctx, tx, invitation)
    // An account in deletion cannot join.
    if (!(await lockAccount(tx, account))) throw NotFound('invitation')
    if (await findMember(tx, invitation.organizationId, account.id)) throw LinkExpired()
    await joinOrganization(ctx, tx, { invitation, member: account, origin })
    return { profile: orNotFound(await findProfile(tx, account.id), 'user'), session: undefined }
  })
}

async function joinAsNewUser(ctx: Context, invitation: Invitation, acceptance: Acceptance): Promise<Joined> {
  refuseClosed(ctx, invitation)
  if (await findAccountByEmail(ctx.db, invitation.emailKey)) throw SignInFirst()
  const { name, password } = chosen(acceptance)
  const passwordHash = await choosePassword(password, { email: invitation.email, name })
  const { caller } = acceptance
  try {
    return await ctx.change(anonymous(caller.origin), async (tx) => {
      await takeInvitation(ctx, tx, invitation)
      const id = await insertUser(tx, {
        email: invitation.email,
        email_key: invitation.emailKey,
        name,
        password_hash: passwordHash,
        created_at: ctx.clock(),
      })
      await joinOrganization(ctx, tx, { invitation, member: { id, name }, origin: caller.origin })
      const session = await createSession(ctx, tx, { user: { id, name, email: invitation.email }, caller })
      return { profile: orNotFound(await findProfile(tx, id), 'user'), session }
    })
  } catch (error) {
    // Another organization's invitation to the same address was accepted in this moment.
    if (violatedUnique(error) === 'users(email_key)') throw SignInFirst()
    throw error
  }
}

function chosen({ name, password }: Acceptance): { readonly name: string; readonly password: string } {
  if (name !== undefined && password !== undefined) return { name, password }
  const missing = [...(name === undefined ? ['name'] : []), ...(password === undefined ? ['password'] : [])]
  throw InvalidFields(
    missing.map((field) => ({ pointer: `/${field}`, code: 'required', detail: `${field} is missing` })),
  )
}

export function refuseClosed(ctx: Context, { acceptedAt, expiresAt }: Invitation): void {
  if (acceptedAt !== null || expiresAt <= ctx.clock()) throw LinkExpired()
}

/**
 * Under the organization's lock: of two concurrent uses one succeeds, and none after the link was withdrawn. The invitation
 * is valid only while its sender is a member who may still grant this role.
 */
export async function takeInvitation(ctx: Context, tx: Change, invitation: Invitation): Promise<void> {
  await lockOrganization(tx, invitation.organizationId)
  if (!(await updateInvitationAccepted(tx, invitation.id, ctx.clock()))) throw LinkExpired()
  const sender = await findMember(tx, invitation.organizationId, invitation.invitedBy.id)
  if (!mayGrant(sender?.role, invitation.role)) throw InvitationVoid()
}

type NewMember = {
  readonly invitation: Invitation
  readonly member: { readonly id: number; readonly name: string }
  readonly origin: Origin
}

export async function joinOrganization(
  ctx: Context,
  tx: Change,
  { invitation, member, origin }: NewMember,
): Promise<void> {
  const { organizationId, role } = invitation
  await insertMember(tx, { organization_id: organizationId, user_id: member.id, role, created_at: ctx.clock() })
  await tx.audit(
    {
      organizationId,
      action: 'member.joined',
      target: { kind: 'member', id: member.id, name: member.name },
    },
    { userId: member.id, name: member.name, origin },
  )
}
