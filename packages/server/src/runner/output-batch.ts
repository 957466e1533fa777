// Collects the output of a step into chunks, which are written when full or after a short delay.
import type { Context } from '../context.ts'
import { appendOutput } from '../progress/progress.ts'
import { createAlarm } from '../scheduling/alarm.ts'
import { yieldToRequests } from '../scheduling/yield-to-requests.ts'
import type { Lease } from '../store/tasks/task-queue.ts'

/** Small enough, because reading part of the output reads whole chunks. */
const MAX_BYTES = 128 * 1024
/** Between two writes. Output after a pause waits only briefly, because users watch it live. */
const PACE_MS = 50
const MIN_WAIT_MS = 5
const NEWLINE = 0x0a

/** Writes happen one after the other, in order. */
export class OutputBatch {
  readonly #ctx: Context
  readonly #lease: Lease
  readonly #position: number
  #chunks: Uint8Array[] = []
  #size = 0
  #said: Buffer[] = []
  #isMidLine = false
  #read: number | undefined
  #readBytes: number | undefined
  readonly #late = createAlarm(() => this.#write())
  #writing: Promise<void> = Promise.resolve()
  #writtenAt = Number.NEGATIVE_INFINITY
  #failure: unknown

  constructor(ctx: Context, lease: Lease, position: number) {
    this.#ctx = ctx
    this.#lease = lease
    this.#position = position
  }

  /** How far this run has read the output on the server. */
  get read(): number | undefined {
    return this.#read
  }

  /**
   * Adds a line of the platform. It is written with the output that follows or with the end of the step: a step that is retried says its
   * lines again, so a line that was written alone would appear twice.
   */
  say(line: string): void {
    this.#said.push(Buffer.from(`${line}\n`))
  }

  /** Returns and removes the lines that are not written yet. */
  takeSaid(): Buffer {
    const said = Buffer.concat(this.#said)
    this.#said = []
    return said
  }

  /** The same, to be written with the end of the step; starts on a new line if the output ended in the middle of one. */
  takeEnd(): Buffer {
    return Buffer.concat([Buffer.from(this.#isMidLine ? '\n' : ''), this.takeSaid()])
  }

  /** `readBytes`: how far the output on the server has been read with these bytes. */
  put(bytes: Uint8Array, readBytes?: number): void {
    const said = this.takeSaid()
    this.#chunks.push(said, bytes)
    if (bytes.length > 0) this.#isMidLine = bytes.at(-1) !== NEWLINE
    this.#size += said.length + bytes.length
    this.#readBytes = readBytes ?? this.#readBytes
    this.#read = this.#readBytes ?? this.#read
    if (this.#size >= MAX_BYTES) this.#write()
    else this.#late.within(Math.max(MIN_WAIT_MS, this.#writtenAt + PACE_MS - performance.now()))
  }

  /** Back-pressure: resolves when full chunks are written. */
  async room(): Promise<void> {
    await this.#writing
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Writes everything. Rejects if any write has failed. */
  async flush(): Promise<void> {
    this.#write()
    await this.room()
  }

  /** Discards what is not written yet; the next run reads it again. */
  drop(): void {
    this.#late.clear()
    this.#chunks = []
    this.#size = 0
    this.#said = []
  }

  #write(): void {
    this.#late.clear()
    if (this.#size === 0 && this.#readBytes === undefined) return
    const chunk = {
      position: this.#position,
      bytes: Buffer.concat(this.#chunks),
      ...(this.#readBytes !== undefined && { readBytes: this.#readBytes }),
    }
    this.#chunks = []
    this.#size = 0
    this.#readBytes = undefined
    this.#writtenAt = performance.now()
    this.#writing = this.#writing
      // The embedded database answers within the same turn: without this, a flood of output would starve requests.
      .then(() => yieldToRequests())
      .then(() => {
        // After a failed write, a later chunk would record that the missing one was read.
        if (this.#failure === undefined) return appendOutput(this.#ctx, this.#lease, chunk)
      })
      .catch((error: unknown) => {
        this.#failure ??= error
      })
  }
}
