// Fixed-window rate limiter in memory of bounded size. Counts by key, such as requests of an address or wrong passwords for an e-mail; the
// window of a key starts with its first count. Where several processes share a database, they exchange what they counted
// (`store/credentials/shared-counts.ts`): a count here is then that of all processes, as of the last exchange, and what was counted since.

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

type Window = {
  count: number
  /** What other processes do not know of yet. */
  unsent: number
  readonly startedAt: number
}

/** What was counted for a key since the last exchange, and the beginning of its window. */
export type UnsentCount = { readonly key: string; readonly count: number; readonly startedAt: number }

/** The count of a key in all processes. */
type SharedCount = { readonly key: string; readonly count: number; readonly startedAt: number }

export class RateLimiter {
  readonly name: string
  readonly most: number
  readonly windowMs: number
  readonly #mostKeys: number
  /** In the order of their start, so that those at the front end first. */
  readonly #windows = new Map<string, Window>()
  /** Keys to exchange next; undefined while nothing is shared. */
  #pending: Set<string> | undefined
  #sharedFrom = 0

  constructor({ name, most, windowMs, mostKeys = 100_000 }: Limits) {
    this.name = name
    this.most = most
    this.windowMs = windowMs
    this.#mostKeys = mostKeys
  }

  /** Counts even beyond the limit. `amount` 0 only reads. */
  count(key: string, now: number, amount = 1): RateLimitStatus {
    this.#dropEnded(now)
    const known = this.#windowOf(key, now)
    if (!known && amount > 0) this.#begin(key, { count: amount, unsent: amount, startedAt: now })
    else if (known) {
      known.count += amount
      known.unsent += amount
    }
    const { count, startedAt } = known ?? { count: amount, startedAt: now }
    if (amount > 0 && count >= this.#sharedFrom) this.#pending?.add(key)
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
    if (!window || window.count === 0) return
    window.count--
    window.unsent--
    this.#pending?.add(key)
  }

  forget(key: string): void {
    const window = this.#windows.get(key)
    if (!window) return
    if (!this.#pending) return void this.#windows.delete(key)
    window.unsent -= window.count
    window.count = 0
    this.#pending.add(key)
  }

  /** From now on counts are exchanged: of keys that were counted at least so often. */
  shareFrom(count: number): void {
    this.#sharedFrom = count
    this.#pending = new Set()
  }

  /** What to exchange: of all keys that changed, at most `most` of them. It counts as sent from now on. */
  takeUnsent(most: number): readonly UnsentCount[] {
    return [...(this.#pending ?? [])].slice(0, most).flatMap((key) => this.takeUnsentOf(key))
  }

  /** The same of one key, even if nothing was counted. */
  takeUnsentOf(key: string): readonly UnsentCount[] {
    this.#pending?.delete(key)
    const window = this.#windows.get(key)
    if (!window) return []
    const { unsent: count, startedAt } = window
    window.unsent = 0
    return [{ key, count, startedAt }]
  }

  /** After an exchange that failed: counts as unsent again. */
  putBack({ key, count }: UnsentCount): void {
    const window = this.#windows.get(key)
    if (!window) return
    window.unsent += count
    this.#pending?.add(key)
  }

  /** Takes the count of all processes; what was counted here meanwhile comes on top. */
  merge({ key, count, startedAt }: SharedCount): void {
    const window = this.#windows.get(key)
    if (!window) return
    const merged = { count: Math.max(0, count + window.unsent), unsent: window.unsent, startedAt }
    if (startedAt === window.startedAt) this.#windows.set(key, merged)
    else this.#begin(key, merged)
  }

  /** A window that began in another process may have ended before those in front of it. */
  #windowOf(key: string, now: number): Window | undefined {
    const window = this.#windows.get(key)
    if (window && now >= window.startedAt + this.windowMs) {
      this.#windows.delete(key)
      return undefined
    }
    return window
  }

  /** Evicts the oldest key when full: an attacker with that many keys is not stopped by counting them anyway. */
  #begin(key: string, window: Window): void {
    // Windows stand in the order of their start, so another start is another place.
    this.#windows.delete(key)
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
