// Stops somebody who tries out user codes: five wrong ones in ten minutes, by session and by address.
import type { Actor } from '../../domain/actor.ts'

const MOST = 5
const WINDOW_MS = 600_000

export class WrongCodes {
  #startedAt = 0
  #counts = new Map<string, number>()

  note(visitor: Actor, now: number): void {
    this.#begin(now)
    for (const key of keysOf(visitor)) this.#counts.set(key, (this.#counts.get(key) ?? 0) + 1)
  }

  /** Seconds until the next try; undefined while there are tries left. */
  waitSeconds(visitor: Actor, now: number): number | undefined {
    this.#begin(now)
    const isOver = keysOf(visitor).some((key) => (this.#counts.get(key) ?? 0) >= MOST)
    return isOver ? Math.max(1, Math.ceil((this.#startedAt + WINDOW_MS - now) / 1000)) : undefined
  }

  /** One window for everybody: dropping the whole map at its end keeps memory bounded without a timer. */
  #begin(now: number): void {
    if (now < this.#startedAt + WINDOW_MS) return
    this.#startedAt = now
    this.#counts = new Map()
  }
}

const keysOf = ({ userId, origin }: Actor): readonly string[] => [`user ${userId}`, `address ${origin.address}`]
