/**
 * The live end of an environment's logs on one server: one process there, however many readers follow here. It runs while a reader
 * follows. What it prints is masked once and goes into a ring, from which each reader takes at its own pace.
 *
 * The process is started again where it ends: from a little before the last line, and lines that are in the ring already are left out.
 * Reading waits for the fastest reader, so a burst costs no line; a reader that is slower than that loses what the ring no longer holds.
 */

import type { OutputLine } from '@shipway/api/live'
import { SeenLines } from '@shipway/api/live-client/seen-lines'
import type { Context } from '../../context.ts'
import type { Viewer } from '../../domain/people/actor.ts'
import { jitteredBackOff } from '../../scheduling/back-off.ts'
import { outputThrottle } from '../../scheduling/output-throttle.ts'
import { createSignal } from '../../scheduling/signal.ts'
import type { Mask } from '../../secrets/mask.ts'
import { findEnvironmentAnywhere } from '../../store/environments/environments.ts'
import { findServer, type Server } from '../../store/servers/servers.ts'
import { LineReader, type RawLine } from './line-reader.ts'
import { secondOf } from './line-time.ts'
import { maskLines } from './mask-lines.ts'
import { OutputRing } from './output-ring.ts'

/** How far the fastest reader may be behind before reading waits for it, and for how long. */
const PREFETCHED_CHUNKS = 8
const TIMEOUT_MS = 5_000
const RETRY = { firstMs: 1_000, mostMs: 30_000 }
/** A process that ran this long was connected: the next failure is the first again. */
const STEADY_MS = 30_000
/** When a text of exactly one piece is taken for whole. */
const FLUSH_MS = 250

/** A reader of the ring: the number of the chunk that it takes next, once it reads from there. */
export type RingCursor = { next: number | undefined; wake(): void }
export type OutputSource = { readonly environmentId: number; readonly serverId: number }
/** `gone`: the environment or the server was deleted. */
export type BeginFailure = { readonly kind: 'lost' | 'failed' | 'gone'; readonly detail: string }

export const GONE = 'The environment or its server was deleted'

/** Its variables went with it, so what it printed can no longer be masked. */
export class EnvironmentGone extends Error {
  constructor() {
    super('The environment was deleted while its logs were read')
  }
}

export class EnvironmentOutput {
  readonly environmentId: number
  readonly ring = new OutputRing()
  readonly #ctx: Context
  readonly #serverId: number
  readonly #onGone: () => void
  readonly #cursors = new Set<RingCursor>()
  readonly #moved = createSignal()
  readonly #stopper = new AbortController()
  #mask: Promise<Mask> | undefined
  #begun: Promise<number | BeginFailure> | undefined
  #latest: number | undefined

  /** `onGone`: the environment or the server was deleted. */
  constructor(ctx: Context, { environmentId, serverId }: OutputSource, onGone: () => void) {
    this.#ctx = ctx
    this.environmentId = environmentId
    this.#serverId = serverId
    this.#onGone = onGone
  }

  /** Where the ring begins, in seconds of the server's clock: everything printed from then on goes into it. Starts it for the first. */
  async begin(): Promise<number | BeginFailure> {
    this.#begun ??= this.#start()
    const begun = await this.#begun
    // The next reader tries again.
    if (typeof begun !== 'number') this.#begun = undefined
    return begun
  }

  /** A variable has changed: what follows is masked with its new value. */
  forgetMask(): void {
    this.#mask = undefined
  }

  add(cursor: RingCursor): void {
    this.#cursors.add(cursor)
  }

  remove(cursor: RingCursor): void {
    this.#cursors.delete(cursor)
    this.#moved.fire()
  }

  /** A reader has taken a chunk. */
  noteProgress(): void {
    this.#moved.fire()
  }

  /** Ends the process on the server. */
  stop(): void {
    this.#stopper.abort()
  }

  async mask(lines: readonly RawLine[]): Promise<readonly OutputLine[]> {
    return maskLines(await this.#openMask(), lines)
  }

  async maskText(text: string): Promise<string> {
    return (await this.#openMask()).text(text)
  }

  /** The record as it is now; undefined if it was deleted. */
  async findServer(): Promise<Server | undefined> {
    const { db } = this.#ctx
    const environment = await findEnvironmentAnywhere(db, this.environmentId)
    if (!environment) return undefined
    const viewer: Viewer = { roles: new Map([[environment.organizationId, 'viewer']]) }
    return findServer(db, viewer, this.#serverId)
  }

  async #openMask(): Promise<Mask> {
    for (;;) {
      this.#mask ??= this.#loadMask().catch((error: unknown) => {
        // The next line tries again.
        this.#mask = undefined
        throw error
      })
      const opened = this.#mask
      const mask = await opened
      // A variable that changed meanwhile counts.
      if (this.#mask === opened) return mask
    }
  }

  async #loadMask(): Promise<Mask> {
    const environment = await findEnvironmentAnywhere(this.#ctx.db, this.environmentId)
    if (!environment) throw new EnvironmentGone()
    return this.#ctx.openLogMask(environment)
  }

  async #start(): Promise<number | BeginFailure> {
    const server = await this.findServer()
    if (!server) return { kind: 'gone', detail: GONE }
    const now = await this.#ctx.serviceLogs.now(server, this.#stopper.signal)
    if (typeof now !== 'number') return now
    void this.#follow(now)
    return now
  }

  async #follow(began: number): Promise<void> {
    const { signal } = this.#stopper
    const retry = createSignal()
    for (let failures = 0; !signal.aborted; ) {
      const startedAt = performance.now()
      const end = await this.#followOnce(began).catch((error: unknown) => this.#explain(error))
      if (signal.aborted) return
      if (end === 'gone') return this.#onGone()
      if (end === 'renew') continue
      failures = performance.now() - startedAt > STEADY_MS ? 1 : failures + 1
      await retry.next(signal, jitteredBackOff(failures, RETRY))
    }
  }

  async #followOnce(began: number): Promise<FollowEnd> {
    const { signal } = this.#stopper
    const server = await this.findServer()
    if (!server) return 'gone'
    const intake = this.#openIntake()
    const since = Math.max(began, (this.#latest ?? 0) - OVERLAP_SECONDS)
    const end = await this.#ctx.serviceLogs.follow(server, this.environmentId, { since, signal, onOutput: intake.add })
    await intake.close()
    return end.kind === 'renew' ? 'renew' : 'lost'
  }

  /** The database may be away for a moment: readers stay, and go on when it is back. */
  #explain(error: unknown): FollowEnd {
    if (error instanceof EnvironmentGone) return 'gone'
    if (!this.#stopper.signal.aborted)
      this.#ctx.log.error({ err: error }, 'the logs of an environment could not be followed')
    return 'lost'
  }

  /** For one process. */
  #openIntake() {
    const reader = new LineReader()
    const admit = outputThrottle.openStream()
    const isNew = this.#linesAfterRing()
    let timer: NodeJS.Timeout | undefined
    let flushed: Promise<void> = Promise.resolve()
    const take = async (lines: readonly RawLine[]): Promise<void> => this.#push((await this.mask(lines)).filter(isNew))
    const flush = (): void => {
      flushed = take(reader.flush())
      // The error is reported where it is awaited, once more output comes or the process has ended.
      flushed.catch(() => undefined)
    }
    return {
      add: async (bytes: Buffer): Promise<void> => {
        clearTimeout(timer)
        await flushed
        await admit(bytes.length)
        await take(reader.add(bytes))
        if (reader.isHolding) timer = setTimeout(flush, FLUSH_MS)
        await this.#waitForReaders()
      },
      close: async (): Promise<void> => {
        clearTimeout(timer)
        await flushed
        await take(reader.flush())
      },
    }
  }

  /** Says of each line of the next process whether the ring does not have it yet. */
  #linesAfterRing(): (line: OutputLine) => boolean {
    const latest = this.#latest
    if (latest === undefined) return () => true
    const seen = new SeenLines({ skipsEarlier: false })
    seen.beginConnection()
    for (const { lines } of this.ring.chunks) for (const line of lines) seen.add(line)
    seen.beginConnection()
    const oldest = this.ring.start > 0 ? this.ring.chunks[0]?.lines[0]?.time : undefined
    let isOver = false
    return (line) => {
      if (isOver) return true
      // Never again: the lines that both have are a few seconds long.
      isOver = secondOf(line.time) > latest + OVERLAP_SECONDS
      return seen.add(line) && (oldest === undefined || line.time >= oldest)
    }
  }

  #push(lines: readonly OutputLine[]): void {
    if (lines.length === 0) return
    this.ring.push(lines, this.#ctx.clock())
    for (const { time } of lines) this.#latest = Math.max(this.#latest ?? 0, secondOf(time))
    for (const cursor of this.#cursors) cursor.wake()
  }

  async #waitForReaders(): Promise<void> {
    const deadline = performance.now() + TIMEOUT_MS
    for (;;) {
      this.#moved.forget()
      const places = [...this.#cursors].flatMap(({ next }) => next ?? [])
      const leftMs = deadline - performance.now()
      if (places.length === 0 || this.ring.end - Math.max(...places) < PREFETCHED_CHUNKS || leftMs <= 0) return
      if (!(await this.#moved.next(this.#stopper.signal, leftMs))) return
    }
  }
}

type FollowEnd = 'gone' | 'renew' | 'lost'

/** Services print concurrently, and one may be a little late. */
const OVERLAP_SECONDS = 3
