// Gathers what a step prints into chunks worth writing: by size, or after a moment of waiting.
import type { Context } from '../context.ts'
import { appendOutput } from '../progress/progress.ts'
import type { Lease } from '../store/task-queue.ts'

const MOST_BYTES = 64 * 1024
const MOST_WAIT_MS = 80

/** Writes follow each other, in order. */
export class OutputBatch {
  readonly #ctx: Context
  readonly #lease: Lease
  readonly #position: number
  #chunks: Uint8Array[] = []
  #size = 0
  #readBytes: number | undefined
  #timer: NodeJS.Timeout | undefined
  #writing: Promise<void> = Promise.resolve()
  #failure: unknown

  constructor(ctx: Context, lease: Lease, position: number) {
    this.#ctx = ctx
    this.#lease = lease
    this.#position = position
  }

  /** `readBytes`: how far the output on the server has been read with these bytes. */
  put(bytes: Uint8Array, readBytes?: number): void {
    this.#chunks.push(bytes)
    this.#size += bytes.length
    this.#readBytes = readBytes ?? this.#readBytes
    if (this.#size >= MOST_BYTES) this.#write()
    else this.#timer ??= setTimeout(() => this.#write(), MOST_WAIT_MS)
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
    clearTimeout(this.#timer)
    this.#timer = undefined
    this.#chunks = []
    this.#size = 0
  }

  #write(): void {
    clearTimeout(this.#timer)
    this.#timer = undefined
    if (this.#size === 0 && this.#readBytes === undefined) return
    const chunk = {
      position: this.#position,
      bytes: Buffer.concat(this.#chunks),
      ...(this.#readBytes !== undefined && { readBytes: this.#readBytes }),
    }
    this.#chunks = []
    this.#size = 0
    this.#readBytes = undefined
    this.#writing = this.#writing
      .then(() => appendOutput(this.#ctx, this.#lease, chunk))
      .catch((error: unknown) => {
        this.#failure ??= error
      })
  }
}
