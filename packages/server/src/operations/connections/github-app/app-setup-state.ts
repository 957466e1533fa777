// The state of a setup: a token that works once, within an hour, and for the caller who began.
import type { Context } from '../../../context.ts'
import { SetupExpired } from '../../../domain/errors.ts'
import { type Actor, credentialKey } from '../../../domain/people/actor.ts'
import type { Secret } from '../../../secrets/secret.ts'
import { digestOf, newToken } from '../../../secrets/token.ts'
import type { Change } from '../../../store/change.ts'
import { deleteAppSetup, replaceAppSetup } from '../../../store/connections/app-setups.ts'

type Step = { readonly connectionId: number; readonly step: 'create' | 'install' }

/** As long as GitHub's own code is good for. */
const SETUP_MS = 3_600_000

export async function beginStep(ctx: Context, tx: Change, actor: Actor, { connectionId, step }: Step): Promise<Secret> {
  const { token, digest } = newToken('shw_app_')
  await replaceAppSetup(tx, {
    connection_id: connectionId,
    step,
    state_digest: digest,
    user_id: actor.userId,
    credential: credentialKey(actor),
    expires_at: ctx.clock() + SETUP_MS,
  })
  return token
}

/** Uses the state up, in a transaction of its own: it is spent whatever happens next. */
export async function spendState(
  ctx: Context,
  actor: Actor,
  { connectionId, step, state }: Step & { readonly state: string },
): Promise<void> {
  const isSpent = await ctx.change(actor, (tx) =>
    deleteAppSetup(tx, {
      connection_id: connectionId,
      step,
      state_digest: digestOf(state),
      user_id: actor.userId,
      credential: credentialKey(actor),
      expires_at: ctx.clock(),
    }),
  )
  if (!isSpent) throw SetupExpired()
}
