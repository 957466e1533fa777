// Searches all lines, folded or not, in slices that do not block the page.
import type { LineStore } from './line-store.ts'

export type Hit = { readonly line: number; readonly from: number; readonly to: number }

const MOST_HITS = 10_000
const SLICE_LINES = 20_000

export class LogSearch {
  readonly hits: Hit[] = []
  readonly #pattern: RegExp
  /** Lines before this one were searched. */
  #next = 0

  constructor(wanted: string) {
    this.#pattern = new RegExp(wanted.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu')
  }

  get isFull(): boolean {
    return this.hits.length >= MOST_HITS
  }

  /** Searches the next slice; false when done. The last line may still grow, so it is searched again. */
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
