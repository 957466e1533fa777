// Sets a user's password from the platform's machine, and ends every sign-in made with the earlier one.
import type { Context } from '../../context.ts'
import { anonymous } from '../../domain/people/actor.ts'
import { type Account, updateUser } from '../../store/people/users.ts'
import { endLockedAccess } from '../second-factor/end-locked-access.ts'
import { choosePassword } from './choose-password.ts'
import { endEverySignIn } from './end-every-sign-in.ts'

export async function setPassword(
  ctx: Pick<Context, 'change' | 'clock'>,
  account: Account,
  password: string,
): Promise<void> {
  const passwordHash = await choosePassword(password, account)
  await ctx.change(anonymous({ address: '', requestId: '' }), async (tx) => {
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
}
