// Requests about where a user is signed in.
import { endSignIn } from '../../../operations/credentials/end-sign-in.ts'
import { listSignIns } from '../../../operations/credentials/list-sign-ins.ts'
import type { Handlers } from '../../handler.ts'
import { presentSession } from '../../present/session.ts'
import { endedSessionCookie } from '../../session-cookie.ts'

export const sessionHandlers = {
  listSessions: async ({ ctx, actor }) => ({ body: (await listSignIns(ctx, actor)).map(presentSession) }),
  deleteSession: async ({ ctx, actor, params }) => {
    const { isOwn } = await endSignIn(ctx, actor, params.id)
    return isOwn ? { cookies: [endedSessionCookie(ctx.config)] } : {}
  },
} satisfies Handlers
