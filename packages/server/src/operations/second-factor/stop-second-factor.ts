// Turns two-factor codes off, with the password and a last code.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { SecondFactorOff } from '../../domain/people/sign-in-errors.ts'
import { deleteSecondFactor } from '../../store/credentials/second-factors.ts'
import { changeWithPassword, type PasswordProof } from './change-with-password.ts'
import { endLockedAccess, notifyOfAccess } from './end-locked-access.ts'

export function stopSecondFactor(ctx: Context, actor: Actor, proof: PasswordProof): Promise<void> {
  const { userId, name } = actor
  return changeWithPassword(ctx, { actor, proof }, async (tx) => {
    if (!(await deleteSecondFactor(tx, userId))) throw SecondFactorOff()
    notifyOfAccess(tx, userId)
    await endLockedAccess(tx, { userId }, ctx.clock())
    await tx.audit({
      organizationId: null,
      action: 'second_factor.disabled',
      target: { kind: 'user', id: userId, name },
    })
  })
}
