// What a durable step prints, brought into the records: each byte once, and within what the limits leave to the task.

import { LimitedOutput, type OutputLimits, outputLimits } from '../remote/output-limits.ts'
import { type Admit, outputThrottle } from '../scheduling/output-throttle.ts'
import { yieldToRequests } from '../scheduling/yield-to-requests.ts'
import type { MaskedPiece, MaskStream } from '../secrets/mask.ts'

type Batch = { put(bytes: Uint8Array, readBytes: number): void; room(): Promise<void> }

/**
 * The beginning of the output goes on at once, with the place up to which the server has been read. What comes beyond the head is
 * held here until the step ends: until then that place stays where the head ended, so that a run after a crash reads it again.
 * Secrets are hidden before anything else is done: bytes that may be the beginning of one count as not read.
 */
export class StepOutput {
  readonly #batch: Batch
  readonly #mask: MaskStream
  readonly #limited: LimitedOutput
  #letIn: Admit = outputThrottle.openStream()
  #headLeft: number
  /** Up to where the server was read, and up to where that is decided. */
  #seen: number
  #read: number
  /** Up to where the records know. */
  #kept: number

  constructor(batch: Batch, { readBytes, limits, mask }: StepOutputOptions) {
    this.#batch = batch
    this.#mask = mask
    this.#limited = new LimitedOutput(limits)
    this.#headLeft = limits.headBytes
    this.#seen = readBytes
    this.#read = readBytes
    this.#kept = readBytes
  }

  /** An offset past the bytes before means that the server did not keep what lies between. */
  async take(bytes: Buffer, offset: number): Promise<void> {
    if (offset > this.#seen) this.#skipTo(offset)
    this.#seen = offset + bytes.length
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const part = bytes.subarray(at, at + PIECE_BYTES)
      await this.#letIn(part.length)
      for (const piece of this.#mask.write(part)) this.#takePiece(piece)
    }
    await this.#batch.room()
  }

  /** Somebody waits for the rest. */
  hurry(): void {
    this.#letIn = yieldToRequests
  }

  /** Hands over what was held, in one piece with the place that it leads to: one without the other would tell it twice. */
  end(): void {
    for (const piece of this.#mask.end()) this.#takePiece(piece)
    const held = this.#limited.end()
    if (held.length > 0) this.#batch.put(Buffer.concat(held), this.#read)
  }

  #skipTo(offset: number): void {
    for (const piece of this.#mask.end()) this.#takePiece(piece)
    const gap = this.#limited.skip(offset - this.#seen)
    this.#read = offset
    if (this.#headLeft > 0) this.#kept = offset
    // Its note is not part of the output, so it takes no room of the head.
    if (gap.length > 0) this.#batch.put(Buffer.concat(gap), this.#kept)
  }

  #takePiece({ bytes, readBytes, isHidden }: MaskedPiece): void {
    if (isHidden) {
      this.#read += readBytes
      this.#put(this.#limited.write(bytes))
      return
    }
    // Cut lines leave room in the head for what follows them.
    let rest = bytes
    while (rest.length > 0) {
      const part = this.#headLeft > 0 ? rest.subarray(0, this.#headLeft) : rest
      this.#read += part.length
      this.#put(this.#limited.write(part))
      rest = rest.subarray(part.length)
    }
  }

  #put(pieces: readonly Buffer[]): void {
    const bytes = Buffer.concat(pieces)
    if (this.#headLeft > 0) this.#kept = this.#read
    else if (bytes.length === 0) return
    this.#headLeft -= bytes.length
    this.#batch.put(bytes, this.#kept)
  }
}

/** Hiding takes long where the output is nearly a secret at every byte. */
const PIECE_BYTES = 8 * 1024

type StepOutputOptions = { readonly readBytes: number; readonly limits: OutputLimits; readonly mask: MaskStream }

/** A step leaves this much of the tail to those after it, or half of what is left: each can say something. */
const LEFT_TO_OTHERS = 1024 * 1024

/** What a step may print of a task that has printed so much already. */
export function limitsAfter(printedBytes: number, { lineBytes, headBytes, tailBytes } = outputLimits): OutputLimits {
  const headLeft = Math.max(0, headBytes - printedBytes)
  const tailLeft = Math.min(tailBytes, Math.max(0, headBytes + tailBytes - printedBytes))
  const tail = Math.max(tailLeft - LEFT_TO_OTHERS, Math.floor(tailLeft / 2))
  return { lineBytes, headBytes: headLeft, tailBytes: Math.max(1, tail) }
}
