// Makes ten new recovery codes, which replace the earlier ones.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { SecondFactorOff } from '../../domain/people/sign-in-errors.ts'
import type { Secret } from '../../secrets/secret.ts'
import { findSecondFactor } from '../../store/credentials/second-factors.ts'
import { changeWithPassword, type PasswordProof } from './change-with-password.ts'
import { replaceRecoveryCodes } from './replace-recovery-codes.ts'

export function renewRecoveryCodes(ctx: Context, actor: Actor, proof: PasswordProof): Promise<readonly Secret[]> {
  const { userId, name } = actor
  return changeWithPassword(ctx, { actor, proof }, async (tx) => {
    const factor = await findSecondFactor(tx, userId)
    if (!factor || factor.confirmedAt === null) throw SecondFactorOff()
    const codes = await replaceRecoveryCodes(tx, userId)
    await tx.audit({
      organizationId: null,
      action: 'second_factor.recovery_codes_renewed',
      target: { kind: 'user', id: userId, name },
    })
    return codes
  })
}
