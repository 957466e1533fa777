// The lines of the last seconds, so that whoever connects again and asks from a little earlier prints none of them twice. A service may
// print the same line twice at once: of each line it counts how often it came.
import { type LogLine, secondOf } from './log-line.ts'

type Counts = Map<string, number>

export class SeenLines {
  /** Of the connections before this one, by second, and of this one. */
  #before = new Map<number, Counts>()
  #now = new Map<number, Counts>()
  #latest: number | undefined
  #connections = 0
  readonly #leavesOut: boolean
  #earliest: string | undefined

  /** `leavesOut`: whoever follows asked for the last lines alone, so what was printed before the first of them is not new either. */
  constructor({ leavesOut: skipsEarlier }: { readonly leavesOut: boolean }) {
    this.#leavesOut = skipsEarlier
  }

  /** From where to go on; undefined where nothing was seen. */
  get resumeFrom(): number | undefined {
    return this.#latest === undefined ? undefined : this.#latest - OVERLAP_SECONDS
  }

  beginConnection(): void {
    this.#connections += 1
    for (const [second, counts] of this.#now) {
      const known = this.#before.get(second) ?? new Map()
      for (const [line, count] of counts) known.set(line, Math.max(count, known.get(line) ?? 0))
      this.#before.set(second, known)
    }
    this.#now = new Map()
  }

  /** Whether the line has not come before, as often as on this connection. */
  add(line: LogLine): boolean {
    if (this.#connections === 1 && line.time < (this.#earliest ?? LATER_THAN_ALL)) this.#earliest = line.time
    if (this.#leavesOut && this.#earliest !== undefined && line.time < this.#earliest) return false
    const second = secondOf(line)
    const key = `${line.time} ${line.service} ${line.text}`
    const counts: Counts = this.#now.get(second) ?? new Map()
    const count = (counts.get(key) ?? 0) + 1
    this.#now.set(second, counts.set(key, count))
    if (second > (this.#latest ?? 0)) this.#forgetBefore(second)
    return count > (this.#before.get(second)?.get(key) ?? 0)
  }

  #forgetBefore(second: number): void {
    this.#latest = second
    for (const seconds of [this.#before, this.#now]) {
      for (const earlier of seconds.keys()) if (earlier < second - OVERLAP_SECONDS) seconds.delete(earlier)
    }
  }
}

const LATER_THAN_ALL = '9999'
/** Services print at once, and one may be a little behind. */
const OVERLAP_SECONDS = 3
