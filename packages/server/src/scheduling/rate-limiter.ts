// Counts what comes by a key, such as requests of an address or wrong passwords for an e-mail, and says where it is too much. A window of
// each key begins with the first that is counted. It is kept in memory that cannot grow without end.

type Limits = {
  /** Told to whoever has to wait. */
  readonly name: string
  readonly most: number
  readonly windowMs: number
  readonly mostKeys?: number
}

export type RateLimitStatus = {
  /** Negative where more was counted than the limit allows. */
  readonly left: number
  /** Until the window ends. */
  readonly resetMs: number
}

export class RateLimiter {
  readonly name: string
  readonly most: number
  readonly windowMs: number
  readonly #mostKeys: number
  /** In the order in which they began, so that those at the front end first. */
  readonly #windows = new Map<string, { count: number; readonly startedAt: number }>()

  constructor({ name, most, windowMs, mostKeys = 100_000 }: Limits) {
    this.name = name
    this.most = most
    this.windowMs = windowMs
    this.#mostKeys = mostKeys
  }

  /** Counts, whether that is too much or not. `amount` is 0 for whoever only looks. */
  count(key: string, now: number, amount = 1): RateLimitStatus {
    this.#dropEnded(now)
    const known = this.#windows.get(key)
    if (!known && amount > 0) this.#begin(key, { count: amount, startedAt: now })
    else if (known) known.count += amount
    const { count, startedAt } = known ?? { count: amount, startedAt: now }
    return { left: this.most - count, resetMs: startedAt + this.windowMs - now }
  }

  /**
   * Counts one where there is room, and before its outcome is known, so that many at once are no way round the limit. Answers how many
   * milliseconds to wait where there is none; 0 lets it go on.
   */
  take(key: string, now: number): number {
    const { left, resetMs } = this.count(key, now, 0)
    if (left < 1) return resetMs
    this.count(key, now)
    return 0
  }

  /** What was taken should not have been counted after all. */
  refund(key: string): void {
    const window = this.#windows.get(key)
    if (window) window.count = Math.max(0, window.count - 1)
  }

  forget(key: string): void {
    this.#windows.delete(key)
  }

  /** Whoever has more keys than fit is not stopped by counting them: the oldest makes room. */
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

/** What something is counted by. */
export type RateLimitKey = { readonly limiter: RateLimiter; readonly key: string }

/** Counts by all of these, or by none and answers with the one that there was no room in. */
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
