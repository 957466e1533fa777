// Sets a new password with the token of a mailed link, which works once.
import { sameEmailKey } from '@shipway/api/values/email'
import type { Context } from '../../context.ts'
import { LinkExpired } from '../../domain/errors.ts'
import type { Origin } from '../../domain/people/actor.ts'
import { digestOf } from '../../secrets/token.ts'
import { findPasswordReset, updatePasswordResetUse } from '../../store/credentials/password-resets.ts'
import { findAccount, updateUser } from '../../store/people/users.ts'
import { endLockedAccess } from '../second-factor/end-locked-access.ts'
import { choosePassword } from './choose-password.ts'
import { forgetGuesses } from './count-guess.ts'
import { endEverySignIn } from './end-every-sign-in.ts'

type Redemption = { readonly token: string; readonly password: string; readonly origin: Origin }

export async function resetPassword(ctx: Context, { token, password, origin }: Redemption): Promise<void> {
  const digest = digestOf(token)
  const reset = await findPasswordReset(ctx.db, digest, ctx.clock())
  const account = reset && (await findAccount(ctx.db, reset.userId))
  if (!account) throw LinkExpired()
  // A refused password does not use up the link: the user tries another one.
  const passwordHash = await choosePassword(password, account)
  await ctx.change({ userId: account.id, name: account.name, origin }, async (tx) => {
    if (!(await updatePasswordResetUse(tx, digest, ctx.clock()))) throw LinkExpired()
    await updateUser(tx, account.id, { password_hash: passwordHash })
    await endEverySignIn(tx, account.id)
    // An account without a password counted as having two factors.
    await endLockedAccess(tx, { userId: account.id }, ctx.clock())
    await tx.audit({
      organizationId: null,
      action: 'password_reset.redeemed',
      target: { kind: 'user', id: account.id, name: account.name },
      fields: ['password'],
    })
  })
  // Earlier guesses must not lock the owner out now.
  await forgetGuesses(ctx, { emailKey: sameEmailKey(account.email), address: origin.address })
}
