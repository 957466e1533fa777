// What a durable step prints, brought into the records: each byte once, and within what the limits leave to the task.
import { LimitedOutput, type OutputLimits, outputLimits } from '../remote/output-limits.ts'

type Batch = { put(bytes: Uint8Array, readBytes?: number): void; room(): Promise<void> }

/**
 * The beginning of the output goes on at once, with the place up to which the server has been read. What comes beyond the head is
 * held here until the step ends: until then that place stays where the head ended, so that a run after a crash reads it again.
 */
export class StepOutput {
  readonly #batch: Batch
  readonly #limited: LimitedOutput
  #headLeft: number
  #read: number

  constructor(batch: Batch, { readBytes, limits }: { readonly readBytes: number; readonly limits: OutputLimits }) {
    this.#batch = batch
    this.#limited = new LimitedOutput(limits)
    this.#headLeft = limits.headBytes
    this.#read = readBytes
  }

  /** An offset past the bytes before means that the server did not keep what lies between. */
  async take(bytes: Buffer, offset: number): Promise<void> {
    if (offset > this.#read) this.#putHead(this.#limited.skip(offset - this.#read))
    this.#read = offset
    let rest = bytes
    while (rest.length > 0 && this.#headLeft > 0) {
      const part = rest.subarray(0, this.#headLeft)
      this.#read += part.length
      this.#putHead(this.#limited.write(part), this.#read)
      rest = rest.subarray(part.length)
    }
    if (rest.length > 0) this.#hold(rest)
    await this.#batch.room()
  }

  /** Hands over what was held, in one piece with the place that it leads to: one without the other would tell it twice. */
  end(): void {
    const held = this.#limited.end()
    if (held.length > 0) this.#batch.put(Buffer.concat(held), this.#read)
  }

  #putHead(pieces: readonly Buffer[], readBytes?: number): void {
    for (const piece of pieces) {
      this.#headLeft -= piece.length
      this.#batch.put(piece)
    }
    if (readBytes !== undefined) this.#batch.put(Buffer.alloc(0), readBytes)
  }

  #hold(bytes: Buffer): void {
    this.#read += bytes.length
    for (const piece of this.#limited.write(bytes)) this.#batch.put(piece)
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
