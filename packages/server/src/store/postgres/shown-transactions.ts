/**
 * Which transactions a snapshot of PostgreSQL shows, and whether it shows a change of the records that the one before it did not. A
 * snapshot says it in three parts: all below the first number have ended, none from the second one on has, and the third lists those
 * between them that have not.
 */

/** Further apart, they are taken to differ. */
const MOST_BETWEEN = 10_000

type Snapshot = { readonly from: number; readonly to: number; readonly underWay: ReadonlySet<number> }

export class ShownTransactions {
  #lives = 0
  #server = ''
  #shown: Snapshot = NOTHING
  #version = ''
  /** Those that changed no record, as far as they may not have been shown yet. */
  readonly #unrecorded = new Set<number>()

  noteUnrecorded(transaction: number): void {
    this.#unrecorded.add(transaction)
  }

  /** After a crash, or on another server, the numbers of transactions that were not written down are given to others. */
  forget(): void {
    this.#lives++
    this.#shown = NOTHING
    this.#unrecorded.clear()
  }

  /** The first snapshot that showed these records. Snapshots come in the order in which they were taken. */
  versionAt(text: string, server: string): string {
    const next = readSnapshot(text)
    if (server !== this.#server || next.to < this.#shown.to) this.forget()
    if (this.#changesRecords(next)) this.#version = `${this.#lives} ${server} ${text}`
    this.#server = server
    this.#shown = next
    for (const transaction of this.#unrecorded) if (transaction < next.from) this.#unrecorded.delete(transaction)
    return this.#version
  }

  #changesRecords(next: Snapshot): boolean {
    if (next.to - this.#shown.from > MOST_BETWEEN) return true
    for (let transaction = this.#shown.from; transaction < next.to; transaction++) {
      const isNew = shows(next, transaction) && !shows(this.#shown, transaction)
      if (isNew && !this.#unrecorded.has(transaction)) return true
    }
    return false
  }
}

const NOTHING: Snapshot = { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY, underWay: new Set() }

const shows = ({ to, underWay }: Snapshot, transaction: number): boolean =>
  transaction < to && !underWay.has(transaction)

function readSnapshot(text: string): Snapshot {
  const [from, to, underWay = ''] = text.split(':')
  return {
    from: Number(from),
    to: Number(to),
    underWay: new Set(underWay === '' ? [] : underWay.split(',').map(Number)),
  }
}
