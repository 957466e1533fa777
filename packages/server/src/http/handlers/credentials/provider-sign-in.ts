// Requests about signing in with the provider.
import type { FastifyRequest } from 'fastify'
import type { Config } from '../../../config.ts'
import { orNotFound } from '../../../operations/or-not-found.ts'
import { linkIdentity } from '../../../operations/provider-sign-in/link-identity.ts'
import { redeemProviderSignIn } from '../../../operations/provider-sign-in/redeem-provider-sign-in.ts'
import { startProviderSignIn } from '../../../operations/provider-sign-in/start-provider-sign-in.ts'
import { unlinkIdentity } from '../../../operations/provider-sign-in/unlink-identity.ts'
import type { Secret } from '../../../secrets/secret.ts'
import { findIdentityOf } from '../../../store/credentials/identities.ts'
import { findAccount } from '../../../store/people/users.ts'
import { deviceOf } from '../../device-cookie.ts'
import type { Handlers } from '../../handler.ts'
import { ownCookie, readOwnCookie } from '../../own-cookie.ts'
import { presentIdentity } from '../../present/identity.ts'
import { callerOf, signedInCookies } from '../people.ts'

export const providerSignInHandlers = {
  startProviderSignIn: async ({ ctx, body, origin }) => {
    const begun = await startProviderSignIn(ctx, { next: body.next, origin })
    return { body: { url: begun.url }, cookies: [providerCookie(ctx.config, begun)] }
  },
  redeemProviderSignIn: async (call) => {
    const { ctx, actor, body: answer, request } = call
    const redemption = { answer, token: providerTokenOf(ctx.config, request), caller: callerOf(call) }
    const { next, session } = await redeemProviderSignIn(ctx, actor, redemption)
    const cookies = session ? signedInCookies(ctx, session) : []
    return { body: { next }, cookies: [...cookies, endedProviderCookie(ctx.config)] }
  },
  getIdentity: async ({ ctx, actor }) => {
    const { signInProvider: provider } = ctx
    const [account, identity] = await Promise.all([
      findAccount(ctx.db, actor.userId),
      provider && findIdentityOf(ctx.db, actor.userId, provider.issuer),
    ])
    return { body: presentIdentity({ account: orNotFound(account, 'user'), identity, provider }) }
  },
  linkIdentity: async ({ ctx, actor, body, request }) => {
    const proof = { password: body.password, otp: body.otp, device: deviceOf(ctx, request) }
    const begun = await linkIdentity(ctx, actor, proof)
    return { body: { url: begun.url }, cookies: [providerCookie(ctx.config, begun)] }
  },
  unlinkIdentity: async ({ ctx, actor }) => {
    await unlinkIdentity(ctx, actor)
    return {}
  },
} satisfies Handlers

// The cookie binds a sign-in with the provider to the browser that began it.
const providerTokenOf = (config: Config, request: Pick<FastifyRequest, 'headers'>): string | undefined =>
  readOwnCookie(config, request, 'shipway_provider')

function providerCookie(
  config: Config,
  { token, maxAgeSeconds }: { readonly token: Secret; readonly maxAgeSeconds: number },
): string {
  return ownCookie(config, { name: 'shipway_provider', value: token.reveal(), maxAge: maxAgeSeconds })
}

const endedProviderCookie = (config: Config): string =>
  ownCookie(config, { name: 'shipway_provider', value: '', maxAge: 0 })
