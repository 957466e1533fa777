// What is sent to a command: input as fast as the command takes it, and the size of the window.
import {
  MOST_TERMINAL_FRAME_BYTES,
  TERMINAL_WINDOW_BYTES,
  type TerminalRequest,
  type TerminalSize,
} from '../terminal.ts'

type Send = { request(request: TerminalRequest): void; frame(bytes: Uint8Array): void }

export class TerminalInput {
  readonly #send: Send
  #sent = 0
  #confirmed = 0
  #isOver = false
  #wake: (() => void) | undefined

  constructor(send: Send) {
    this.#send = send
  }

  /** Resolves when it was sent, which may wait for the command, or the terminal is over. One call at a time. */
  async write(bytes: Uint8Array): Promise<void> {
    for (let from = 0; from < bytes.length && !this.#isOver; ) {
      const room = TERMINAL_WINDOW_BYTES - (this.#sent - this.#confirmed)
      const piece = bytes.subarray(from, from + Math.min(room, MOST_TERMINAL_FRAME_BYTES))
      from += piece.length
      this.#sent += piece.length
      if (piece.length > 0) this.#send.frame(piece)
      else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }

  end(): void {
    this.#send.request({ type: 'end_input' })
  }

  resize(size: TerminalSize): void {
    this.#send.request({ type: 'resize', size })
  }

  /** The command has taken as many bytes in all. */
  confirm(bytes: number): void {
    this.#confirmed = Math.min(Math.max(bytes, this.#confirmed), this.#sent)
    this.#wake?.()
  }

  /** Nothing is taken any more. */
  stop(): void {
    this.#isOver = true
    this.#wake?.()
  }
}
