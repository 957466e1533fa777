// Measured extra heights of wrapped lines: a Fenwick tree, so that a change and the sum of a range each take logarithmic time.
export class LineHeights {
  /** Extra height of a line beyond a single row, in pixels. */
  readonly #extra = new Map<number, number>()
  #sums: number[] = [0]

  /** Returns by how much the height changed. */
  set(line: number, extra: number): number {
    const change = extra - (this.#extra.get(line) ?? 0)
    if (change === 0) return 0
    this.#extra.set(line, extra)
    this.#grow(line + 2)
    for (let at = line + 1; at < this.#sums.length; at += at & -at) this.#sums[at] = (this.#sums[at] ?? 0) + change
    return change
  }

  /** Sum of the extra heights of the lines from `first` to `end`, exclusive. */
  between(first: number, end: number): number {
    return end <= first ? 0 : this.#before(end) - this.#before(first)
  }

  #before(line: number): number {
    let sum = 0
    for (let at = Math.min(line, this.#sums.length - 1); at > 0; at -= at & -at) sum += this.#sums[at] ?? 0
    return sum
  }

  /** The length stays a power of two plus one. Of the new nodes only the last covers earlier lines. */
  #grow(length: number): void {
    while (this.#sums.length < length) {
      const size = Math.max(1, this.#sums.length - 1)
      const total = this.#before(size)
      this.#sums.push(...new Array<number>(size * 2 + 1 - this.#sums.length).fill(0))
      this.#sums[size * 2] = total
    }
  }
}
