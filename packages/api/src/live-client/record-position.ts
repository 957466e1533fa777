// A reader's position in the events of a record. Numbers only rise, but several messages may share one, and after a reconnect the platform
// sends everything after a position again. So the reader resumes from the last number that is certainly complete, the one before the
// newest, and remembers the messages of the newest, so that none is delivered twice.
import type { LiveEvent, LiveMessage, LivePosition } from '../live.ts'

type Subscribed = Extract<LiveMessage, { type: 'subscribed' }>

/** Beyond it messages of the newest numbers may come twice after a break. They are whole records, so that does no harm. */
const MOST_REMEMBERED_CHARACTERS = 256 * 1024

export class RecordPosition {
  #since: LivePosition | undefined
  #epoch = ''
  /** The first number of an event after `subscribed`. */
  #lowest = 0
  /** The number in `subscribed`: missed events have numbers up to it. */
  #subscribedAt = 0
  #newest = 0
  readonly #read = new Map<string, number>()
  #readCharacters = 0

  constructor(since: LivePosition | undefined) {
    this.#since = since
  }

  /** What to go on from after a break. */
  get since(): LivePosition | undefined {
    return this.#since
  }

  begin({ epoch, seq, recovered }: Subscribed): void {
    if (epoch !== this.#epoch || !recovered) this.#forgetBefore(Number.POSITIVE_INFINITY)
    if (recovered && this.#since) {
      this.#newest = epoch === this.#since.epoch ? this.#since.seq : -1
      this.#lowest = this.#newest + 1
    } else {
      this.#since = { epoch, seq }
      this.#newest = seq
      this.#lowest = seq
    }
    this.#subscribedAt = seq
    this.#epoch = epoch
  }

  /** Whether the message is new. `text` is the message as it came. */
  admit({ seq }: LiveEvent, text: string): boolean {
    // What was missed is taken in any order: better twice than not at all.
    const lowest = this.#newest > this.#subscribedAt ? this.#newest : this.#lowest
    if (seq < lowest || this.#read.has(text)) return false
    if (seq > this.#newest) {
      this.#newest = seq
      this.#since = { epoch: this.#epoch, seq: Math.max(0, seq - 1) }
      this.#forgetBefore(seq)
    }
    this.#remember(text, seq)
    return true
  }

  /** All up to that number is known. */
  moveOn({ epoch, seq }: LivePosition): void {
    if (epoch !== this.#epoch || seq < this.#newest) return
    this.#newest = seq
    this.#since = { epoch, seq }
    this.#forgetBefore(seq + 1)
  }

  #remember(text: string, seq: number): void {
    if (this.#readCharacters + text.length > MOST_REMEMBERED_CHARACTERS) return
    this.#read.set(text, seq)
    this.#readCharacters += text.length
  }

  #forgetBefore(seq: number): void {
    for (const [text, ofSeq] of this.#read) {
      if (ofSeq >= seq) continue
      this.#read.delete(text)
      this.#readCharacters -= text.length
    }
  }
}
