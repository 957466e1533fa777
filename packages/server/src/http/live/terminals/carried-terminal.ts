// Carries bytes between a connection and a command. Each side waits for the other: no more than a window is on its way in either direction.
import {
  MOST_TERMINAL_FRAME_BYTES,
  TERMINAL_STREAMS,
  TERMINAL_WINDOW_BYTES,
  type TerminalSize,
} from '@shipway/api/terminal'
import type { RunTerminal } from '../../../domain/run-terminal.ts'

type Connection = {
  sendFrame(frame: Buffer): void
  /** All bytes of input that the command has taken. */
  confirm(bytes: number): void
  /** Resolves when the user's rights are not being checked. */
  checksFinished(): Promise<void>
  fail(error: unknown): void
}

/** Frames of single keys would take many times their memory. */
const SMALL_BYTES = 8 * 1024

export class CarriedTerminal {
  readonly #terminal: RunTerminal
  readonly #connection: Connection
  /** Bytes of output: sent, and taken by the client. */
  #sent = 0
  #confirmed = 0
  /** Input that the command has not taken yet. */
  #queue: Buffer[] = []
  #queued = 0
  #taken = 0
  #isInputOver = false
  #isWriting = false
  #size: TerminalSize | undefined
  #isOver = false
  #wake: (() => void) | undefined

  constructor(terminal: RunTerminal, connection: Connection) {
    this.#terminal = terminal
    this.#connection = connection
  }

  /** Sends what the command prints, and returns its exit code; undefined once it was stopped. */
  async carry(): Promise<number | undefined> {
    for await (const { stream, bytes } of this.#terminal.output) {
      for (let from = 0; from < bytes.length; ) {
        await this.#room()
        if (this.#isOver) return undefined
        const room = Math.min(MOST_TERMINAL_FRAME_BYTES, TERMINAL_WINDOW_BYTES - (this.#sent - this.#confirmed))
        const piece = bytes.subarray(from, from + room)
        from += piece.length
        this.#sent += piece.length
        this.#connection.sendFrame(Buffer.concat([Buffer.of(TERMINAL_STREAMS[stream]), piece]))
      }
    }
    return this.#isOver ? undefined : this.#terminal.exitCode
  }

  /** False where the client sends more than it may. */
  takeInput(bytes: Buffer): boolean {
    if (this.#isInputOver || bytes.length === 0) return true
    this.#queued += bytes.length
    if (this.#queued > TERMINAL_WINDOW_BYTES) return false
    const last = this.#queue.at(-1)
    if (last && last.length + bytes.length <= SMALL_BYTES) this.#queue.splice(-1, 1, Buffer.concat([last, bytes]))
    else this.#queue.push(bytes)
    this.#write()
    return true
  }

  endInput(): void {
    this.#isInputOver = true
    this.#write()
  }

  resize(size: TerminalSize): void {
    const isRunning = this.#size !== undefined
    this.#size = size
    if (!isRunning) void this.#resize().catch((error: unknown) => this.#connection.fail(error))
  }

  /** The client has taken as many bytes of output in all. */
  confirm(bytes: number): void {
    this.#confirmed = Math.min(Math.max(bytes, this.#confirmed), this.#sent)
    this.#wake?.()
  }

  stop(): void {
    this.#isOver = true
    this.#queue = []
    this.#wake?.()
  }

  async #room(): Promise<void> {
    await this.#connection.checksFinished()
    while (!this.#isOver && this.#sent - this.#confirmed >= TERMINAL_WINDOW_BYTES) {
      await new Promise<void>((resolve) => {
        this.#wake = resolve
      })
      await this.#connection.checksFinished()
    }
  }

  #write(): void {
    if (this.#isWriting) return
    this.#isWriting = true
    void this.#writeQueued().catch((error: unknown) => this.#connection.fail(error))
  }

  async #writeQueued(): Promise<void> {
    for (let bytes = this.#queue.shift(); bytes; bytes = this.#queue.shift()) {
      await this.#connection.checksFinished()
      if (this.#isOver) return
      await this.#terminal.write(bytes)
      this.#queued -= bytes.length
      this.#taken += bytes.length
      this.#connection.confirm(this.#taken)
    }
    this.#isWriting = false
    if (this.#isInputOver && !this.#isOver) this.#terminal.endInput()
  }

  /** One at a time; of sizes that come meanwhile the last counts. */
  async #resize(): Promise<void> {
    for (let size = this.#size; size && !this.#isOver; ) {
      await this.#terminal.resize(size)
      const next: TerminalSize | undefined = this.#size === size ? undefined : this.#size
      if (!next) this.#size = undefined
      size = next
    }
  }
}
