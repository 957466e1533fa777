// Fixed-window rate limiter in memory of bounded size. Counts by key, such as requests of an address or wrong passwords for an e-mail; the
// window of a key starts with its first count.

type Limits = {
  /** Shown to callers who have to wait. */
  readonly name: string
  readonly most: number
  readonly windowMs: number
  readonly mostKeys?: number
}

export type RateLimitStatus = {
  /** Negative if more was counted than the limit allows. */
  readonly left: number
  /** Until the window ends. */
  readonly resetMs: number
}

export class RateLimiter {
  readonly name: string
  readonly most: number
  readonly windowMs: number
  readonly #mostKeys: number
  /** In the order of their start, so that those at the front end first. */
  readonly #windows = new Map<string, { count: number; readonly startedAt: number }>()

  constructor({ name, most, windowMs, mostKeys = 100_000 }: Limits) {
    this.name = name
    this.most = most
    this.windowMs = windowMs
    this.#mostKeys = mostKeys
  }

  /** Counts even beyond the limit. `amount` 0 only reads. */
  count(key: string, now: number, amount = 1): RateLimitStatus {
    this.#dropEnded(now)
    const known = this.#windows.get(key)
    if (!known && amount > 0) this.#begin(key, { count: amount, startedAt: now })
    else if (known) known.count += amount
    const { count, startedAt } = known ?? { count: amount, startedAt: now }
    return { left: this.most - count, resetMs: startedAt + this.windowMs - now }
  }

  /**
   * Counts one if the limit allows it, before its outcome is known, so that parallel attempts cannot bypass the limit. Returns the
   * milliseconds to wait; 0 means allowed.
   */
  take(key: string, now: number): number {
    const { left, resetMs } = this.count(key, now, 0)
    if (left < 1) return resetMs
    this.count(key, now)
    return 0
  }

  /** Undoes one `take`. */
  refund(key: string): void {
    const window = this.#windows.get(key)
    if (window) window.count = Math.max(0, window.count - 1)
  }

  forget(key: string): void {
    this.#windows.delete(key)
  }

  /** Evicts the oldest key when full: an attacker with that many keys is not stopped by counting them anyway. */
  #begin(key: string, window: { count: number; readonly startedAt: number }): void {
    const [oldest] = this.#windows.keys()
    if (this.#windows.size >= this.#mostKeys && oldest !== undefined) this.#windows.delete(oldest)
    this.#windows.set(key, window)
  }

  #dropEnded(now: number): void {
    for (const [key, { startedAt }] of this.#windows) {
      if (now < startedAt + this.windowMs) return
      this.#windows.delete(key)
    }
  }
}

export type RateLimitKey = { readonly limiter: RateLimiter; readonly key: string }

/** Takes from all of these limiters, or from none and returns the one that refused. */
export function takeAll(
  counts: readonly RateLimitKey[],
  now: number,
): { readonly waitMs: number; readonly by: RateLimitKey } | undefined {
  for (const [index, by] of counts.entries()) {
    const waitMs = by.limiter.take(by.key, now)
    if (waitMs === 0) continue
    refundAll(counts.slice(0, index))
    return { waitMs, by }
  }
  return undefined
}

export function refundAll(counts: readonly RateLimitKey[]): void {
  for (const { limiter, key } of counts) limiter.refund(key)
}
