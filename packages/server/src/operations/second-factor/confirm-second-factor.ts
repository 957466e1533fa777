// Turns two-factor codes on with a first code, which shows that the device has the secret. Answers the recovery codes, this once.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { InvalidOtp, SecondFactorOff, SecondFactorOn } from '../../domain/people/sign-in-errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { findSecondFactor, updateSecondFactorConfirmed } from '../../store/credentials/second-factors.ts'
import { lockUser } from '../../store/people/users.ts'
import { replaceRecoveryCodes } from './replace-recovery-codes.ts'
import { CONFIRMATION_MS } from './start-second-factor.ts'
import { takeAppCode } from './take-code.ts'

export function confirmSecondFactor(ctx: Context, actor: Actor, otp: string): Promise<readonly Secret[]> {
  const { userId, name } = actor
  return ctx.change(actor, async (tx) => {
    await lockUser(tx, userId)
    const factor = await findSecondFactor(tx, userId)
    if (!factor || (factor.confirmedAt === null && factor.createdAt + CONFIRMATION_MS <= ctx.clock()))
      throw SecondFactorOff()
    if (factor.confirmedAt !== null) throw SecondFactorOn()
    if (!(await takeAppCode(ctx, tx, { userId, otp, factor }))) throw InvalidOtp()
    await updateSecondFactorConfirmed(tx, userId, ctx.clock())
    const codes = await replaceRecoveryCodes(tx, userId)
    await tx.audit({
      organizationId: null,
      action: 'second_factor.enabled',
      target: { kind: 'user', id: userId, name },
    })
    return codes
  })
}
