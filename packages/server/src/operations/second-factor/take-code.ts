// Uses up a code of the app, or a recovery code, if the account requires one. Under the user's lock.
import type { Context } from '../../context.ts'
import { InvalidOtp, OtpRequired } from '../../domain/people/sign-in-errors.ts'
import { recoveryDigestOf } from '../../secrets/sign-in/recovery-code.ts'
import { stepOfCode } from '../../secrets/sign-in/totp.ts'
import type { Change } from '../../store/change.ts'
import {
  deleteRecoveryCode,
  findSecondFactor,
  type SecondFactor,
  updateLastStep,
} from '../../store/credentials/second-factors.ts'

type CodeClaim = { readonly userId: number; readonly name: string; readonly otp: string | undefined }

export async function takeCode(ctx: Context, tx: Change, { userId, name, otp }: CodeClaim): Promise<void> {
  const factor = await findSecondFactor(tx, userId)
  if (!factor || factor.confirmedAt === null) return
  if (otp === undefined) throw OtpRequired()
  if (await takeAppCode(ctx, tx, { userId, otp, factor })) return
  const digest = recoveryDigestOf(otp)
  if (digest === undefined || !(await deleteRecoveryCode(tx, userId, digest))) throw InvalidOtp()
  await tx.audit({
    organizationId: null,
    action: 'second_factor.recovery_code_used',
    target: { kind: 'user', id: userId, name },
  })
}

type AppCode = { readonly userId: number; readonly otp: string; readonly factor: SecondFactor }

/** Each code once, and none that is older than one that was used. */
export async function takeAppCode(ctx: Context, tx: Change, { userId, otp, factor }: AppCode): Promise<boolean> {
  const secret = ctx.box.open(factor.secretSealed, factor.place)
  // Apps show the digits in two groups.
  const step = stepOfCode(secret, otp.replaceAll(/[\s-]/g, ''), ctx.clock())
  return step !== undefined && (await updateLastStep(tx, userId, step))
}
