// Requests about the second factor of a sign-in.
import { confirmSecondFactor } from '../../../operations/second-factor/confirm-second-factor.ts'
import { removeSecondFactor } from '../../../operations/second-factor/remove-second-factor.ts'
import { renewRecoveryCodes } from '../../../operations/second-factor/renew-recovery-codes.ts'
import { startSecondFactor } from '../../../operations/second-factor/start-second-factor.ts'
import { stopSecondFactor } from '../../../operations/second-factor/stop-second-factor.ts'
import { findSecondFactor, listRecoveryDigests } from '../../../store/credentials/second-factors.ts'
import { deviceOf } from '../../device-cookie.ts'
import type { Handlers } from '../../handler.ts'
import {
  presentEnrolment,
  presentFirstRecoveryCodes,
  presentRecoveryCodes,
  presentSecondFactor,
} from '../../present/second-factor.ts'

export const secondFactorHandlers = {
  getSecondFactor: async ({ ctx, actor }) => {
    const [factor, digests] = await Promise.all([
      findSecondFactor(ctx.db, actor.userId),
      listRecoveryDigests(ctx.db, actor.userId),
    ])
    return { body: presentSecondFactor(factor, digests.length) }
  },
  startSecondFactor: async ({ ctx, actor, body, request }) => {
    const proof = { password: body.password, device: deviceOf(ctx, request) }
    return { body: presentEnrolment(await startSecondFactor(ctx, actor, proof)) }
  },
  confirmSecondFactor: async ({ ctx, actor, body }) => ({
    body: presentFirstRecoveryCodes(await confirmSecondFactor(ctx, actor, body.otp)),
  }),
  renewRecoveryCodes: async ({ ctx, actor, body, request }) => {
    const proof = { password: body.password, otp: body.otp, device: deviceOf(ctx, request) }
    return { body: presentRecoveryCodes(await renewRecoveryCodes(ctx, actor, proof)) }
  },
  stopSecondFactor: async ({ ctx, actor, body, request }) => {
    await stopSecondFactor(ctx, actor, { password: body.password, otp: body.otp, device: deviceOf(ctx, request) })
    return {}
  },
  removeSecondFactor: async ({ ctx, actor, body }) => {
    await removeSecondFactor(ctx, actor, body.email)
    return {}
  },
} satisfies Handlers
