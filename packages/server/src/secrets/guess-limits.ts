// Rate limits for wrong passwords and codes. operations/credentials/count-guess.ts and find-device.ts decide which of them apply.
import { RateLimiter } from '../scheduling/rate-limiter.ts'

export type GuessLimits = {
  /** One account from one browser or network. */
  readonly place: RateLimiter
  readonly network: RateLimiter
  readonly account: RateLimiter
  readonly codesOfUser: RateLimiter
  readonly codesOfNetwork: RateLimiter
}

const MINUTE_MS = 60_000
const mostKeys = 50_000

export const createGuessLimits = (): GuessLimits => ({
  place: new RateLimiter({ name: 'account', most: 10, windowMs: 5 * MINUTE_MS, mostKeys }),
  network: new RateLimiter({ name: 'network', most: 300, windowMs: 60 * MINUTE_MS, mostKeys }),
  account: new RateLimiter({ name: 'account', most: 100, windowMs: 60 * MINUTE_MS, mostKeys }),
  codesOfUser: new RateLimiter({ name: 'codes', most: 5, windowMs: 10 * MINUTE_MS, mostKeys }),
  codesOfNetwork: new RateLimiter({ name: 'network', most: 50, windowMs: 10 * MINUTE_MS, mostKeys }),
})
