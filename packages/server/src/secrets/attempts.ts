/** Counts guesses per key, such as wrong passwords for an e-mail, in memory that cannot grow without end. */

/** Wrong passwords: who is counted by which of these stands in operations/count-guess.ts. */
export const createAttempts = () => ({
  place: new Attempts({ name: 'account', most: 10, windowMs: 5 * MINUTE_MS }),
  network: new Attempts({ name: 'network', most: 300, windowMs: 60 * MINUTE_MS }),
  account: new Attempts({ name: 'account', most: 100, windowMs: 60 * MINUTE_MS }),
})

const MINUTE_MS = 60_000

/** What an attempt is counted by. */
export type Count = { readonly attempts: Attempts; readonly key: string }

/** Counts an attempt by all of these, or by none and answers with the one that there were too many for. */
export function takeAll(
  counts: readonly Count[],
  now: number,
): { readonly waitMs: number; readonly by: Count } | undefined {
  for (const [index, by] of counts.entries()) {
    const waitMs = by.attempts.take(by.key, now)
    if (waitMs === 0) continue
    giveAllBack(counts.slice(0, index))
    return { waitMs, by }
  }
  return undefined
}

export function giveAllBack(counts: readonly Count[]): void {
  for (const { attempts, key } of counts) attempts.giveBack(key)
}

type AttemptLimits = {
  /** Told to whoever has to wait. */
  readonly name?: string
  readonly most: number
  readonly windowMs: number
  readonly mostKeys?: number
}

export class Attempts {
  readonly name: string
  readonly #most: number
  readonly #windowMs: number
  readonly #mostKeys: number
  /** In the order in which their windows began, so that those at the front end first. */
  readonly #windows = new Map<string, { count: number; readonly startedAt: number }>()

  constructor({ name = 'attempts', most, windowMs, mostKeys = 50_000 }: AttemptLimits) {
    this.name = name
    this.#most = most
    this.#windowMs = windowMs
    this.#mostKeys = mostKeys
  }

  get limit(): { readonly name: string; readonly most: number; readonly windowMs: number } {
    return { name: this.name, most: this.#most, windowMs: this.#windowMs }
  }

  /**
   * Counts an attempt before its outcome is known, so that many at once are no way round the limit. Answers how many
   * milliseconds to wait where there were too many; 0 lets the attempt go on.
   */
  take(key: string, now: number): number {
    this.#dropEnded(now)
    const window = this.#windows.get(key)
    if (!window) {
      this.#windows.set(key, { count: 1, startedAt: now })
      return 0
    }
    if (window.count >= this.#most) return window.startedAt + this.#windowMs - now
    window.count += 1
    return 0
  }

  /** The attempt was no guess after all. */
  giveBack(key: string): void {
    const window = this.#windows.get(key)
    if (window) window.count = Math.max(0, window.count - 1)
  }

  forget(key: string): void {
    this.#windows.delete(key)
  }

  #dropEnded(now: number): void {
    for (const [key, { startedAt }] of this.#windows) {
      if (now < startedAt + this.#windowMs && this.#windows.size < this.#mostKeys) return
      this.#windows.delete(key)
    }
  }
}
