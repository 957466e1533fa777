// Finds a text in all lines, whether they are folded or not, in slices: a long log does not hold up the page.
import type { LineStore } from './line-store.ts'

export type Hit = { readonly line: number; readonly from: number; readonly to: number }

/** More of them than these nobody goes through. */
const MOST_HITS = 10_000
const SLICE_LINES = 20_000

export class LogSearch {
  readonly hits: Hit[] = []
  readonly #pattern: RegExp
  /** The lines before this one were looked through. */
  #next = 0

  constructor(wanted: string) {
    this.#pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  }

  get isFull(): boolean {
    return this.hits.length >= MOST_HITS
  }

  /** Looks through the next lines; false when all were looked through. The last line may grow, and is looked at again. */
  advance(store: LineStore): boolean {
    while (this.hits.at(-1)?.line === store.count - 1) this.hits.pop()
    this.#next = Math.max(store.dropped, Math.min(this.#next, store.count - 1))
    const end = Math.min(store.count, this.#next + SLICE_LINES)
    for (; this.#next < end && !this.isFull; this.#next++) this.#searchLine(this.#next, store.textAt(this.#next))
    return this.#next < store.count && !this.isFull
  }

  #searchLine(line: number, text: string): void {
    for (const { index, 0: found } of text.matchAll(this.#pattern)) {
      if (this.isFull) return
      this.hits.push({ line, from: index, to: index + found.length })
    }
  }
}
