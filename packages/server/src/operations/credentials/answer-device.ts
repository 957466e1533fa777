// Approves or refuses a device that shows a code. Only a browser session can: a token
// that may only read must not be able to obtain one with more rights.
import { randomUUID } from 'node:crypto'
import type { Context } from '../../context.ts'
import { UnknownCode } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { OAUTH_CLIENT, OAUTH_LIFETIMES } from '../../domain/people/oauth.ts'
import { digestOf } from '../../secrets/token.ts'
import { findDeviceRequest, insertOauthRecord, updateDeviceAnswered } from '../../store/credentials/oauth-records.ts'
import { findDevice } from './find-device.ts'

/** `typed`: the code as the user typed it. */
export type DeviceAnswer = { readonly typed: string; readonly isApproved: boolean }

export async function answerDevice(ctx: Context, actor: Actor, { typed, isApproved }: DeviceAnswer): Promise<void> {
  const { userCode, address } = await findDevice(ctx, actor, typed)
  await ctx.change(actor, async (tx) => {
    const now = ctx.clock()
    const device = await findDeviceRequest(tx, digestOf(userCode), now)
    if (!device) throw UnknownCode()
    const scope = String(device.payload.scope)
    const grantId = randomUUID()
    const grantDigest = isApproved ? digestOf(grantId) : null
    const answer = isApproved ? { accountId: String(actor.userId), grantId } : REFUSAL
    const isFirst = await updateDeviceAnswered(tx, device.idDigest, {
      userId: actor.userId,
      grantDigest,
      payload: { ...device.payload, ...answer },
    })
    if (!isFirst) throw UnknownCode()
    if (grantDigest !== null) {
      await insertOauthRecord(tx, {
        kind: 'Grant',
        idDigest: grantDigest,
        userId: actor.userId,
        grantDigest,
        userCodeDigest: null,
        // The library leaves the address alone: it is for the list of sign-ins.
        payload: {
          kind: 'Grant',
          accountId: String(actor.userId),
          clientId: OAUTH_CLIENT.id,
          openid: { scope },
          address,
        },
        createdAt: now,
        expiresAt: now + OAUTH_LIFETIMES.grant * 1000,
      })
    }
    await tx.audit({
      organizationId: null,
      action: isApproved ? 'oauth.approved' : 'oauth.denied',
      target: { kind: 'oauth_grant', id: null, name: OAUTH_CLIENT.name },
      fields: scope.split(' '),
    })
  })
}

const REFUSAL = { error: 'access_denied', errorDescription: 'The request was refused in the browser' } as const
