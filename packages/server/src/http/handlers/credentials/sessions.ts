// Requests about where a user is signed in.
import { endSignIn, endSignInOf, endSignInsOf } from '../../../operations/credentials/end-sign-in.ts'
import { listSignIns, listSignInsOf } from '../../../operations/credentials/list-sign-ins.ts'
import { revokeTokensOf } from '../../../operations/credentials/revoke-tokens-of.ts'
import type { Handlers } from '../../handler.ts'
import { presentSession } from '../../present/session.ts'
import { endedSessionCookie } from '../../session-cookie.ts'

export const sessionHandlers = {
  listSessions: async ({ ctx, actor }) => ({ body: (await listSignIns(ctx, actor)).map(presentSession) }),
  deleteSession: async ({ ctx, actor, params }) => {
    const { isOwn } = await endSignIn(ctx, actor, params.id)
    return isOwn ? { cookies: [endedSessionCookie(ctx.config)] } : {}
  },
  listUserSessions: async ({ ctx, actor, params }) => ({
    body: (await listSignInsOf(ctx, actor, params.id)).map(presentSession),
  }),
  deleteUserSession: async ({ ctx, actor, params }) => {
    const { isOwn } = await endSignInOf(ctx, actor, { userId: params.id, id: params.session_id })
    return isOwn ? { cookies: [endedSessionCookie(ctx.config)] } : {}
  },
  deleteUserSessions: async ({ ctx, actor, params }) => {
    const { isOwn } = await endSignInsOf(ctx, actor, params.id)
    return isOwn ? { cookies: [endedSessionCookie(ctx.config)] } : {}
  },
  deleteUserTokens: async ({ ctx, actor, params }) => ({
    body: { revoked: await revokeTokensOf(ctx, actor, params.id) },
  }),
} satisfies Handlers
