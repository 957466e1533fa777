// Limits the output of a task to a size that can be stored and shown: cuts long lines, and keeps the first and last part of long output.
import { LastBytes } from './last-bytes.ts'

export type OutputLimits = { readonly lineBytes: number; readonly headBytes: number; readonly tailBytes: number }

export const outputLimits: OutputLimits = {
  lineBytes: 64 * 1024,
  headBytes: 40 * 1024 * 1024,
  tailBytes: 10 * 1024 * 1024,
}

/**
 * Call it with the output in order and store what it returns. A note in the output says how many bytes are left out. `keptBefore` is how
 * much of the head an earlier process has already stored. Works on bytes: the output need not be text.
 */
export class LimitedOutput {
  readonly #limits: OutputLimits
  readonly #tail: LastBytes
  #headLeft: number
  #leftOut = 0
  #lineLength = 0
  #endsLine = true

  constructor(limits: OutputLimits = outputLimits, keptBefore = 0) {
    this.#limits = limits
    this.#tail = new LastBytes(limits.tailBytes)
    this.#headLeft = Math.max(0, limits.headBytes - keptBefore)
  }

  write(bytes: Buffer): Buffer[] {
    return this.#cutLines(bytes).flatMap((piece) => this.#keep(piece))
  }

  /** The server printed these bytes but did not keep them. */
  skip(count: number): Buffer[] {
    const lineNote = this.#endLine().flatMap((piece) => this.#keep(piece))
    this.#leftOut += count
    this.#tail.clear()
    // While the head has room, the note goes where the bytes are missing.
    return this.#headLeft > 0 ? [...lineNote, ...this.#noteLeftOut()] : lineNote
  }

  /** Returns the last bytes, after a line that says how many are missing before them. */
  end(): Buffer[] {
    const lineNote = this.#endLine().flatMap((piece) => this.#keep(piece))
    this.#leftOut += this.#tail.overwritten
    return [...lineNote, ...this.#noteLeftOut(), ...this.#tail.pieces()]
  }

  /** Removes what exceeds the limit of a line; returns as few pieces as possible. */
  #cutLines(bytes: Buffer): Buffer[] {
    if (this.#lineLength + bytes.length <= this.#limits.lineBytes) return this.#passShortLines(bytes)
    const pieces: Buffer[] = []
    let from = 0
    let at = 0
    while (at < bytes.length) {
      const found = bytes.indexOf(newline, at)
      const end = found < 0 ? bytes.length : found
      const room = Math.max(0, this.#limits.lineBytes - this.#lineLength)
      this.#lineLength += end - at
      if (end - at > room) {
        if (at + room > from) pieces.push(bytes.subarray(from, at + room))
        from = end
      }
      if (found < 0) break
      pieces.push(...this.#endLine())
      at = found + 1
    }
    if (from < bytes.length) pieces.push(bytes.subarray(from))
    return pieces
  }

  /** No line in them can be too long, so it only looks for the start of the last one. */
  #passShortLines(bytes: Buffer): Buffer[] {
    const end = bytes.lastIndexOf(newline)
    this.#lineLength = end < 0 ? this.#lineLength + bytes.length : bytes.length - end - 1
    return bytes.length > 0 ? [bytes] : []
  }

  #endLine(): Buffer[] {
    const missing = this.#lineLength - this.#limits.lineBytes
    this.#lineLength = 0
    return missing > 0 ? [Buffer.from(` [${missing} bytes of this line left out]`)] : []
  }

  #keep(piece: Buffer): Buffer[] {
    const head = piece.subarray(0, this.#headLeft)
    this.#headLeft -= head.length
    if (head.length < piece.length) this.#tail.add(piece.subarray(head.length))
    if (head.length === 0) return []
    this.#endsLine = head.at(-1) === newline
    return [head]
  }

  #noteLeftOut(): Buffer[] {
    if (this.#leftOut === 0) return []
    const note = Buffer.from(`${this.#endsLine ? '' : '\n'}[${this.#leftOut} bytes left out here]\n`)
    this.#leftOut = 0
    this.#endsLine = true
    return [note]
  }
}

const newline = 0x0a
