// Records the output of a durable step: each byte once, and within the limits of the task.

import { LimitedOutput, type OutputLimits, outputLimits } from '../remote/output-limits.ts'
import { type Admit, outputThrottle } from '../scheduling/output-throttle.ts'
import { yieldToRequests } from '../scheduling/yield-to-requests.ts'
import type { MaskedPiece, MaskStream } from '../secrets/mask.ts'

type Batch = { put(bytes: Uint8Array, readBytes: number): void; room(): Promise<void> }

/**
 * The head of the output is written at once, with the offset up to which the server's output was read. Output beyond the head is held here
 * until the step ends: until then the recorded offset stays at the end of the head, so that a run after a crash reads the rest again.
 * Secrets are masked first: bytes that may be the beginning of a secret count as not read.
 */
export class StepOutput {
  readonly #batch: Batch
  readonly #mask: MaskStream
  readonly #limited: LimitedOutput
  #admit: Admit = outputThrottle.openStream()
  #headLeft: number
  /** Offsets on the server: received, and passed by the mask. */
  #received: number
  #read: number
  /** Offset that the records have. */
  #recorded: number

  constructor(batch: Batch, { readBytes, limits, mask }: StepOutputOptions) {
    this.#batch = batch
    this.#mask = mask
    this.#limited = new LimitedOutput(limits)
    this.#headLeft = limits.headBytes
    this.#received = readBytes
    this.#read = readBytes
    this.#recorded = readBytes
  }

  /** A gap before `offset` means that the server has dropped that output. */
  async take(bytes: Buffer, offset: number): Promise<void> {
    if (offset > this.#received) this.#skipTo(offset)
    this.#received = offset + bytes.length
    for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
      const part = bytes.subarray(at, at + PIECE_BYTES)
      await this.#admit(part.length)
      for (const piece of this.#mask.write(part)) this.#takePiece(piece)
    }
    await this.#batch.room()
  }

  /** Stops throttling, because a caller waits for the rest. */
  hurry(): void {
    this.#admit = yieldToRequests
  }

  /** Writes the held output in one piece with its offset: separately, a crash in between would repeat the output. */
  end(): void {
    for (const piece of this.#mask.end()) this.#takePiece(piece)
    const held = this.#limited.end()
    if (held.length > 0) this.#batch.put(Buffer.concat(held), this.#read)
  }

  #skipTo(offset: number): void {
    for (const piece of this.#mask.end()) this.#takePiece(piece)
    const gap = this.#limited.skip(offset - this.#received)
    this.#read = offset
    if (this.#headLeft > 0) this.#recorded = offset
    // The note about the gap does not count as output.
    if (gap.length > 0) this.#batch.put(Buffer.concat(gap), this.#recorded)
  }

  #takePiece({ bytes, readBytes, isHidden }: MaskedPiece): void {
    if (isHidden) {
      this.#read += readBytes
      this.#put(this.#limited.write(bytes))
      return
    }
    // Lines that were cut leave room in the head.
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
    if (this.#headLeft > 0) this.#recorded = this.#read
    else if (bytes.length === 0) return
    this.#headLeft -= bytes.length
    this.#batch.put(bytes, this.#recorded)
  }
}

/** Small, because masking is slow where the output resembles a secret at every byte. */
const PIECE_BYTES = 8 * 1024

type StepOutputOptions = { readonly readBytes: number; readonly limits: OutputLimits; readonly mask: MaskStream }

/** A step leaves this much of the tail to later steps, or half of what is left. */
const RESERVED_FOR_OTHERS = 1024 * 1024

/** Of the head and of the tail of each step, while the database has no room. */
const BYTES_WHEN_FULL = 64 * 1024

/** Limits of the next step while the database is as large as it may be: enough to see why a step failed. */
export const limitsWhenFull = (printedBytes: number): OutputLimits => ({
  lineBytes: outputLimits.lineBytes,
  headBytes: Math.max(0, BYTES_WHEN_FULL - printedBytes),
  tailBytes: BYTES_WHEN_FULL,
})

/** Limits of the next step of a task that has already printed this much. */
export function limitsAfter(printedBytes: number, { lineBytes, headBytes, tailBytes } = outputLimits): OutputLimits {
  const headLeft = Math.max(0, headBytes - printedBytes)
  const tailLeft = Math.min(tailBytes, Math.max(0, headBytes + tailBytes - printedBytes))
  const tail = Math.max(tailLeft - RESERVED_FOR_OTHERS, Math.floor(tailLeft / 2))
  return { lineBytes, headBytes: headLeft, tailBytes: Math.max(1, tail) }
}
