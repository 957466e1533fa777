// All readers of the live channel in this process: how many there may be, who is looked at again, and their end.
import { LIVE_CLOSE } from '@shipway/api/live'
import { RateLimiter } from '../../pacing/rate-limiter.ts'
import { spareTime } from '../../pacing/spare-time.ts'
import type { Reader } from './reader.ts'

export const MOST_READERS = 2_000
/** Half of all, so that nobody can take every place. */
const MOST_PER_USER = MOST_READERS / 2
/** Who have not said yet who they are: in all, and from one network. */
const MOST_UNKNOWN = 200
const MOST_UNKNOWN_OF_NETWORK = 20
/** Twenty messages a second, and all topics at once at the beginning. */
const MESSAGES = { name: 'live', most: 240, windowMs: 6_000 }
const LOOK_MS = 1_000
const PROVE_EVERY = 25

/** Whose a connection is: a user's, or, until that is known, a network's. */
type Whose = { readonly userId: number | undefined; readonly network: string }

export class Readers {
  readonly #clock: () => number
  /** With the user that each is, once that is known. */
  readonly #users = new Map<Reader, number | undefined>()
  readonly #networks = new WeakMap<Reader, string>()
  readonly #messages = new RateLimiter(MESSAGES)
  readonly #names = new WeakMap<Reader, string>()
  #count = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(clock: () => number) {
    this.#clock = clock
  }

  get size(): number {
    return this.#users.size
  }

  get isClosed(): boolean {
    return this.#isClosed
  }

  hasRoom({ userId, network }: Whose): boolean {
    if (this.#isClosed || this.size >= MOST_READERS) return false
    if (userId !== undefined) return this.#countOf(userId) < MOST_PER_USER
    return this.#countOf(undefined) < MOST_UNKNOWN && this.#countOf(undefined, network) < MOST_UNKNOWN_OF_NETWORK
  }

  add(reader: Reader, { userId, network }: Whose): void {
    this.#users.set(reader, userId)
    this.#networks.set(reader, network)
    this.#names.set(reader, String(this.#count++))
    if (this.#timer) return
    let looks = 0
    this.#timer = setInterval(() => {
      const isProof = ++looks % PROVE_EVERY === 0
      for (const one of this.#users.keys()) one.look(this.#clock())
      if (isProof) void this.#prove([...this.#users.keys()])
    }, LOOK_MS)
  }

  /** Says who somebody is; false where that user has too many already. */
  admit(reader: Reader, userId: number): boolean {
    if (this.#users.get(reader) === userId) return true
    if (!this.#users.has(reader) || this.#countOf(userId) >= MOST_PER_USER) return false
    this.#users.set(reader, userId)
    return true
  }

  mayAsk(reader: Reader): boolean {
    return this.#messages.take(this.#names.get(reader) ?? '', performance.now()) === 0
  }

  remove(reader: Reader): void {
    this.#users.delete(reader)
    if (this.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Somebody's sign-ins or roles have changed. */
  check(userId: number): void {
    for (const [reader, own] of this.#users) if (own === userId) void reader.check()
  }

  /** Whoever is here goes on from where it was with the next platform. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const reader of this.#users.keys()) reader.close(LIVE_CLOSE.restart, 'The platform stops')
    // One that does not answer would keep the server from closing.
    await new Promise((resolve) => setTimeout(resolve, this.size > 0 ? GRACE_MS : 0))
    for (const reader of this.#users.keys()) reader.terminate()
  }

  async #prove(readers: readonly Reader[]): Promise<void> {
    for (const reader of readers) {
      await spareTime()
      if (this.#users.has(reader)) reader.prove()
    }
  }

  #countOf(userId: number | undefined, network?: string): number {
    let count = 0
    for (const [reader, own] of this.#users)
      if (own === userId && (network === undefined || this.#networks.get(reader) === network)) count++
    return count
  }
}

const GRACE_MS = 50
