// Finds the device that shows a code, for a browser session. Limits guessing: five wrong codes in ten minutes,
// and fifty for all users of one address.
import type { Scope } from '@shipway/api/route'
import { networkOf } from '@shipway/api/values/ip-address'
import { z } from 'zod'
import type { Context } from '../../context.ts'
import { SessionRequired, TooManyCodes, UnknownCode } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { readUserCode, scopesAskedFor } from '../../domain/people/oauth.ts'
import { type RateLimitKey, refundAll } from '../../scheduling/rate-limiter.ts'
import { takeFromSharedLimits } from '../../scheduling/shared-counts.ts'
import { digestOf } from '../../secrets/token.ts'
import { findDeviceRequest } from '../../store/credentials/oauth-records.ts'

export type WaitingDevice = {
  /** Without the hyphen. */
  readonly userCode: string
  readonly address: string
  readonly createdAt: number
  readonly scopes: readonly Scope[]
  /** Shown as a warning: a phisher who sends a link with a code is usually elsewhere. */
  readonly isElsewhere: boolean
}

/** `typed`: the code as the user typed it. */
export async function findDevice(ctx: Context, actor: Actor, typed: string): Promise<WaitingDevice> {
  if (actor.credential.kind !== 'session') throw SessionRequired()
  const counts = countsOf(ctx, actor)
  // Counted before the lookup, since many requests may arrive at once.
  const tooMany = await takeFromSharedLimits(ctx.sharedCounts, counts, ctx.clock())
  if (tooMany) throw TooManyCodes(Math.max(1, Math.ceil(tooMany.waitMs / 1000)))
  const userCode = readUserCode(typed)
  const device = userCode && (await findDeviceRequest(ctx.db, digestOf(userCode), ctx.clock()))
  if (!userCode || !device) throw UnknownCode()
  refundAll(counts)
  const { scope, deviceInfo } = AskedFor.parse(device.payload)
  return {
    userCode,
    address: deviceInfo.address,
    createdAt: device.createdAt,
    scopes: scopesAskedFor(scope),
    isElsewhere: networkOf(actor.origin.address) !== networkOf(deviceInfo.address),
  }
}

const AskedFor = z.object({ scope: z.string(), deviceInfo: z.object({ address: z.string() }) })

const countsOf = ({ guessLimits }: Context, { userId, origin }: Actor): readonly RateLimitKey[] => [
  { limiter: guessLimits.codesOfUser, key: String(userId) },
  { limiter: guessLimits.codesOfNetwork, key: networkOf(origin.address) },
]
