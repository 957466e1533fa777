// Turns two-factor codes on with a first code, which shows that the device has the secret. Answers the recovery codes, this once. Sign-ins that
// needed no code end: one of them may be a thief's, against whom the user turns codes on.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { InvalidOtp, SecondFactorOff, SecondFactorOn } from '../../domain/people/sign-in-errors.ts'
import { secondFactorEnabledMail } from '../../mail/second-factor-enabled.ts'
import type { Secret } from '../../secrets/secret.ts'
import { findSecondFactor, updateSecondFactorConfirmed } from '../../store/credentials/second-factors.ts'
import { findAccount, lockUser } from '../../store/people/users.ts'
import { endEverySignIn } from '../credentials/end-every-sign-in.ts'
import { orNotFound } from '../or-not-found.ts'
import { allowMail } from '../people/allow-mail.ts'
import { notifyOfAccess } from './end-locked-access.ts'
import { replaceRecoveryCodes } from './replace-recovery-codes.ts'
import { CONFIRMATION_MS } from './start-second-factor.ts'
import { takeAppCode } from './take-code.ts'

type Confirmed = { readonly codes: readonly Secret[]; readonly endedSessions: number }

export function confirmSecondFactor(ctx: Context, actor: Actor, otp: string): Promise<Confirmed> {
  const { userId, name, credential } = actor
  return ctx.change(actor, async (tx) => {
    await lockUser(tx, userId)
    const factor = await findSecondFactor(tx, userId)
    if (!factor || (factor.confirmedAt === null && factor.createdAt + CONFIRMATION_MS <= ctx.clock()))
      throw SecondFactorOff()
    if (factor.confirmedAt !== null) throw SecondFactorOn()
    if (!(await takeAppCode(ctx, tx, { userId, otp, factor }))) throw InvalidOtp()
    await updateSecondFactorConfirmed(tx, userId, ctx.clock())
    notifyOfAccess(tx, userId)
    const exceptSession = credential.kind === 'session' ? credential.id : undefined
    const endedSessions = await endEverySignIn(tx, userId, { exceptSession })
    const codes = await replaceRecoveryCodes(tx, userId)
    await tx.audit({
      organizationId: null,
      action: 'second_factor.enabled',
      target: { kind: 'user', id: userId, name },
    })
    const { email } = orNotFound(await findAccount(tx, userId), 'user')
    const mail = await allowMail(ctx, tx, { kind: 'second_factor', to: email })
    await mail?.queue(secondFactorEnabledMail({ to: email, baseUrl: ctx.config.baseUrl }))
    return { codes, endedSessions }
  })
}
