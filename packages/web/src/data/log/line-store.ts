// The lines of a task's output, made from pieces that end anywhere. It knows at which byte of the log each line begins, and keeps as
// much as a page can hold: of more than that the oldest lines go, and the raw log still has them.
import { plainText, settleLine } from './settle-line.ts'
import { codesOf, PLAIN, type Style } from './style.ts'
import { utf8Length } from './utf8-length.ts'

export type Bounds = { readonly characters: number; readonly lines: number }

const BOUNDS: Bounds = { characters: 48 * 1024 * 1024, lines: 500_000 }
/** A line that is drawn anew all the time, such as a progress bar, is settled now and then: what was overwritten is not kept. */
const LONG_LINE = 64 * 1024
/** Nobody reads on: the rest of a longer line is not kept. */
const LONGEST_LINE = 256 * 1024

export class LineStore {
  readonly #bounds: Bounds
  /** Settled lines, and the byte that each begins at. The last line has not ended yet, and is not among them. */
  #lines: string[] = []
  #starts: number[] = []
  #characters = 0
  #dropped = 0
  #style: Style = PLAIN
  #last = ''
  #lastStart = 0
  #bytes = 0

  constructor(bounds = BOUNDS) {
    this.#bounds = bounds
  }

  /** How many bytes of the log were read. */
  get bytes(): number {
    return this.#bytes
  }

  /** Lines that are not kept any more; those that are come after them. */
  get dropped(): number {
    return this.#dropped
  }

  /** How many lines there are, the dropped ones and the one that has not ended included. */
  get count(): number {
    return this.#dropped + this.#lines.length + (this.#last === '' ? 0 : 1)
  }

  /** `offset` is the byte after the text. */
  append(text: string, offset: number): void {
    let from = 0
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', from)) {
      const part = text.slice(from, end)
      this.#bytes += utf8Length(part) + 1
      this.#endLine(this.#lengthened(part))
      from = end + 1
    }
    const rest = from === 0 ? text : text.slice(from)
    this.#last = this.#lengthened(rest)
    this.#correct(text, this.#bytes + utf8Length(rest) - offset)
    this.#bytes = offset
    if (this.#last.length > LONG_LINE) this.#shortenLast()
    this.#keepWithinBounds()
  }

  /** Output between here and `offset` never came. */
  skipTo(offset: number, note: string): void {
    if (this.#last !== '') this.#endLine(this.#last)
    this.#bytes = offset
    this.#endLine(note)
  }

  /** Settled; the number of the first line is 0. */
  lineAt(line: number): string {
    const index = line - this.#dropped
    if (index === this.#lines.length) return settleLine(this.#last, this.#style).text
    return this.#lines[index] ?? ''
  }

  textAt(line: number): string {
    return plainText(this.lineAt(line))
  }

  /** The byte that a line begins at. */
  startOf(line: number): number {
    return this.#starts[line - this.#dropped] ?? this.#lastStart
  }

  /** The line that a byte belongs to; of a byte that has not come yet, the line after the last. */
  lineOf(byte: number): number {
    if (byte >= this.#bytes) return this.count
    let [low, high] = [0, this.#starts.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#starts[middle] ?? 0) <= byte) low = middle + 1
      else high = middle
    }
    const index = byte >= this.#lastStart ? this.#lines.length : low - 1
    return this.#dropped + Math.max(0, index)
  }

  #lengthened(part: string): string {
    return this.#last.length < LONGEST_LINE ? this.#last + part : this.#last
  }

  /** Bytes that are no UTF-8 came as a character of three: what begins after the last of them begins earlier than was counted. */
  #correct(text: string, drift: number): void {
    if (drift === 0) return
    const after = text.slice(text.lastIndexOf('\ufffd') + 1)
    const begun = after.split('\n').length - 1
    if (begun > 0) this.#lastStart -= drift
    for (let at = Math.max(0, this.#starts.length - begun + 1); at < this.#starts.length; at++) {
      this.#starts[at] = (this.#starts[at] ?? 0) - drift
    }
  }

  #endLine(raw: string): void {
    const { text, style } = settleLine(raw, this.#style)
    this.#lines.push(text)
    this.#starts.push(this.#lastStart)
    this.#characters += text.length
    this.#style = style
    this.#last = ''
    this.#lastStart = this.#bytes
  }

  /** What comes after the last carriage return may still be overwritten; what came before it is settled. */
  #shortenLast(): void {
    const back = this.#last.lastIndexOf('\r')
    if (back <= 0) return
    const { text, style } = settleLine(this.#last.slice(0, back), this.#style)
    this.#last = `${text}\u001b[0m${codesOf(style)}${this.#last.slice(back)}`
    this.#style = PLAIN
  }

  #keepWithinBounds(): void {
    const { characters, lines } = this.#bounds
    if (this.#characters <= characters && this.#lines.length <= lines) return
    // A tenth at a time, so that a flood does not move all lines with every piece.
    let gone = 0
    while (
      gone < this.#lines.length &&
      (this.#characters > characters * 0.9 || this.#lines.length - gone > lines * 0.9)
    ) {
      this.#characters -= this.#lines[gone]?.length ?? 0
      gone += 1
    }
    this.#lines = this.#lines.slice(gone)
    this.#starts = this.#starts.slice(gone)
    this.#dropped += gone
  }
}
