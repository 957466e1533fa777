// Creates a session. Its token is returned only this once, for the cookie.
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import type { Origin } from '../../domain/people/actor.ts'
import { SESSION_LIFE_MS } from '../../domain/people/session.ts'
import { isDeviceOf, type KnownDevice, makeDevice } from '../../secrets/known-device.ts'
import type { Secret } from '../../secrets/secret.ts'
import { newToken } from '../../secrets/token.ts'
import type { Change } from '../../store/change.ts'
import { deleteExpiredSessionsOf, insertSession } from '../../store/credentials/sessions.ts'

/** The client of a request without a sign-in. */
export type Caller = {
  readonly origin: Origin
  readonly userAgent: string | null
  /** The browser, if it has signed in before. */
  readonly device?: KnownDevice | undefined
}
/** `device`: what the browser is known by from now on; undefined if it is known already. */
export type NewSession = {
  readonly token: Secret
  readonly maxAgeSeconds: number
  readonly device: Secret | undefined
}
type NewUser = { readonly id: number; readonly name: string; readonly email: string }
type ForWhom = { readonly user: NewUser; readonly caller: Caller }

export async function createSession(ctx: Context, tx: Change, { user, caller }: ForWhom): Promise<NewSession> {
  const now = ctx.clock()
  const { token, digest } = newToken('shw_session_')
  await deleteExpiredSessionsOf(tx, user.id, now)
  const id = await insertSession(tx, {
    user_id: user.id,
    token_digest: digest,
    address: caller.origin.address,
    // User agents can have any length; the beginning identifies the program.
    user_agent: caller.userAgent?.slice(0, 300) ?? null,
    created_at: now,
    last_seen_at: now,
    expires_at: now + SESSION_LIFE_MS,
  })
  await tx.audit(
    {
      organizationId: null,
      action: 'session.created',
      target: { kind: 'session', id, name: '' },
    },
    { userId: user.id, name: user.name, origin: caller.origin },
  )
  return { token, maxAgeSeconds: SESSION_LIFE_MS / 1000, device: newDevice(ctx, user, caller) }
}

/** Each browser keeps one id, however often it signs in. */
function newDevice({ box }: Context, { email }: NewUser, { device }: Caller): Secret | undefined {
  const emailKey = sameEmailKey(email)
  return device && isDeviceOf(box, device, emailKey) ? undefined : makeDevice(box, emailKey)
}
