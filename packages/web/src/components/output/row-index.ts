// Maps rows to folds and lines. Stores one entry per run of lines, not per line.
/** Lines from `first` to `end`, exclusive, that are shown or hidden together. */
export type Foldable = {
  readonly key: string
  /** Index of the section. */
  readonly index: number
  readonly first: number
  readonly end: number
}
export type Sections<Section extends Foldable> = {
  /** Number of lines before the first section. */
  readonly before: number
  readonly sections: readonly Section[]
}

export type Row<Section extends Foldable> =
  | { readonly type: 'fold'; readonly section: Section; readonly isOpen: boolean }
  | { readonly type: 'line'; readonly line: number }

/** First row of the entry, and the number of folds above it. */
type Entry<Section extends Foldable> = { readonly row: number; readonly count: number; readonly folds: number } & (
  | { readonly type: 'fold'; readonly section: Section; readonly isOpen: boolean }
  | { readonly type: 'lines'; readonly first: number }
)

/** In pixels. `extraOf`: how much the lines from `first` to `end`, exclusive, are higher than single lines together. */
export type Heights = {
  readonly line: number
  readonly fold: number
  readonly extraOf: (first: number, end: number) => number
}

export class RowIndex<Section extends Foldable = Foldable> {
  readonly count: number
  readonly #entries: readonly Entry<Section>[]
  readonly #folds: number
  /** Cache of the last entry: rows are read in order. */
  #last: Entry<Section> | undefined

  constructor({ before, sections }: Sections<Section>, dropped: number, isOpen: (section: Section) => boolean) {
    const entries: Entry<Section>[] = []
    let row = 0
    let folds = 0
    const addLines = (first: number, end: number): void => {
      if (end <= first) return
      entries.push({ type: 'lines', row, count: end - first, folds, first })
      row += end - first
    }
    addLines(dropped, before)
    for (const section of sections) {
      const open = isOpen(section)
      entries.push({ type: 'fold', row, count: 1, folds, section, isOpen: open })
      row += 1
      folds += 1
      if (open) addLines(section.first, section.end)
    }
    this.#entries = entries
    this.count = row
    this.#folds = folds
  }

  /** Top of a row in pixels. The row after the last gives the total height. */
  topOf(row: number, { line, fold, extraOf }: Heights): number {
    const entry = row >= this.count ? undefined : this.#entryOf(row)
    const folds = entry === undefined ? this.#folds : entry.folds
    let top = folds * fold + (Math.min(row, this.count) - folds) * line
    for (const before of this.#entries) {
      if (before.row >= row) break
      if (before.type === 'lines') top += extraOf(before.first, before.first + Math.min(before.count, row - before.row))
    }
    return top
  }

  /** The row at that depth. */
  rowAt(depth: number, heights: Heights): number {
    let [low, high] = [0, this.count]
    while (low < high) {
      const middle = (low + high) >>> 1
      if (this.topOf(middle, heights) <= depth) low = middle + 1
      else high = middle
    }
    return Math.max(0, low - 1)
  }

  at(row: number): Row<Section> | undefined {
    const entry = this.#entryOf(row)
    if (entry === undefined || row >= entry.row + entry.count) return undefined
    if (entry.type === 'lines') return { type: 'line', line: entry.first + row - entry.row }
    return { type: 'fold', section: entry.section, isOpen: entry.isOpen }
  }

  /** Undefined if it is folded. */
  rowOfLine(line: number): number | undefined {
    const entry = this.#entries.find(
      (candidate) => candidate.type === 'lines' && line >= candidate.first && line < candidate.first + candidate.count,
    )
    return entry?.type === 'lines' ? entry.row + line - entry.first : undefined
  }

  rowOfFold(key: string): number | undefined {
    return this.#entries.find((entry) => entry.type === 'fold' && entry.section.key === key)?.row
  }

  /** Stable key: line numbers for lines, negative numbers for folds. */
  keyOf(row: number): number {
    const entry = this.#entryOf(row)
    if (entry?.type === 'lines') return entry.first + row - entry.row
    return entry === undefined ? 0 : -1 - entry.section.index
  }

  isFold(row: number): boolean {
    return this.#entryOf(row)?.type === 'fold'
  }

  #entryOf(row: number): Entry<Section> | undefined {
    const last = this.#last
    if (last !== undefined && row >= last.row && row < last.row + last.count) return last
    let [low, high] = [0, this.#entries.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((this.#entries[middle]?.row ?? 0) <= row) low = middle + 1
      else high = middle
    }
    this.#last = this.#entries[low - 1]
    return this.#last
  }
}
