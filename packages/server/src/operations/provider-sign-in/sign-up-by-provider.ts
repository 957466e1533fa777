/**
 * Creates an account for a user whom the provider knows and the platform does not: with an open invitation for the e-mail that the
 * provider has verified, or if the settings allow everybody. An existing account with this e-mail is never opened.
 */

import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { anonymous } from '../../domain/people/actor.ts'
import { NO_PASSWORD } from '../../domain/people/no-password.ts'
import { LinkFirst, NotLinked } from '../../domain/people/sign-in-errors.ts'
import type { ProviderIdentity } from '../../sign-in-provider/sign-in-provider.ts'
import { insertIdentity } from '../../store/credentials/identities.ts'
import { violatedUnique } from '../../store/database.ts'
import { findNewestInvitation, type Invitation } from '../../store/people/invitations.ts'
import { findAccountByEmail, insertUser } from '../../store/people/users.ts'
import { type Caller, createSession, type NewSession } from '../credentials/create-session.ts'
import { joinOrganization, takeInvitation } from '../people/accept-invitation.ts'
import { identityRow } from './keep-identity.ts'

export async function signUpByProvider(ctx: Context, identity: ProviderIdentity, caller: Caller): Promise<NewSession> {
  const { verifiedEmail: email } = identity
  if (email === undefined) throw NotLinked()
  const emailKey = sameEmailKey(email)
  if (await findAccountByEmail(ctx.db, emailKey)) throw LinkFirst()
  const invitation = await findNewestInvitation(ctx.db, emailKey, ctx.clock())
  if (!invitation && !ctx.signInProvider?.hasOpenSignUp) throw NotLinked()
  const name = identity.name ?? email.slice(0, email.lastIndexOf('@'))
  try {
    return await makeAccount(ctx, { identity, invitation, caller, user: { name, email } })
  } catch (error) {
    const violated = violatedUnique(error)
    // A concurrent request was faster: with the invitation's link, or the same sign-in in another window.
    if (violated === 'users(email_key)' || violated === 'identities(issuer, subject)') throw LinkFirst()
    throw error
  }
}

type NewAccount = {
  readonly identity: ProviderIdentity
  readonly invitation: Invitation | undefined
  readonly caller: Caller
  readonly user: { readonly name: string; readonly email: string }
}

function makeAccount(ctx: Context, { identity, invitation, caller, user }: NewAccount): Promise<NewSession> {
  const { origin } = caller
  return ctx.change(anonymous(origin), async (tx) => {
    if (invitation) await takeInvitation(ctx, tx, invitation)
    const id = await insertUser(tx, {
      ...user,
      email_key: sameEmailKey(user.email),
      password_hash: NO_PASSWORD,
      created_at: ctx.clock(),
    })
    const member = { id, name: user.name }
    await insertIdentity(tx, identityRow(ctx, id, identity))
    await tx.audit(
      { organizationId: null, action: 'identity.linked', target: { kind: 'user', ...member } },
      { userId: id, name: user.name, origin },
    )
    if (invitation) await joinOrganization(ctx, tx, { invitation, member, origin })
    return createSession(ctx, tx, { user: { id, ...user }, caller })
  })
}
