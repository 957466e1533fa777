// One connection for one command: signs in, starts the command, and hands on what comes in order.
import { ApiError } from '../api-error.ts'
import { LIVE_CLOSE } from '../live.ts'
import { PROBLEMS } from '../problem.ts'
import {
  TERMINAL_CLOSE,
  TERMINAL_STREAMS,
  TERMINAL_WINDOW_BYTES,
  TerminalMessage,
  type TerminalRequest,
} from '../terminal.ts'
import type { Pace } from './pace.ts'
import { TerminalInput } from './terminal-input.ts'
import type { TerminalEnd, TerminalOrder } from './terminal-order.ts'

type Opening = {
  readonly order: TerminalOrder
  readonly pace: Pick<Pace, 'openMs' | 'silenceMs' | 'answerMs'>
  readonly signIn: { readonly token: string | undefined; readonly organization: number | undefined }
}

/** Acknowledged in steps of so many bytes. */
const CONFIRM_BYTES = TERMINAL_WINDOW_BYTES / 4

export class TerminalConnection {
  readonly #socket: WebSocket
  readonly #opening: Opening
  readonly #input: TerminalInput
  readonly #ended = Promise.withResolvers<TerminalEnd | undefined>()
  #inOrder: Promise<void> = Promise.resolve()
  #isOpen = false
  #isOver = false
  #timer: ReturnType<typeof setTimeout> | undefined
  /** Bytes of output: all that came, those that were taken, and those that the platform knows of. */
  #arrived = 0
  #taken = 0
  #confirmed = 0

  constructor(socket: WebSocket, opening: Opening) {
    this.#socket = socket
    this.#opening = opening
    this.#input = new TerminalInput({ request: (request) => this.#send(request), frame: (bytes) => this.#write(bytes) })
    const { signal } = opening.order
    socket.binaryType = 'arraybuffer'
    socket.addEventListener('open', () => this.#open())
    socket.addEventListener('message', ({ data }) => this.#receive(data))
    socket.addEventListener('close', ({ code, reason }) => this.#after(() => this.#end(endOf(code, reason))))
    // `close` follows it. Some implementations end the process if there is no listener.
    socket.addEventListener('error', () => undefined)
    const leave = (): void => this.#end({ kind: 'left', detail: 'Interrupted' })
    signal.addEventListener('abort', leave, { once: true })
    const forget = (): void => signal.removeEventListener('abort', leave)
    // The caller gets the reason of a failure.
    void this.ended.then(forget, forget)
    this.#wakeAfter(opening.pace.openMs, () => this.#end(LOST))
    if (signal.aborted) leave()
  }

  /** Undefined where it was never opened. */
  get ended(): Promise<TerminalEnd | undefined> {
    return this.#ended.promise
  }

  #open(): void {
    const { token, organization } = this.#opening.signIn
    this.#isOpen = true
    this.#listen()
    const narrowed = organization !== undefined && { organization_id: organization }
    if (token === undefined) this.#run()
    else this.#send({ type: 'authenticate', token, ...narrowed })
  }

  #run(): void {
    const { environmentId, command, service, size } = this.#opening.order
    const more = { ...(service !== undefined && { service }), ...(size && { size }) }
    this.#send({ type: 'run', environment_id: environmentId, command: [...command], ...more })
  }

  #send(request: TerminalRequest): void {
    if (!this.#isOver) this.#socket.send(JSON.stringify(request))
  }

  #write(bytes: Uint8Array): void {
    if (!this.#isOver) this.#socket.send(Uint8Array.from(bytes))
  }

  #receive(data: unknown): void {
    if (this.#isOver) return
    this.#listen()
    if (data instanceof ArrayBuffer) this.#receiveOutput(new Uint8Array(data))
    else this.#receiveMessage(TerminalMessage.safeParse(parsed(data)).data)
  }

  /** Undefined for what a later release may send. */
  #receiveMessage(message: TerminalMessage | undefined): void {
    if (message?.type === 'authenticated') this.#run()
    else if (message?.type === 'started') this.#opening.order.onStart(this.#input)
    else if (message?.type === 'received') this.#input.confirm(message.bytes)
    else if (message?.type === 'exited') this.#after(() => this.#end({ kind: 'exited', code: message.code }))
    else if (message?.type === 'error') this.#after(() => this.#fail(refusalOf(message)))
  }

  #receiveOutput(frame: Uint8Array): void {
    const bytes = frame.subarray(1)
    this.#arrived += bytes.length
    // More than any platform may send: memory is not for it to fill.
    if (this.#arrived - this.#confirmed > 2 * TERMINAL_WINDOW_BYTES) this.#end(LOST)
    const stream = frame[0] === TERMINAL_STREAMS.stderr ? 'stderr' : 'stdout'
    this.#after(async () => {
      await this.#opening.order.onOutput(stream, bytes)
      this.#taken += bytes.length
      if (this.#taken - this.#confirmed < CONFIRM_BYTES) return
      this.#confirmed = this.#taken
      this.#send({ type: 'received', bytes: this.#taken })
    })
  }

  /** After all that came before. */
  #after(work: () => void | Promise<void>): void {
    this.#inOrder = this.#inOrder
      .then(() => (this.#isOver ? undefined : work()))
      .catch((error: unknown) => this.#fail(error))
  }

  #fail(error: unknown): void {
    this.#close()
    this.#ended.reject(error)
  }

  #end(end: TerminalEnd): void {
    this.#close()
    this.#ended.resolve(this.#isOpen || end.kind === 'left' ? end : undefined)
  }

  #close(): void {
    this.#isOver = true
    clearTimeout(this.#timer)
    this.#input.stop()
    this.#socket.close()
  }

  #listen(): void {
    const { silenceMs, answerMs } = this.#opening.pace
    this.#wakeAfter(silenceMs, () => {
      this.#send({ type: 'ping' })
      this.#wakeAfter(answerMs, () => this.#end(LOST))
    })
  }

  #wakeAfter(ms: number, then: () => void): void {
    clearTimeout(this.#timer)
    this.#timer = setTimeout(then, ms)
  }
}

/** As the platform answers a request that it refuses. */
function refusalOf({ code, detail }: { readonly code: string; readonly detail: string }): ApiError {
  const [, known] = Object.entries(PROBLEMS).find(([each]) => each === code) ?? []
  return new ApiError(known?.status ?? 500, detail, undefined, code)
}

const LOST: TerminalEnd = { kind: 'lost', detail: 'The connection to the platform was lost' }

function endOf(code: number, detail: string): TerminalEnd {
  const kind = KINDS[code]
  return kind ? { kind, detail } : LOST
}

const KINDS: Readonly<Record<number, 'restart' | 'sign_in' | 'forbidden' | 'time_limit' | 'lost'>> = {
  [LIVE_CLOSE.restart]: 'restart',
  [LIVE_CLOSE.signInRequired]: 'sign_in',
  [LIVE_CLOSE.tooMany]: 'lost',
  [TERMINAL_CLOSE.forbidden]: 'forbidden',
  [TERMINAL_CLOSE.timeLimit]: 'time_limit',
  [TERMINAL_CLOSE.commandLost]: 'lost',
}

function parsed(data: unknown): unknown {
  try {
    return typeof data === 'string' ? JSON.parse(data) : undefined
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
