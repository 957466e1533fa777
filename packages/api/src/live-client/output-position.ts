// How far a reader has come in the logs of services, and which lines are new to it. After a break it resumes a little before the last
// line, because lines of several services come a little out of order, and drops what it has seen.
import type { LiveMessage, LiveOutputOptions, LivePosition, OutputLine } from '../live.ts'
import { SeenLines } from './seen-lines.ts'

type Subscribed = Extract<LiveMessage, { type: 'subscribed' }>

export class OutputPosition {
  readonly #seen: SeenLines
  readonly #isNewOnly: boolean
  #since: LivePosition | undefined
  #epoch = ''

  constructor(since: LivePosition | undefined, { tail }: LiveOutputOptions = {}) {
    this.#since = since
    this.#isNewOnly = tail === 0
    this.#seen = new SeenLines({ skipsEarlier: tail !== undefined })
  }

  get since(): LivePosition | undefined {
    const second = this.#seen.resumeFrom
    return second === undefined ? this.#since : { epoch: this.#epoch, seq: second * 1_000_000 }
  }

  begin({ epoch, seq }: Subscribed): void {
    // A reader of new lines alone has nothing to ask for again: it resumes from where it began.
    if (this.#isNewOnly) this.#since ??= { epoch, seq }
    this.#epoch = epoch
    this.#seen.beginConnection()
  }

  /** Whether the line is new to the reader. */
  admit(line: OutputLine): boolean {
    return this.#seen.add(line)
  }
}
