// Remembers the lines of the last seconds. A new connection reads from a little earlier, and no line is printed twice. A service may
// print the same line several times, so occurrences are counted.
import type { OutputLine } from '../live.ts'

type Counts = Map<string, number>

export class SeenLines {
  /** Counts by second: of earlier connections, and of the current one. */
  #before = new Map<number, Counts>()
  #now = new Map<number, Counts>()
  #latest: number | undefined
  #connections = 0
  readonly #skipsEarlier: boolean
  #earliest: string | undefined

  /** `skipsEarlier`: the user asked for the last lines only, so lines before the first of them are skipped too. */
  constructor({ skipsEarlier }: { readonly skipsEarlier: boolean }) {
    this.#skipsEarlier = skipsEarlier
  }

  /** The second to resume from; undefined before the first line. */
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

  /** Whether this occurrence of the line is new. */
  add(line: OutputLine): boolean {
    if (this.#connections === 1 && line.time < (this.#earliest ?? LATER_THAN_ALL)) this.#earliest = line.time
    if (this.#skipsEarlier && this.#earliest !== undefined && line.time < this.#earliest) return false
    const second = secondOf(line)
    const key = `${line.time} ${line.service} ${shortened(line.text)}`
    const counts: Counts = this.#now.get(second) ?? new Map()
    const count = (counts.get(key) ?? 0) + 1
    if (count > 1 || counts.size < MOST_IN_SECOND) this.#now.set(second, counts.set(key, count))
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

/** In whole seconds since 1970. */
const secondOf = ({ time }: OutputLine): number => Math.floor(Date.parse(time) / 1000)

/** A long text by its ends and two sums over it: enough to tell lines of the same nanosecond apart. */
function shortened(text: string): string {
  if (text.length <= LONGEST_KEPT) return text
  let [one, other] = [text.length, 7]
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    one = Math.imul(one ^ code, 2654435761)
    other = Math.imul(other ^ code, 1597334677)
  }
  return `${text.slice(0, LONGEST_KEPT / 2)} ${one >>> 0} ${other >>> 0}`
}

const LONGEST_KEPT = 120
/** Beyond that, lines of this second may come twice after a break. */
const MOST_IN_SECOND = 50_000
const LATER_THAN_ALL = '9999'
/** Services print concurrently, and one may be a little late. */
const OVERLAP_SECONDS = 3
