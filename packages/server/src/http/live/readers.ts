// All readers of the live channel in this process: how many there may be, who is looked at again, and their end.
import { LIVE_CLOSE } from '@shipway/api/live'
import { type Actor, organizationsOf } from '../../domain/people/actor.ts'
import { RateLimiter } from '../../scheduling/rate-limiter.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { findPlace, type Holder, type Place } from './admit-reader.ts'

/** Who have signed in. When all are taken, the largest holder gives one up. */
export const MOST_READERS = 2_000
/** A page or a command has one each. */
const MOST_PER_USER = 32
/** Who have not said yet who they are: in all, and from one network. */
const MOST_UNKNOWN = 200
const MOST_UNKNOWN_OF_NETWORK = 20
/** Twenty messages a second, and all topics at once at the beginning. */
const MESSAGES = { name: 'live', most: 240, windowMs: 6_000 }
/** Every page of a user again after a restart, and again. */
const OPENINGS = { name: 'live openings', most: 240, windowMs: 60_000 }
const LOOK_MS = 1_000
const PROVE_EVERY = 25

/** Short enough for the reason of a close, which has 123 bytes. */
const REFUSALS = {
  user: `You have ${MOST_PER_USER} live connections open. Close some pages or commands`,
  full: 'Too many live connections are open. Try again in a minute',
} as const

/** As much of a reader as is needed here. */
export type Connected = {
  look(now: number): void
  prove(): void
  check(): Promise<void>
  close(code: number, reason: string): void
  terminate(): void
}

/** Until it is known who a reader is, its network counts. */
export type Whose = { readonly actor: Actor | undefined; readonly network: string }
export type Refusal = { readonly reason: 'user' | 'full' | 'strangers' | 'closed'; readonly waitSeconds: number }

export class Readers {
  readonly #clock: () => number
  /** Those who have signed in, the oldest first. */
  readonly #holders = new Map<Connected, Holder>()
  /** The others, with their networks. */
  readonly #strangers = new Map<Connected, string>()
  /** Were told to close, and are cut off where they do not. */
  readonly #leaving = new Set<Connected>()
  readonly #messages = new RateLimiter(MESSAGES)
  readonly #openings = new RateLimiter(OPENINGS)
  readonly #names = new WeakMap<Connected, string>()
  #count = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(clock: () => number) {
    this.#clock = clock
  }

  get size(): number {
    return this.#holders.size + this.#strangers.size
  }

  /** Before a connection is opened: why it cannot be. */
  refuse({ actor, network }: Whose): Refusal | undefined {
    if (this.#isClosed) return { reason: 'closed', waitSeconds: 5 }
    if (!actor) return this.#hasRoomFor(network) ? undefined : { reason: 'strangers', waitSeconds: 60 }
    const waitMs = this.#openings.take(String(actor.userId), performance.now())
    if (waitMs > 0) return { reason: 'user', waitSeconds: Math.ceil(waitMs / 1000) }
    const place = this.#placeFor(holderOf(actor))
    return place.isFree ? undefined : { reason: place.reason, waitSeconds: 60 }
  }

  add(reader: Connected, { actor, network }: Whose): void {
    this.#names.set(reader, String(this.#count++))
    this.#strangers.set(reader, network)
    if (actor) this.admit(reader, actor)
    if (this.#timer) return
    let looks = 0
    this.#timer = setInterval(() => {
      const isProof = ++looks % PROVE_EVERY === 0
      for (const one of this.#all()) one.look(this.#clock())
      for (const one of this.#leaving) one.terminate()
      if (isProof) void this.#prove(this.#all())
    }, LOOK_MS)
  }

  /** Says who a reader is by now. Gives the reason where there is no place for it. */
  admit(reader: Connected, actor: Actor): string | undefined {
    const holder = holderOf(actor)
    if (this.#holders.get(reader)?.userId === holder.userId) {
      // Its roles may have changed. It keeps its place, and its age.
      this.#holders.set(reader, holder)
      return undefined
    }
    const place = this.#strangers.has(reader) ? this.#placeFor(holder) : NO_PLACE
    if (!place.isFree) return REFUSALS[place.reason]
    if (place.displaces) this.#displace(place.displaces)
    this.#strangers.delete(reader)
    this.#holders.set(reader, holder)
    return undefined
  }

  mayAsk(reader: Connected): boolean {
    return this.#messages.take(this.#names.get(reader) ?? '', performance.now()) === 0
  }

  remove(reader: Connected): void {
    this.#holders.delete(reader)
    this.#strangers.delete(reader)
    this.#leaving.delete(reader)
    if (this.size + this.#leaving.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** A user's sign-ins or roles have changed. */
  check(userId: number): void {
    for (const [reader, holder] of this.#holders) if (holder.userId === userId) void reader.check()
  }

  /** Whoever is here goes on from where it was with the next platform. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const reader of this.#all()) reader.close(LIVE_CLOSE.restart, 'The platform stops')
    // One that does not answer would keep the server from closing.
    await new Promise((resolve) => setTimeout(resolve, this.size + this.#leaving.size > 0 ? GRACE_MS : 0))
    for (const reader of [...this.#all(), ...this.#leaving]) reader.terminate()
  }

  #all(): readonly Connected[] {
    return [...this.#holders.keys(), ...this.#strangers.keys()]
  }

  #placeFor(holder: Holder): Place<Connected> {
    return findPlace([...this.#holders], holder, { mostReaders: MOST_READERS, mostPerUser: MOST_PER_USER })
  }

  #displace(reader: Connected): void {
    this.#holders.delete(reader)
    this.#leaving.add(reader)
    reader.close(LIVE_CLOSE.tooMany, 'All live connections are taken, and you have the most of them')
  }

  async #prove(readers: readonly Connected[]): Promise<void> {
    for (const reader of readers) {
      await yieldToRequests()
      if (this.#holders.has(reader) || this.#strangers.has(reader)) reader.prove()
    }
  }

  #hasRoomFor(network: string): boolean {
    const own = [...this.#strangers.values()].filter((one) => one === network).length
    return this.#strangers.size < MOST_UNKNOWN && own < MOST_UNKNOWN_OF_NETWORK
  }
}

const holderOf = (actor: Actor): Holder => ({ userId: actor.userId, organizationIds: organizationsOf(actor) })
const NO_PLACE = { isFree: false, reason: 'full' } as const
const GRACE_MS = 50
