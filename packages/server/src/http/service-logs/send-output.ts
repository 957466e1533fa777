/**
 * Sends a reader the logs of an environment: what is there already, read by a short process of its own, then what is printed, from the
 * ring that all readers share. Both have the lines of the moment in between, and each is sent once.
 */
import type { OutputLine } from '@shipway/api/live'
import { SeenLines } from '@shipway/api/live-client/seen-lines'
import { jitteredBackOff } from '../../scheduling/back-off.ts'
import { createSignal } from '../../scheduling/signal.ts'
import { yieldToRequests } from '../../scheduling/yield-to-requests.ts'
import { encode } from '../live/descriptions.ts'
import { encodeLines } from './encode-lines.ts'
import type { EnvironmentOutput, RingCursor } from './environment-output.ts'
import { type LineFilter, lineFilter } from './line-filter.ts'
import { microsOf, secondOf } from './line-time.ts'
import type { Fault, OutputReader } from './output-reader.ts'
import type { OutputChunk } from './output-ring.ts'
import { readHistory } from './read-history.ts'

/** `place`: where the reader would resume, in microseconds. */
export type SentOutput =
  | { readonly kind: 'stopped'; readonly place: number | undefined }
  | { readonly kind: 'ended' }
  | Fault

/** How often what is there is read again, because the ring has no longer what followed it. */
const MOST_READINGS = 3
/** How much the clocks of the platform and of a server may differ. */
const CLOCKS_DIFFER_MS = 3_000
const RETRY = { firstMs: 1_000, mostMs: 30_000 }

/** `from`: the place that the reader resumes from. Until the signal is aborted, unless there is an end to it. */
export async function sendOutput(
  reader: OutputReader,
  output: EnvironmentOutput,
  { from, signal }: { readonly from: number | undefined; readonly signal: AbortSignal },
): Promise<SentOutput> {
  return new OutputSender(reader, output, from, signal).run()
}

class OutputSender {
  readonly #reader: OutputReader
  readonly #output: EnvironmentOutput
  readonly #from: number | undefined
  readonly #signal: AbortSignal
  readonly #filter: LineFilter
  readonly #seen: SeenLines
  /** In milliseconds. */
  readonly #until: number | undefined
  readonly #changed = createSignal()
  readonly #cursor: RingCursor = { next: undefined, wake: () => this.#changed.fire() }
  /** Of the last line that was read before the ring; undefined once the ring is past the lines that both have. */
  #overlapsTo: number | undefined
  #lastSent = 0

  constructor(reader: OutputReader, output: EnvironmentOutput, from: number | undefined, signal: AbortSignal) {
    const { options } = reader
    this.#reader = reader
    this.#output = output
    this.#from = from
    this.#signal = signal
    this.#filter = lineFilter(options, from)
    this.#seen = new SeenLines({ skipsEarlier: options.tail !== undefined && from === undefined })
    this.#until = options.until === undefined ? undefined : endOfSecond(options.until)
  }

  async run(): Promise<SentOutput> {
    const { ctx, options } = this.#reader
    const isFollowing = options.follow !== false && (this.#until === undefined || this.#until > ctx.clock())
    this.#output.add(this.#cursor)
    try {
      const fault = isFollowing ? ((await this.#begin()) ?? (await this.#readUpToRing())) : await this.#readOnce(true)
      if (this.#signal.aborted) return { kind: 'stopped', place: this.#place() }
      if (fault) return fault
      if (isFollowing) {
        await this.#sendCurrent()
        await this.#sendRing()
      }
      return this.#signal.aborted ? { kind: 'stopped', place: this.#place() } : { kind: 'ended' }
    } finally {
      this.#output.remove(this.#cursor)
    }
  }

  #place(): number | undefined {
    return this.#lastSent === 0 ? this.#from : Math.floor(this.#lastSent / 1_000_000 - OVERLAP_SECONDS) * 1_000_000
  }

  /** A reader that comes back waits for a server that is away; a new one gets an error. */
  async #begin(): Promise<Fault | undefined> {
    const retry = createSignal()
    for (let failures = 1; !this.#signal.aborted; failures++) {
      const begun = await this.#output.begin()
      if (typeof begun === 'number') return undefined
      if (begun.kind === 'gone') return { kind: 'fault', code: 'not_found', detail: begun.detail }
      if (this.#from === undefined) return { kind: 'fault', code: 'server_unreachable', detail: begun.detail }
      await retry.next(this.#signal, jitteredBackOff(failures, RETRY))
    }
    return undefined
  }

  /** Reads what is there until the ring has all that follows. */
  async #readUpToRing(): Promise<Fault | undefined> {
    for (let readings = 1; ; readings++) {
      const attached = this.#output.ring.end
      const fault = await this.#readOnce(readings === 1)
      if (fault || this.#signal.aborted) return fault
      this.#cursor.next = attached
      if (attached >= this.#output.ring.start || readings === MOST_READINGS) return undefined
    }
  }

  async #readOnce(isFirst: boolean): Promise<Fault | undefined> {
    const { options } = this.#reader
    if (options.tail === 0 && this.#from === undefined && isFirst) return undefined
    return readHistory(this.#reader, this.#output, {
      seen: this.#seen,
      from: isFirst ? this.#from : this.#place(),
      signal: this.#signal,
      send: (lines) => this.#sendLines(lines),
    })
  }

  /** Of lines that were not sent yet. */
  async #sendLines(lines: readonly OutputLine[]): Promise<void> {
    const { topic, ctx } = this.#reader
    await this.#sendFrames(encodeLines(topic, lines.filter(this.#filter.wants), ctx.clock()))
    this.#noteSent(lines)
  }

  async #sendFrames(frames: readonly Buffer[]): Promise<void> {
    for (const frame of frames) {
      await yieldToRequests()
      await this.#reader.writer.sendInTurn(frame, this.#signal)
    }
  }

  #noteSent(lines: readonly OutputLine[]): void {
    const last = lines.at(-1)
    if (last) this.#lastSent = Math.max(this.#lastSent, microsOf(last.time))
  }

  async #sendCurrent(): Promise<void> {
    const { topic, ctx, writer } = this.#reader
    const event = { event: 'output.current', data: { environment_id: topic.id } } as const
    const seq = this.#place() ?? 0
    await writer.sendInTurn(encode(event, topic.name, { seq, at: ctx.clock() }), this.#signal)
  }

  async #sendRing(): Promise<void> {
    const { ring } = this.#output
    const resumeFrom = this.#seen.resumeFrom
    this.#overlapsTo = resumeFrom === undefined ? undefined : resumeFrom + 2 * OVERLAP_SECONDS
    this.#seen.beginConnection()
    while (!this.#signal.aborted) {
      this.#changed.forget()
      if ((this.#cursor.next ?? ring.end) < ring.start) await this.#skip()
      const chunk = ring.at(this.#cursor.next ?? ring.end)
      if (chunk) {
        await this.#sendChunk(chunk)
        this.#cursor.next = (this.#cursor.next ?? ring.end) + 1
        this.#output.noteProgress()
      } else if (this.#isOver()) return
      else await this.#changed.next(this.#signal, this.#msLeft())
    }
  }

  /** Tells the reader that lines are missing: the ring has no longer what follows the last one. */
  async #skip(): Promise<void> {
    const { ring } = this.#output
    const { topic, writer } = this.#reader
    await writer.room()
    this.#cursor.next = ring.start
    const first = ring.at(ring.start)?.lines[0]
    const to = first ? microsOf(first.time) : this.#lastSent
    writer.send({ type: 'lagged', topic: topic.name, seq: Math.min(this.#lastSent, to), to })
  }

  async #sendChunk(chunk: OutputChunk): Promise<void> {
    if (this.#filter.isAll && this.#overlapsTo === undefined && this.#until === undefined) {
      chunk.frames ??= encodeLines(this.#reader.topic, chunk.lines, chunk.at)
      await this.#sendFrames(chunk.frames)
      this.#noteSent(chunk.lines)
    } else await this.#sendLines(chunk.lines.filter((line) => this.#isNew(line) && this.#isInTime(line)))
  }

  #isNew(line: OutputLine): boolean {
    if (this.#overlapsTo === undefined) return true
    const second = secondOf(line.time)
    const earliest = this.#overlapsTo - 2 * OVERLAP_SECONDS
    if (second > this.#overlapsTo) this.#overlapsTo = undefined
    return second >= earliest && this.#seen.add(line)
  }

  #isInTime({ time }: OutputLine): boolean {
    return this.#until === undefined || secondOf(time) * 1000 < this.#until
  }

  #isOver(): boolean {
    return this.#msLeft() === 0
  }

  #msLeft(): number | undefined {
    if (this.#until === undefined) return undefined
    return Math.min(LONGEST_WAIT_MS, Math.max(0, this.#until + CLOCKS_DIFFER_MS - this.#reader.ctx.clock()))
  }
}

/** As long as the lines reach back that a reader remembers. */
const OVERLAP_SECONDS = 3
/** A timer takes no longer one. */
const LONGEST_WAIT_MS = 24 * 3_600_000

const endOfSecond = (time: string): number => (Math.floor(Date.parse(time) / 1000) + 1) * 1000
