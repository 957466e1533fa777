// Rate limits for wrong passwords and codes. operations/credentials/count-guess.ts and find-device.ts decide which of them apply.
import { RateLimiter } from '../scheduling/rate-limiter.ts'
import { ownCounts, type SharedCounts } from '../scheduling/shared-counts.ts'

export type GuessLimits = {
  /** One account from one browser or network. */
  readonly origin: RateLimiter
  readonly network: RateLimiter
  readonly account: RateLimiter
  readonly codesOfUser: RateLimiter
  readonly codesOfNetwork: RateLimiter
}

const MINUTE_MS = 60_000
const mostKeys = 50_000

/** Counted exactly, by all processes together. */
export const createGuessLimits = (shared: SharedCounts = ownCounts): GuessLimits => ({
  origin: shared.share(
    'guess-origin',
    new RateLimiter({ name: 'account', most: 10, windowMs: 5 * MINUTE_MS, mostKeys }),
    { isExact: true },
  ),
  network: shared.share(
    'guess-network',
    new RateLimiter({ name: 'network', most: 300, windowMs: 60 * MINUTE_MS, mostKeys }),
    { isExact: true },
  ),
  account: shared.share(
    'guess-account',
    new RateLimiter({ name: 'account', most: 100, windowMs: 60 * MINUTE_MS, mostKeys }),
    { isExact: true },
  ),
  codesOfUser: shared.share(
    'guess-codesOfUser',
    new RateLimiter({ name: 'codes', most: 5, windowMs: 10 * MINUTE_MS, mostKeys }),
    { isExact: true },
  ),
  codesOfNetwork: shared.share(
    'guess-codesOfNetwork',
    new RateLimiter({ name: 'network', most: 50, windowMs: 10 * MINUTE_MS, mostKeys }),
    { isExact: true },
  ),
})
