// All readers of the live channel in this process: limits, heartbeats and shutdown.
import { LIVE_CLOSE } from '@shipway/api/live'
import { type Actor, organizationsOf } from '../../domain/people/actor.ts'
import { RateLimiter } from '../../scheduling/rate-limiter.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { type Admission, findAdmission, type ReaderOwner } from './admit-reader.ts'

/** Signed-in readers. When all connections are taken, the user with the most gives one up. */
export const MOST_READERS = 2_000
/** A page or a command has one each. */
const MOST_PER_USER = 32
/** Readers that have not signed in yet: in total, and per network. */
const MOST_UNKNOWN = 200
const MOST_UNKNOWN_OF_NETWORK = 20
/** Twenty messages a second, and all topics at once at the beginning. */
const MESSAGES = { name: 'live', most: 240, windowMs: 6_000 }
/** Enough for every page of a user to reconnect after a restart, several times. */
const OPENINGS = { name: 'live openings', most: 240, windowMs: 60_000 }
const TICK_MS = 1_000
const HEARTBEAT_EVERY = 25

/** Short enough for the reason of a close, which has 123 bytes. */
const REFUSALS = {
  user: `You have ${MOST_PER_USER} live connections open. Close some pages or commands`,
  full: 'Too many live connections are open. Try again in a minute',
} as const

/** The parts of a reader that are needed here. */
export type ConnectedReader = {
  checkDeadlines(now: number): void
  heartbeat(): void
  check(): Promise<void>
  close(code: number, reason: string): void
  terminate(): void
}

/** Before a reader has signed in, its network counts. */
export type ReaderIdentity = { readonly actor: Actor | undefined; readonly network: string }
export type Refusal = { readonly reason: 'user' | 'full' | 'strangers' | 'closed'; readonly waitSeconds: number }

export class Readers {
  readonly #clock: () => number
  /** Signed-in readers, the oldest first. */
  readonly #signedIn = new Map<ConnectedReader, ReaderOwner>()
  /** Readers that have not signed in yet, with their networks. */
  readonly #anonymous = new Map<ConnectedReader, string>()
  /** Asked to close; terminated if they do not. */
  readonly #leaving = new Set<ConnectedReader>()
  readonly #messages = new RateLimiter(MESSAGES)
  readonly #openings = new RateLimiter(OPENINGS)
  readonly #names = new WeakMap<ConnectedReader, string>()
  #count = 0
  #isClosed = false
  #timer: NodeJS.Timeout | undefined

  constructor(clock: () => number) {
    this.#clock = clock
  }

  get size(): number {
    return this.#signedIn.size + this.#anonymous.size
  }

  /** Why a connection cannot be opened; undefined if it can. */
  refuse({ actor, network }: ReaderIdentity): Refusal | undefined {
    if (this.#isClosed) return { reason: 'closed', waitSeconds: 5 }
    if (!actor) return this.#hasRoomFor(network) ? undefined : { reason: 'strangers', waitSeconds: 60 }
    const waitMs = this.#openings.take(String(actor.userId), performance.now())
    if (waitMs > 0) return { reason: 'user', waitSeconds: Math.ceil(waitMs / 1000) }
    const admission = this.#admissionOf(ownerOf(actor))
    return admission.isFree ? undefined : { reason: admission.reason, waitSeconds: 60 }
  }

  add(reader: ConnectedReader, { actor, network }: ReaderIdentity): void {
    this.#names.set(reader, String(this.#count++))
    this.#anonymous.set(reader, network)
    if (actor) this.admit(reader, actor)
    if (this.#timer) return
    let ticks = 0
    this.#timer = setInterval(() => {
      const isHeartbeat = ++ticks % HEARTBEAT_EVERY === 0
      for (const one of this.#all()) one.checkDeadlines(this.#clock())
      for (const one of this.#leaving) one.terminate()
      if (isHeartbeat) void this.#sendHeartbeats(this.#all())
    }, TICK_MS)
  }

  /** Registers the user of a reader. Returns the reason if the reader is not admitted. */
  admit(reader: ConnectedReader, actor: Actor): string | undefined {
    const holder = ownerOf(actor)
    if (this.#signedIn.get(reader)?.userId === holder.userId) {
      // Its roles may have changed. It keeps its age.
      this.#signedIn.set(reader, holder)
      return undefined
    }
    const admission = this.#anonymous.has(reader) ? this.#admissionOf(holder) : NOT_ADMITTED
    if (!admission.isFree) return REFUSALS[admission.reason]
    if (admission.displaces) this.#displace(admission.displaces)
    this.#anonymous.delete(reader)
    this.#signedIn.set(reader, holder)
    return undefined
  }

  mayAsk(reader: ConnectedReader): boolean {
    return this.#messages.take(this.#names.get(reader) ?? '', performance.now()) === 0
  }

  remove(reader: ConnectedReader): void {
    this.#signedIn.delete(reader)
    this.#anonymous.delete(reader)
    this.#leaving.delete(reader)
    if (this.size + this.#leaving.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** A user's sign-ins or roles have changed. */
  check(userId: number): void {
    for (const [reader, holder] of this.#signedIn) if (holder.userId === userId) void reader.check()
  }

  /** Readers resume with the next platform process. */
  async close(): Promise<void> {
    this.#isClosed = true
    clearInterval(this.#timer)
    for (const reader of this.#all()) reader.close(LIVE_CLOSE.restart, 'The platform stops')
    // One that does not answer would keep the server from closing.
    await new Promise((resolve) => setTimeout(resolve, this.size + this.#leaving.size > 0 ? GRACE_MS : 0))
    for (const reader of [...this.#all(), ...this.#leaving]) reader.terminate()
  }

  #all(): readonly ConnectedReader[] {
    return [...this.#signedIn.keys(), ...this.#anonymous.keys()]
  }

  #admissionOf(holder: ReaderOwner): Admission<ConnectedReader> {
    return findAdmission([...this.#signedIn], holder, { mostReaders: MOST_READERS, mostPerUser: MOST_PER_USER })
  }

  #displace(reader: ConnectedReader): void {
    this.#signedIn.delete(reader)
    this.#leaving.add(reader)
    reader.close(LIVE_CLOSE.tooMany, 'All live connections are taken, and you have the most of them')
  }

  async #sendHeartbeats(readers: readonly ConnectedReader[]): Promise<void> {
    for (const reader of readers) {
      await yieldToRequests()
      if (this.#signedIn.has(reader) || this.#anonymous.has(reader)) reader.heartbeat()
    }
  }

  #hasRoomFor(network: string): boolean {
    const own = [...this.#anonymous.values()].filter((one) => one === network).length
    return this.#anonymous.size < MOST_UNKNOWN && own < MOST_UNKNOWN_OF_NETWORK
  }
}

const ownerOf = (actor: Actor): ReaderOwner => ({ userId: actor.userId, organizationIds: organizationsOf(actor) })
const NOT_ADMITTED = { isFree: false, reason: 'full' } as const
const GRACE_MS = 50
