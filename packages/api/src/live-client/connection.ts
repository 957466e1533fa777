// One connection of the live channel: what comes is kept in order for the reader, up to a bound; what the reader asks is sent.
import { LIVE_CLOSE, type LiveRequest } from '../live.ts'
import type { Pace } from './pace.ts'

/** Why a connection is over. `slow`: more waited for the reader than is kept. */
export type Ending = 'lost' | 'restart' | 'sign_in' | 'idle' | 'too_many' | 'slow'

/** Many times what the platform puts into one message. */
const MOST_FRAME_CHARACTERS = 8 * 1024 * 1024

export class Connection {
  readonly #socket: WebSocket
  readonly #pace: Pace
  readonly #ended: AbortSignal
  readonly #over = new AbortController()
  #frames: string[] = []
  #characters = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #wake: (() => void) | undefined
  #isOpen = false
  #readyAt: number | undefined
  #ending: Ending | undefined

  /** `ended` is aborted when the reader leaves: the connection closes at once, and callers that wait for it are rejected. */
  constructor(socket: WebSocket, pace: Pace, ended: AbortSignal) {
    this.#socket = socket
    this.#pace = pace
    this.#ended = ended
    socket.addEventListener('open', () => this.#open())
    socket.addEventListener('message', ({ data }) => this.#receive(data))
    socket.addEventListener('close', ({ code }) => this.end(endingOf(code)))
    // An error says nothing, and `close` follows it. Some implementations end the process if there is no listener.
    socket.addEventListener('error', () => undefined)
    ended.addEventListener('abort', () => this.end('lost'), { signal: this.#over.signal })
    this.#wakeAfter(pace.openMs, () => this.end('lost'))
    if (ended.aborted) this.end('lost')
  }

  get ending(): Ending | undefined {
    return this.#ending
  }

  /** How long ago it could be used first; undefined where it never could. */
  get lastedMs(): number | undefined {
    return this.#readyAt === undefined ? undefined : performance.now() - this.#readyAt
  }

  /** Whether it opened. */
  async opened(): Promise<boolean> {
    while (!this.#isOpen && !this.#ending) await this.#change()
    this.#ended.throwIfAborted()
    return !this.#ending
  }

  /** Signed in: from now on it is silence that counts, no longer the time to open. */
  ready(): void {
    if (this.#ending) return
    this.#readyAt = performance.now()
    this.#listen()
  }

  send(request: LiveRequest): void {
    if (!this.#ending) this.#socket.send(JSON.stringify(request))
  }

  /** The next message as it came; undefined when the connection is over and everything that came has been read. */
  async next(): Promise<string | undefined> {
    while (this.#frames.length === 0 && !this.#ending) await this.#change()
    this.#ended.throwIfAborted()
    const frame = this.#frames.shift()
    this.#characters -= frame?.length ?? 0
    return frame
  }

  end(ending: Ending): void {
    if (this.#ending) return
    this.#ending = ending
    clearTimeout(this.#timer)
    this.#over.abort()
    this.#socket.close()
    this.#wake?.()
  }

  #open(): void {
    this.#isOpen = true
    this.#wake?.()
  }

  #receive(data: unknown): void {
    if (this.#ending) return
    if (this.#readyAt !== undefined) this.#listen()
    if (typeof data !== 'string' || data.length > MOST_FRAME_CHARACTERS) return
    this.#frames.push(data)
    this.#characters += data.length
    // One message is always kept, however long: a reader who got none of it would ask for the same one for ever.
    const isTooMuch = this.#frames.length > this.#pace.mostMessages || this.#characters > this.#pace.mostCharacters
    if (isTooMuch && this.#frames.length > 1) this.end('slow')
    this.#wake?.()
  }

  /** A page gets no event when the other end is gone, so it asks when nothing has come for a while. */
  #listen(): void {
    this.#wakeAfter(this.#pace.silenceMs, () => {
      this.send({ type: 'ping' })
      this.#wakeAfter(this.#pace.answerMs, () => this.end('lost'))
    })
  }

  #wakeAfter(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }

  #change(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }
}

function endingOf(code: number): Ending {
  if (code === LIVE_CLOSE.signInRequired) return 'sign_in'
  if (code === LIVE_CLOSE.idle) return 'idle'
  if (code === LIVE_CLOSE.tooMany) return 'too_many'
  return code === LIVE_CLOSE.restart ? 'restart' : 'lost'
}
