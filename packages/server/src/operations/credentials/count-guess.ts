/**
 * Counts a password guess before it is checked, so that an attacker has to wait and the owner does not:
 *
 *   a browser where the account has signed in before    by that browser and the account
 *   an address that the account is signed in from        by the address and the account, and by the address
 *   any other client                                     by both of these, and by the account
 *
 * The last one stops distributed guessing. It never locks out the first two, and a password reset ends it. An unknown e-mail
 * is counted like any other.
 */
import { networkOf } from '@shipway/api/values/ip-address'
import type { Context } from '../../context.ts'
import { RateLimited } from '../../domain/errors.ts'
import type { RateLimitKey } from '../../scheduling/rate-limiter.ts'
import { takeFromSharedLimits } from '../../scheduling/shared-counts.ts'
import { isDeviceOf, type KnownDevice } from '../../secrets/known-device.ts'
import { listSessionAddresses } from '../../store/credentials/sessions.ts'

export type Guess = {
  readonly emailKey: string
  /** Undefined if no account has this e-mail. */
  readonly userId: number | undefined
  readonly address: string
  readonly device: KnownDevice | undefined
}

type GuessCount = { readonly counts: readonly RateLimitKey[]; readonly isFromKnownDevice: boolean }

/** Returns the counts to give back if it turns out to be no guess. */
export async function countGuess(ctx: Context, guess: Guess): Promise<GuessCount> {
  const isFromKnownDevice = guess.device !== undefined && isDeviceOf(ctx.box, guess.device, guess.emailKey)
  const counts = isFromKnownDevice ? [byOrigin(ctx, guess.emailKey, guess.device.id)] : await byAddress(ctx, guess)
  const tooMany = await takeFromSharedLimits(ctx.sharedCounts, counts, ctx.clock())
  if (tooMany) throw RateLimited(Math.ceil(tooMany.waitMs / 1000), tooMany.by.limiter)
  return { counts, isFromKnownDevice }
}

/** The counters of a proven owner start again, for this device and for unknown ones. */
export async function forgetGuesses(
  ctx: Context,
  { emailKey, address }: Pick<Guess, 'emailKey' | 'address'>,
): Promise<void> {
  const counts = [byOrigin(ctx, emailKey, networkOf(address)), byAccount(ctx, emailKey)]
  const now = ctx.clock()
  try {
    // Only what was counted here can be forgotten: learns what other processes have counted.
    for (const { limiter, key } of counts) limiter.count(key, now)
    await ctx.sharedCounts.exchange(counts, now)
    for (const { limiter, key } of counts) limiter.forget(key)
    await ctx.sharedCounts.exchange(counts, now)
  } catch (error) {
    // The password has been changed. Without the counts of others the owner may have to wait.
    ctx.log.warn({ err: error }, 'could not forget the guesses of a user whose password was reset')
  }
}

async function byAddress(ctx: Context, { emailKey, userId, address }: Guess): Promise<readonly RateLimitKey[]> {
  const network = networkOf(address)
  const counts = [byOrigin(ctx, emailKey, network), { limiter: ctx.guessLimits.network, key: network }]
  // Queried for unknown accounts, too, so that the time does not reveal who has one.
  const known = await listSessionAddresses(ctx.db, userId ?? 0, ctx.clock())
  return known.some((other) => networkOf(other) === network) ? counts : [...counts, byAccount(ctx, emailKey)]
}

const byOrigin = (ctx: Context, emailKey: string, origin: string): RateLimitKey => ({
  limiter: ctx.guessLimits.origin,
  key: `${origin} ${emailKey}`,
})

const byAccount = (ctx: Context, emailKey: string): RateLimitKey => ({
  limiter: ctx.guessLimits.account,
  key: emailKey,
})
