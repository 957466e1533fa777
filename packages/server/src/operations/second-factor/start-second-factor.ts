// Makes a secret for an authenticator app, shown this once. It counts for nothing until a code has confirmed it.
import { randomUUID } from 'node:crypto'
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { secondFactorContext } from '../../domain/encryption-context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { SecondFactorOn } from '../../domain/people/sign-in-errors.ts'
import type { KnownDevice } from '../../secrets/known-device.ts'
import type { Secret } from '../../secrets/secret.ts'
import { newTotpSecret, totpUri } from '../../secrets/sign-in/totp.ts'
import { insertSecondFactor } from '../../store/credentials/second-factors.ts'
import { findAccount, lockUser } from '../../store/people/users.ts'
import { checkPassword } from '../credentials/check-password.ts'
import { orNotFound } from '../or-not-found.ts'

/** How long an unconfirmed secret can be confirmed. */
export const CONFIRMATION_MS = 60 * 60_000

type Enrolment = { readonly secret: Secret; readonly uri: Secret; readonly expiresAt: number }

/** Asks for the password: an open browser must not be enough to lock its owner out. */
export async function startSecondFactor(
  ctx: Context,
  actor: Actor,
  { password, device }: { readonly password: string; readonly device: KnownDevice | undefined },
): Promise<Enrolment> {
  const account = orNotFound(await findAccount(ctx.db, actor.userId), 'user')
  const { email } = account
  await checkPassword(ctx, { emailKey: sameEmailKey(email), password, account, origin: actor.origin, device })
  const secret = newTotpSecret()
  const keyId = randomUUID()
  const secretSealed = ctx.box.seal(secret, secondFactorContext(keyId))
  const now = ctx.clock()
  await ctx.change(actor, async (tx) => {
    await lockUser(tx, account.id)
    if (!(await insertSecondFactor(tx, { userId: account.id, keyId, secretSealed, now }))) throw SecondFactorOn()
  })
  const issuer = `Shipway ${new URL(ctx.config.baseUrl).hostname}`
  return { secret, uri: totpUri(secret, { issuer, account: email }), expiresAt: now + CONFIRMATION_MS }
}
