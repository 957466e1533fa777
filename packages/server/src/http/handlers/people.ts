// Requests about the current user: set-up, sign-in, personal tokens, password resets.
import type { Context } from '../../context.ts'
import type { Caller, NewSession } from '../../operations/credentials/create-session.ts'
import { createToken } from '../../operations/credentials/create-token.ts'
import { deleteToken } from '../../operations/credentials/delete-token.ts'
import { isSetUp } from '../../operations/credentials/offer-set-up.ts'
import { requestPasswordReset } from '../../operations/credentials/request-password-reset.ts'
import { resetPassword } from '../../operations/credentials/reset-password.ts'
import { setUp } from '../../operations/credentials/set-up.ts'
import { type SignedIn, signIn } from '../../operations/credentials/sign-in.ts'
import { signOut } from '../../operations/credentials/sign-out.ts'
import { orNotFound } from '../../operations/or-not-found.ts'
import { updateMe } from '../../operations/people/update-me.ts'
import { listPersonalTokens } from '../../store/credentials/personal-tokens.ts'
import { findProfile } from '../../store/people/users.ts'
import { deviceCookie, deviceOf } from '../device-cookie.ts'
import type { Call, Handlers } from '../handler.ts'
import { linkNext, pageRequest } from '../page.ts'
import { presentMe } from '../present/me.ts'
import { presentToken } from '../present/token.ts'
import { endedSessionCookie, sessionCookie } from '../session-cookie.ts'

export const peopleHandlers = {
  getMe: async ({ ctx, actor }) => ({
    body: presentMe(orNotFound(await findProfile(ctx.db, actor.userId), 'user'), actor),
  }),
  updateMe: async ({ ctx, actor, body, request }) => ({
    body: presentMe(await updateMe(ctx, actor, { ...body, device: deviceOf(ctx, request) }), actor),
  }),
  getSetUp: async ({ ctx }) => ({
    body: {
      is_set_up: await isSetUp(ctx),
      sends_mail: ctx.mail.isSetUp,
      keeps_mail: ctx.mail.hasMailbox,
      sign_in_provider: ctx.signInProvider?.name ?? null,
    },
  }),
  setUp: async (call) => answerSignedIn(call.ctx, await setUp(call.ctx, call.body, callerOf(call))),
  signIn: async (call) => answerSignedIn(call.ctx, await signIn(call.ctx, call.body, callerOf(call))),
  signOut: async ({ ctx, actor, body }) => {
    await signOut(ctx, actor, { everywhere: body?.everywhere === true })
    // A cookie beside a bearer token counts for nothing, so it stays.
    return actor.credential.kind === 'session' ? { cookies: [endedSessionCookie(ctx.config)] } : {}
  },
  listTokens: async ({ ctx, actor, query, request }) => {
    const { items, next } = await listPersonalTokens(ctx.db, actor, pageRequest(query))
    return { body: items.map(presentToken), headers: linkNext(request, next) }
  },
  createToken: async ({ ctx, actor, body }) => {
    const { personalToken, token } = await createToken(ctx, actor, body)
    return { body: { ...presentToken(personalToken), token: token.reveal() } }
  },
  deleteToken: async ({ ctx, actor, params }) => {
    await deleteToken(ctx, actor, params.id)
    return {}
  },
  requestPasswordReset: async ({ ctx, body, origin, request }) => {
    requestPasswordReset(ctx, { email: body.email, origin, device: deviceOf(ctx, request) })
    return {}
  },
  resetPassword: async ({ ctx, body, origin }) => {
    await resetPassword(ctx, { token: body.token, password: body.password, origin })
    return {}
  },
} satisfies Handlers

/** What is written down about a sign-in. */
export const callerOf = ({ ctx, origin, request }: Pick<Call<'signIn'>, 'ctx' | 'origin' | 'request'>): Caller => ({
  origin,
  device: deviceOf(ctx, request),
  userAgent: request.headers['user-agent'] ?? null,
})

export function signedInCookies(ctx: Context, { token, maxAgeSeconds, device }: NewSession): readonly string[] {
  return [sessionCookie(ctx.config, token, maxAgeSeconds), ...(device ? [deviceCookie(ctx, device)] : [])]
}

function answerSignedIn(ctx: Context, { session, profile }: SignedIn) {
  return {
    body: presentMe(profile),
    cookies: signedInCookies(ctx, session),
  }
}
