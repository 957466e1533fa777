// What a durable step prints, brought into the records: each byte once, and within what the limits leave to the task.
import { LimitedOutput, type OutputLimits, outputLimits } from '../remote/output-limits.ts'

type Batch = { put(bytes: Uint8Array, readBytes: number): void; room(): Promise<void> }

/**
 * The beginning of the output goes on at once, with the place up to which the server has been read. What comes beyond the head is
 * held here until the step ends: until then that place stays where the head ended, so that a run after a crash reads it again.
 */
export class StepOutput {
  readonly #batch: Batch
  readonly #limited: LimitedOutput
  #headLeft: number
  #read: number
  /** Up to where the records know. */
  #kept: number

  constructor(batch: Batch, { readBytes, limits }: { readonly readBytes: number; readonly limits: OutputLimits }) {
    this.#batch = batch
    this.#limited = new LimitedOutput(limits)
    this.#headLeft = limits.headBytes
    this.#read = readBytes
    this.#kept = readBytes
  }

  /** An offset past the bytes before means that the server did not keep what lies between. */
  async take(bytes: Buffer, offset: number): Promise<void> {
    const gap = offset > this.#read ? this.#limited.skip(offset - this.#read) : []
    this.#read = offset
    this.#put([...gap, ...this.#write(bytes.subarray(0, this.#headLeft))])
    // Cut lines leave room in the head for what follows them.
    let rest = bytes.subarray(this.#read - offset)
    while (rest.length > 0) {
      const part = this.#headLeft > 0 ? rest.subarray(0, this.#headLeft) : rest
      this.#put(this.#write(part))
      rest = rest.subarray(part.length)
    }
    await this.#batch.room()
  }

  /** Hands over what was held, in one piece with the place that it leads to: one without the other would tell it twice. */
  end(): void {
    const held = this.#limited.end()
    if (held.length > 0) this.#batch.put(Buffer.concat(held), this.#read)
  }

  #write(bytes: Buffer): Buffer[] {
    this.#read += bytes.length
    return this.#limited.write(bytes)
  }

  #put(pieces: readonly Buffer[]): void {
    const bytes = Buffer.concat(pieces)
    if (this.#headLeft > 0) this.#kept = this.#read
    else if (bytes.length === 0) return
    this.#headLeft -= bytes.length
    this.#batch.put(bytes, this.#kept)
  }
}

/** A step leaves this much of the tail to those after it, or half of what is left: each can say something. */
const LEFT_TO_OTHERS = 1024 * 1024

/** What a step may print of a task that has printed so much already. */
export function limitsAfter(printedBytes: number, { lineBytes, headBytes, tailBytes } = outputLimits): OutputLimits {
  const headLeft = Math.max(0, headBytes - printedBytes)
  const tailLeft = Math.min(tailBytes, Math.max(0, headBytes + tailBytes - printedBytes))
  const tail = Math.max(tailLeft - LEFT_TO_OTHERS, Math.floor(tailLeft / 2))
  return { lineBytes, headBytes: headLeft, tailBytes: Math.max(1, tail) }
}
