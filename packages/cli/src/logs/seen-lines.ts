// The lines of the last seconds, so that whoever connects again and asks from a little earlier prints none of them twice.
import { type LogLine, secondOf } from './log-line.ts'

export class SeenLines {
  readonly #seconds = new Map<number, Set<string>>()
  #latest: number | undefined

  /** From where to go on; undefined where nothing was seen. */
  get goOnFrom(): number | undefined {
    return this.#latest === undefined ? undefined : this.#latest - OVERLAP_SECONDS
  }

  /** Whether the line has not come before. */
  add(line: LogLine): boolean {
    const second = secondOf(line)
    const known = this.#seconds.get(second) ?? new Set()
    const key = `${line.time} ${line.service} ${line.text}`
    if (known.has(key)) return false
    this.#seconds.set(second, known.add(key))
    if (second > (this.#latest ?? 0)) this.#forgetBefore(second)
    return true
  }

  #forgetBefore(second: number): void {
    this.#latest = second
    for (const earlier of this.#seconds.keys()) {
      if (earlier < second - OVERLAP_SECONDS) this.#seconds.delete(earlier)
    }
  }
}

/** Services print at once, and one may be a little behind. */
const OVERLAP_SECONDS = 3
