// Gathers what a step prints into chunks worth writing: by size, or after a moment of waiting.
import type { Context } from '../context.ts'
import { appendOutput } from '../progress/progress.ts'
import { createAlarm } from '../scheduling/alarm.ts'
import { yieldToRequests } from '../scheduling/yield-to-requests.ts'
import type { Lease } from '../store/tasks/task-queue.ts'

/** Of which a reader of a part reads a whole one. */
const MOST_BYTES = 128 * 1024
/** Between two writes; what comes after a pause waits a moment only, since people look on. */
const PACE_MS = 50
const LEAST_WAIT_MS = 5
const NEWLINE = 0x0a

/** Writes follow each other, in order. */
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

  /** How far the output on the server has been read by this one. */
  get read(): number | undefined {
    return this.#read
  }

  /**
   * A line of the platform's own. It waits for the output that follows it, or for the end of the step: a step that is done
   * again says its lines again, and one that was written alone would be there twice.
   */
  say(line: string): void {
    this.#said.push(Buffer.from(`${line}\n`))
  }

  /** The lines that wait, to be said again. */
  takeSaid(): Buffer {
    const said = Buffer.concat(this.#said)
    this.#said = []
    return said
  }

  /** The lines that wait, to be written with the end of the step: on lines of their own, though what was printed has no end. */
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
    if (this.#size >= MOST_BYTES) this.#write()
    else this.#late.within(Math.max(LEAST_WAIT_MS, this.#writtenAt + PACE_MS - performance.now()))
  }

  /** Waits until what is full has been written, for whoever can print faster than that. */
  async room(): Promise<void> {
    await this.#writing
    if (this.#failure !== undefined) throw this.#failure
  }

  /** Whatever could not be written is thrown here, to the step that printed it. */
  async flush(): Promise<void> {
    this.#write()
    await this.room()
  }

  /** Ends the waiting; what was not written is somebody else's to read again. */
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
      // The embedded database answers within the same turn: without this, a flood would let nobody else have one.
      .then(() => yieldToRequests())
      .then(() => {
        // What comes after a piece that is missing would say that it has been read up to there.
        if (this.#failure === undefined) return appendOutput(this.#ctx, this.#lease, chunk)
      })
      .catch((error: unknown) => {
        this.#failure ??= error
      })
  }
}
