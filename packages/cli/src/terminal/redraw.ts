// Lines on a terminal that are drawn in place, again and again.
import type { Sink } from './sink.ts'
import { widthOf } from './width.ts'

export class Redraw {
  readonly #sink: Sink
  /** The widths of the lines on the screen. */
  #drawn: readonly number[] = []

  constructor(sink: Sink) {
    this.#sink = sink
  }

  draw(lines: readonly string[]): void {
    // No wrapping while drawing: a terminal may measure a character wider than we do.
    this.#sink.draw({ before: `${NO_WRAP}${this.#toTheTop()}`, lines, after: `${ERASE_BELOW}${WRAP}` })
    this.#drawn = lines.map(widthOf)
  }

  erase(): void {
    this.#sink.draw({ before: this.#toTheTop(), lines: [], after: ERASE_BELOW })
    this.#drawn = []
  }

  /** A narrower window has wrapped the lines, so they take more rows. */
  #toTheTop(): string {
    const columns = this.#sink.size()?.columns ?? 80
    const rows = this.#drawn.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0)
    return rows === 0 ? '\r' : `\r\u001b[${rows}A`
  }
}

const NO_WRAP = '\u001b[?7l'
const WRAP = '\u001b[?7h'
const ERASE_BELOW = '\u001b[J'
