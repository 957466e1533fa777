// A client with a terminal over a real connection, and a command that a test plays.
import { once } from 'node:events'
import { TERMINAL_SUBPROTOCOL, TerminalMessage, type TerminalRequest } from '@shipway/api/terminal'
import type { FastifyInstance } from 'fastify'
import { WebSocket } from 'ws'
import type { RunTerminalOrder } from '../src/context.ts'
import type { RunOutput, RunTerminal, WindowSize } from '../src/domain/run-terminal.ts'

export type TerminalClient = {
  readonly socket: WebSocket
  readonly messages: readonly TerminalMessage[]
  /** What the command printed, with its tags. */
  frames(): readonly Buffer[]
  /** The code that the platform closes with. */
  readonly closed: Promise<number>
  /** Why the platform closes, in words. */
  readonly reason: Promise<string>
  send(request: TerminalRequest): void
  next<Type extends TerminalMessage['type']>(type: Type): Promise<Extract<TerminalMessage, { type: Type }>>
}

export async function openTerminalClient(app: FastifyInstance, token: string): Promise<TerminalClient> {
  const address = app.server.address()
  const url = `ws://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/api/live`
  const headers = { authorization: `Bearer ${token}` }
  const socket = new WebSocket(url, [TERMINAL_SUBPROTOCOL], { headers, perMessageDeflate: false })
  const messages: TerminalMessage[] = []
  const frames: Buffer[] = []
  socket.on('message', (data: Buffer, isBinary) => {
    if (isBinary) frames.push(data)
    else messages.push(TerminalMessage.parse(JSON.parse(String(data))))
  })
  const close = once(socket, 'close')
  const closed = close.then(([code]) => Number(code))
  await once(socket, 'open')
  return {
    socket,
    messages,
    frames: () => frames,
    closed,
    reason: close.then(([, reason]) => String(reason)),
    send: (request) => socket.send(JSON.stringify(request)),
    next: async <Type extends TerminalMessage['type']>(type: Type) => {
      for (;;) {
        const message = messages.find((one): one is Extract<TerminalMessage, { type: Type }> => one.type === type)
        if (message) return message
        if (socket.readyState === socket.CLOSED) throw new Error(`Closed with ${await closed}`)
        await Promise.race([once(socket, 'message'), closed])
      }
    },
  }
}

/** A command that prints what it is given, and exits with 5 at the end of its input. It reads while `isReading`. */
export class PlayedCommand implements RunTerminal {
  readonly order: RunTerminalOrder
  readonly sizes: WindowSize[] = []
  readonly #pieces: (RunOutput | 'end')[] = []
  #wake: (() => void) | undefined
  #isReading = true
  #continue: (() => void) | undefined
  /** How often it was asked to end. */
  ended = 0
  /** Its container is gone when this resolves. */
  removed: Promise<void> = Promise.resolve()
  /** How many bytes it has printed that were taken. */
  taken = 0
  #fault: Error | undefined

  constructor(order: RunTerminalOrder) {
    this.order = order
  }

  get output(): AsyncIterable<RunOutput> {
    return this.#read()
  }

  get exitCode(): Promise<number> {
    return this.#fault ? Promise.reject(this.#fault) : Promise.resolve(5)
  }

  /** Its Engine is gone: its output ends, and its exit code cannot be known. */
  lose(): void {
    this.#fault = new Error('Docker cannot be reached: aborted')
    this.#push('end')
  }

  stopReading(): void {
    this.#isReading = false
  }

  print(bytes: Buffer, stream: RunOutput['stream'] = 'stdout'): void {
    this.#push({ stream, bytes })
  }

  async write(bytes: Uint8Array): Promise<void> {
    if (!this.#isReading)
      await new Promise<void>((resolve) => {
        this.#continue = resolve
      })
    this.print(Buffer.from(bytes))
  }

  endInput(): void {
    this.#push('end')
  }

  async resize(size: WindowSize): Promise<void> {
    this.sizes.push(size)
  }

  async end(): Promise<void> {
    this.ended++
    this.#push('end')
    this.#continue?.()
    await this.removed
  }

  #push(piece: RunOutput | 'end'): void {
    this.#pieces.push(piece)
    this.#wake?.()
  }

  async *#read(): AsyncGenerator<RunOutput, void, undefined> {
    for (;;) {
      const piece = this.#pieces.shift()
      if (piece === 'end') return
      if (piece) {
        yield piece
        this.taken += piece.bytes.length
      } else
        await new Promise<void>((resolve) => {
          this.#wake = resolve
        })
    }
  }
}
