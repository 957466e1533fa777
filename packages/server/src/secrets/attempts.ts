/** Counts guesses per key, such as wrong passwords for an e-mail, in memory that cannot grow without end. */

/** Both for each e-mail: wrong passwords, and mails with a link. */
export const createAttempts = () => ({
  signIn: new Attempts({ most: 10, windowMs: FIVE_MINUTES_MS }),
  passwordReset: new Attempts({ most: 5, windowMs: FIVE_MINUTES_MS }),
})

const FIVE_MINUTES_MS = 5 * 60_000

export class Attempts {
  readonly #most: number
  readonly #windowMs: number
  readonly #mostKeys: number
  /** In the order in which their windows began, so that those at the front end first. */
  readonly #windows = new Map<string, { count: number; readonly startedAt: number }>()

  constructor({ most, windowMs, mostKeys = 50_000 }: { most: number; windowMs: number; mostKeys?: number }) {
    this.#most = most
    this.#windowMs = windowMs
    this.#mostKeys = mostKeys
  }

  get limit(): { readonly most: number; readonly windowMs: number } {
    return { most: this.#most, windowMs: this.#windowMs }
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
