// Lines of a task's log, built from chunks that end anywhere. Knows the byte offset of each line. Bounded: drops the oldest lines first.
import { plainText, settleLine } from './settle-line.ts'
import { codesOf, PLAIN, type Style } from './style.ts'
import { utf8Length } from './utf8-length.ts'

export type Bounds = { readonly characters: number; readonly lines: number }

const BOUNDS: Bounds = { characters: 48 * 1024 * 1024, lines: 500_000 }
/** Longer lines, such as progress bars, are compacted: overwritten text is dropped. */
const LONG_LINE = 64 * 1024
/** The rest of a longer line is dropped. */
const LONGEST_LINE = 256 * 1024

export class LineStore {
  readonly #bounds: Bounds
  /** Complete lines with their control sequences applied, and the byte offset of each. Excludes the unfinished last line. */
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

  /** Bytes read so far. */
  get bytes(): number {
    return this.#bytes
  }

  /** Number of dropped lines; they came first. */
  get dropped(): number {
    return this.#dropped
  }

  /** Number of lines, including dropped ones and the unfinished one. */
  get count(): number {
    return this.#dropped + this.#lines.length + (this.#last === '' ? 0 : 1)
  }

  /** `offset` is the byte position after the text. */
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

  /** Output up to `offset` was lost. */
  skipTo(offset: number, note: string): void {
    if (this.#last !== '') this.#endLine(this.#last)
    this.#bytes = offset
    this.#endLine(note)
  }

  /** Text with colors only. The first line is 0. */
  lineAt(line: number): string {
    const index = line - this.#dropped
    if (index === this.#lines.length) return settleLine(this.#last, this.#style).text
    return this.#lines[index] ?? ''
  }

  textAt(line: number): string {
    return plainText(this.lineAt(line))
  }

  /** Byte offset of a line's start. */
  startOf(line: number): number {
    return this.#starts[line - this.#dropped] ?? this.#lastStart
  }

  /** Line that contains a byte; the line after the last if the byte has not arrived. */
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

  /** Invalid UTF-8 bytes arrive as a 3-byte replacement character, so offsets after them were counted too high. */
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

  /** Text after the last carriage return may still be overwritten; text before it is final. */
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
    // Drops a tenth at a time: copying all lines for every chunk is too slow.
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
