// Sends to one reader. It holds little: the sender waits for a slow reader, and no other reader waits for it.

import type { WebSocket } from '@fastify/websocket'
import type { LiveMessage } from '@shipway/api/live'

/** Bytes on their way to one reader, and to all readers together. */
const MOST_HELD = 256 * 1024
const MOST_HELD_IN_ALL = 32 * 1024 * 1024
/** Even an empty message takes this much until it is written. */
const SMALLEST_WRITE = 256

export type HeldBytes = { bytes: number }

export class SocketWriter {
  readonly #socket: WebSocket
  readonly #all: HeldBytes
  #held = 0
  #isShut = false
  #hasMoved = false
  #waiting: (() => void)[] = []

  constructor(socket: WebSocket, all: HeldBytes) {
    this.#socket = socket
    this.#all = all
    // What was on its way is gone with the connection.
    socket.once('close', () => {
      this.#all.bytes -= this.#held
      this.#held = 0
      this.#wake()
    })
  }

  /** Sends an answer. The caller waits for `room` first. */
  send(message: LiveMessage): void {
    const text = Buffer.from(JSON.stringify(message))
    this.#write(text.length, (written) => this.#socket.send(text, { binary: false }, written))
  }

  /** Answers a ping of the protocol. */
  pong(data: Buffer): void {
    this.#write(Math.max(data.length, SMALLEST_WRITE), (written) => this.#socket.pong(data, false, written))
  }

  /** Returns when the reader has read enough of what was sent before, or is gone. */
  async room(): Promise<void> {
    while (!this.#hasRoom(0)) await this.#room()
  }

  /** Sends when there is room. The caller awaits each message before the next: nothing is queued. */
  async sendInTurn(message: Buffer, signal: AbortSignal): Promise<void> {
    while (!this.#hasRoom(message.length) && !signal.aborted) await this.#room(signal)
    if (signal.aborted) return
    this.#write(message.length, (written) => this.#socket.send(message, { binary: false }, written))
  }

  /** Whether anything was sent since the last call. */
  takeProgress(): boolean {
    const hasMoved = this.#hasMoved
    this.#hasMoved = false
    return hasMoved
  }

  /** Holds events back until the reader's access has been checked again. */
  shut(): void {
    this.#isShut = true
  }

  open(): void {
    this.#isShut = false
    this.#wake()
  }

  #hasRoom(bytes: number): boolean {
    if (this.#isShut) return false
    if (this.#held === 0) return true
    return this.#held + bytes <= MOST_HELD && this.#all.bytes + bytes <= MOST_HELD_IN_ALL
  }

  #room(signal?: AbortSignal): Promise<void> {
    return new Promise((resolve) => {
      const enter = (): void => {
        signal?.removeEventListener('abort', enter)
        resolve()
      }
      this.#waiting.push(enter)
      signal?.addEventListener('abort', enter, { once: true })
    })
  }

  #write(bytes: number, write: (written: () => void) => void): void {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    this.#held += bytes
    this.#all.bytes += bytes
    write(() => {
      const freed = Math.min(bytes, this.#held)
      this.#held -= freed
      this.#all.bytes -= freed
      this.#hasMoved = true
      this.#wake()
    })
  }

  #wake(): void {
    const waiting = this.#waiting
    this.#waiting = []
    for (const enter of waiting) enter()
  }
}
