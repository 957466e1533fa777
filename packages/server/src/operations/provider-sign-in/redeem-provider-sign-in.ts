/**
 * Ends a sign-in with the provider, once and in the browser that began it. Accounts are found by issuer and subject alone: an e-mail that
 * changed hands must not open its earlier owner's account. The provider answers for two-factor codes itself.
 */
import type { ProviderAnswer } from '@shipway/api/sign-in/provider-sign-in'
import type { Context } from '../../context.ts'
import { type Actor, anonymous } from '../../domain/people/actor.ts'
import { DomainNotAllowed, ProviderRequestLapsed } from '../../domain/people/sign-in-errors.ts'
import { digestForState, providerSecretsOf } from '../../secrets/sign-in/provider-token.ts'
import type { ProviderIdentity } from '../../sign-in-provider/sign-in-provider.ts'
import { findIdentity, updateIdentityUse } from '../../store/credentials/identities.ts'
import { deleteProviderRequest, type ProviderRequest } from '../../store/credentials/provider-requests.ts'
import { findAccount } from '../../store/people/users.ts'
import { type Caller, createSession, type NewSession } from '../credentials/create-session.ts'
import { orNotFound } from '../or-not-found.ts'
import { demandProvider } from './begin-provider-request.ts'
import { keepIdentity } from './keep-identity.ts'
import { signUpByProvider } from './sign-up-by-provider.ts'

type Redemption = {
  readonly answer: ProviderAnswer
  /** Of the cookie. */
  readonly token: string | undefined
  readonly caller: Caller
}

/** Without a session if the provider was linked to an account that is signed in already. */
type Redeemed = { readonly next: string; readonly session: NewSession | undefined }

export async function redeemProviderSignIn(
  ctx: Context,
  actor: Actor | undefined,
  { answer, token, caller }: Redemption,
): Promise<Redeemed> {
  const provider = demandProvider(ctx)
  const digest = digestForState(token, answer.state)
  if (token === undefined || digest === undefined) throw ProviderRequestLapsed()
  const request = await ctx.change(anonymous(caller.origin), (tx) => deleteProviderRequest(tx, digest, ctx.clock()))
  if (!request || !isOwn(request, actor)) throw ProviderRequestLapsed()
  const identity = await provider.finish(answer, providerSecretsOf(token))
  demandDomain(identity, provider.emailDomains)
  if (actor && request.userId !== null) {
    await keepIdentity(ctx, actor, identity)
    return { next: request.next, session: undefined }
  }
  return { next: request.next, session: await signIn(ctx, identity, caller) }
}

/** The user who began to link is still signed in here: no other account is linked instead. */
const isOwn = ({ userId }: ProviderRequest, actor: Actor | undefined): boolean =>
  userId === null || (actor?.userId === userId && actor.credential.kind === 'session')

function demandDomain({ verifiedEmail }: ProviderIdentity, domains: readonly string[]): void {
  if (domains.length === 0) return
  const domain = verifiedEmail?.slice(verifiedEmail.lastIndexOf('@') + 1)
  if (domain === undefined || !domains.includes(domain)) throw DomainNotAllowed()
}

async function signIn(ctx: Context, identity: ProviderIdentity, caller: Caller): Promise<NewSession> {
  const known = await findIdentity(ctx.db, identity)
  if (!known) return signUpByProvider(ctx, identity, caller)
  return ctx.change(anonymous(caller.origin), async (tx) => {
    // Unlinked in this moment, it opens nothing any more.
    if (!(await updateIdentityUse(tx, known.id, ctx.clock()))) throw ProviderRequestLapsed()
    const user = orNotFound(await findAccount(tx, known.userId), 'user')
    return createSession(ctx, tx, { user, caller })
  })
}
