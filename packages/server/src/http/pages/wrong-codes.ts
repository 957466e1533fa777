// Stops somebody who tries out user codes: five wrong ones in ten minutes, and fifty for everybody who shares the address.
import { networkOf } from '@shipway/api/values/ip-address'
import type { Actor } from '../../domain/people/actor.ts'
import { type Count, giveAllBack, RateLimiter, takeAll } from '../../pacing/rate-limiter.ts'

const WINDOW_MS = 600_000

export class WrongCodes {
  readonly #byUser = new RateLimiter({ name: 'codes', most: 5, windowMs: WINDOW_MS })
  readonly #byNetwork = new RateLimiter({ name: 'network', most: 50, windowMs: WINDOW_MS })

  /** Counts a code before it is looked up, since many may come at once. Answers the seconds to wait where there were too many. */
  take(visitor: Actor, now: number): number | undefined {
    const tooMany = takeAll(this.#countsOf(visitor), now)
    return tooMany && Math.max(1, Math.ceil(tooMany.waitMs / 1000))
  }

  /** The code was right. */
  giveBack(visitor: Actor): void {
    giveAllBack(this.#countsOf(visitor))
  }

  #countsOf({ userId, origin }: Actor): readonly Count[] {
    return [
      { limiter: this.#byUser, key: String(userId) },
      { limiter: this.#byNetwork, key: networkOf(origin.address) },
    ]
  }
}
