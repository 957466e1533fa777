// The newest lines of an environment, in the order in which they came. The oldest go when there are too many.
import type { OutputLine } from '@shipway/api/live'

/** Of one environment. Counts what a line takes in memory beside its text. */
const MOST_BYTES = 4 * 1024 * 1024
const LINE_BYTES = 150

export type OutputChunk = {
  readonly lines: readonly OutputLine[]
  readonly bytes: number
  readonly at: number
  /** Made once, for all readers of everything. */
  frames?: readonly Buffer[]
}

export class OutputRing {
  #chunks: OutputChunk[] = []
  #start = 0
  #bytes = 0

  /** Number of the oldest chunk that is here. */
  get start(): number {
    return this.#start
  }

  /** Number of the next chunk. */
  get end(): number {
    return this.#start + this.#chunks.length
  }

  get chunks(): readonly OutputChunk[] {
    return this.#chunks
  }

  push(lines: readonly OutputLine[], at: number): void {
    const bytes = lines.reduce((sum, { text }) => sum + text.length + LINE_BYTES, 0)
    this.#chunks.push({ lines, bytes, at })
    this.#bytes += bytes
    while (this.#bytes > MOST_BYTES && this.#chunks.length > 1) {
      this.#bytes -= this.#chunks.shift()?.bytes ?? 0
      this.#start++
    }
  }

  at(number: number): OutputChunk | undefined {
    return this.#chunks[number - this.#start]
  }
}
