// How far a reader has come in a log, and what of a piece of output is new to it.
import type { LiveMessage, LivePosition } from '../live.ts'
import type { LogOutput } from '../tasks.ts'

type Subscribed = Extract<LiveMessage, { type: 'subscribed' }>
/** `gap`: bytes before the piece are missing, from the position of the reader to `start`. */
export type Piece = { readonly text: string } | 'old' | { readonly gap: true; readonly start: number }

export class LogPosition {
  #since: LivePosition | undefined
  #epoch = ''
  /** The byte after the last one that was read; undefined where the next piece says where it goes on. */
  #position: number | undefined

  constructor(since: LivePosition | undefined) {
    this.#since = since
  }

  get since(): LivePosition | undefined {
    return this.#since
  }

  begin({ epoch, recovered }: Subscribed): void {
    const isElsewhere = !recovered && this.#since !== undefined
    if (isElsewhere) this.#since = undefined
    this.#position = isElsewhere ? undefined : (this.#since?.seq ?? 0)
    this.#epoch = epoch
  }

  /** What the reader has not seen yet. Nothing changes before the piece is taken with `moveTo`. */
  compare({ offset, text }: LogOutput): Piece {
    const position = this.#position
    if (position === undefined) return { text }
    if (offset <= position) return 'old'
    const bytes = new TextEncoder().encode(text)
    const start = offset - bytes.length
    if (start > position) return { gap: true, start }
    // Bytes that are no UTF-8, one to three of them, came as a character of three bytes: the piece may begin later than it seems.
    const latestStart = start + 2 * (text.split('\ufffd').length - 1)
    if (latestStart >= position) return { text }
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(position - start)) }
  }

  /** Only ever forwards. */
  moveTo(offset: number): void {
    if (this.#position !== undefined && offset <= this.#position) return
    this.#position = offset
    this.#since = { epoch: this.#epoch, seq: offset }
  }
}
