// The connection of a user to one command: its sign-in, the command, its rights while it runs, and its end.
import type { WebSocket } from '@fastify/websocket'
import { LIVE_CLOSE } from '@shipway/api/live'
import { TERMINAL_CLOSE, type TerminalMessage, type TerminalRequest } from '@shipway/api/terminal'
import type { Context } from '../../../context.ts'
import { AppError } from '../../../domain/errors.ts'
import type { Actor } from '../../../domain/people/actor.ts'
import type { RunTerminal } from '../../../domain/run-terminal.ts'
import { mayKeepTerminal, openTerminal } from '../../../operations/runs/open-terminal.ts'
import type { CallerRequest } from '../../authenticate.ts'
import { CheckedSignIn, type SignInAgain } from '../checked-sign-in.ts'
import type { ConnectedReader } from '../readers.ts'
import { CarriedTerminal } from './carried-terminal.ts'
import { readTerminalRequest } from './read-terminal-request.ts'
import type { Terminals } from './terminals.ts'

/** For signing in, and for naming a command. */
const BEGIN_MS = 10_000
/** Without a byte in either direction. */
const IDLE_MS = 60 * 60_000
const TOTAL_MS = 12 * 60 * 60_000
/** Of the client; what is more waits for the next second. */
const FRAMES_PER_SECOND = 4_000
/** Answers that need not be sent wait until the client has read this much. */
const MOST_UNREAD_BYTES = 64 * 1024
const DONE = 1000
const PROTOCOL_ERROR = 1002
const INTERNAL_ERROR = 1011

export type TerminalDependencies = {
  readonly ctx: Context
  readonly terminals: Terminals
  readonly signIn: SignInAgain
  readonly admit: (connection: ConnectedReader, actor: Actor) => string | undefined
  /** From then on changes of sign-ins and roles are noticed. */
  readonly followChanges: () => Promise<void>
  /** Returns the function that ends it. */
  readonly listenToEnvironment: (environmentId: number, onChange: () => void) => () => void
}

export class TerminalConnection implements ConnectedReader {
  readonly #dependencies: TerminalDependencies
  readonly #socket: WebSocket
  readonly #signIn: CheckedSignIn
  readonly #begunAt: number
  #activeAt: number
  #hasAsked = false
  /** Once the command is there. */
  #environmentId: number | undefined
  #endListening: (() => void) | undefined
  #terminal: RunTerminal | undefined
  #carried: CarriedTerminal | undefined
  #hasSignedIn = false
  #isAlive = true
  #isOver = false
  #frames = 0
  /** Bytes to confirm as soon as the client reads. */
  #dueConfirmation: number | undefined

  constructor(dependencies: TerminalDependencies, socket: WebSocket, asking: CallerRequest) {
    this.#dependencies = dependencies
    this.#socket = socket
    this.#begunAt = dependencies.ctx.clock()
    this.#activeAt = this.#begunAt
    this.#signIn = new CheckedSignIn(asking, {
      signIn: dependencies.signIn,
      onBegin: () => undefined,
      onActor: (actor) => this.#applyActor(actor),
      onChecksFinished: () => undefined,
      onFault: (error) => this.#fail(error),
    })
    socket.on('message', (data: Buffer, isBinary) => this.#take(data, isBinary))
    socket.on('ping', (data) => {
      if (this.#count()) socket.pong(data, false)
    })
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.once('close', () => this.#stop())
  }

  /** Nothing is carried meanwhile. */
  check(): Promise<void> {
    return this.#signIn.check()
  }

  checkDeadlines(now: number): void {
    this.#frames = 0
    if (this.#socket.isPaused) this.#socket.resume()
    this.#confirmIfRead()
    if (now >= this.#signIn.until) void this.check()
    else if (!this.#signIn.actor && now >= this.#begunAt + BEGIN_MS)
      this.close(LIVE_CLOSE.signInRequired, 'Sign in first')
    else if (!this.#hasAsked && now >= this.#begunAt + 2 * BEGIN_MS)
      this.close(TERMINAL_CLOSE.timeLimit, 'No command was named')
    else if (now >= this.#begunAt + TOTAL_MS)
      this.close(TERMINAL_CLOSE.timeLimit, 'A terminal ends after 12 hours. Run longer commands with --detach')
    else if (now >= this.#activeAt + IDLE_MS)
      this.close(TERMINAL_CLOSE.timeLimit, 'Nothing was typed or printed for an hour')
  }

  heartbeat(): void {
    if (!this.#isAlive) this.terminate()
    this.#isAlive = false
    if (!this.#isOver) this.#socket.ping()
  }

  /** The command ends at once, whether the client answers or not. */
  close(code: number, reason: string): void {
    this.#stop()
    this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#stop()
    this.#socket.terminate()
  }

  #stop(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#endListening?.()
    this.#carried?.stop()
    if (this.#terminal) this.#dependencies.terminals.end(this, this.#terminal)
  }

  #fail(error: unknown): void {
    if (this.#isOver) return
    this.#dependencies.ctx.log.warn({ err: error }, 'a terminal failed')
    this.close(INTERNAL_ERROR, 'Something failed here')
  }

  /** Docker was restarted or ended, and took the command or its exit code with it. */
  #loseCommand(error: unknown): void {
    if (this.#isOver) return
    this.#dependencies.ctx.log.warn({ err: error }, 'the connection to the command of a terminal was lost')
    this.close(TERMINAL_CLOSE.commandLost, 'The connection to Docker was lost, as when Docker is restarted')
  }

  async #applyActor(actor: Actor | undefined): Promise<void> {
    if (!actor) return this.close(LIVE_CLOSE.signInRequired, 'The sign-in has ended')
    const refusal = this.#dependencies.admit(this, actor)
    if (refusal) return this.close(LIVE_CLOSE.tooMany, refusal)
    if (this.#environmentId === undefined) return
    if (await mayKeepTerminal(this.#dependencies.ctx, actor, this.#environmentId)) return
    this.close(TERMINAL_CLOSE.forbidden, 'You may no longer run commands in this environment')
  }

  #take(data: Buffer, isBinary: boolean): void {
    if (this.#isOver) return
    if (++this.#frames > FRAMES_PER_SECOND) this.#socket.pause()
    if (isBinary) this.#takeInput(data)
    else this.#takeText(String(data))
  }

  #takeText(text: string): void {
    const request = readTerminalRequest(text)
    if ('fault' in request) this.#refuse('validation_failed', request.fault)
    else this.#answer(request).catch((error: unknown) => this.#refuseBy(error))
  }

  #takeInput(bytes: Buffer): void {
    this.#activeAt = this.#dependencies.ctx.clock()
    if (!this.#carried) this.close(PROTOCOL_ERROR, 'Nothing runs yet')
    else if (!this.#carried.takeInput(bytes)) this.close(LIVE_CLOSE.tooMany, 'More input than the command takes')
  }

  async #answer(request: TerminalRequest): Promise<void> {
    if (request.type === 'authenticate') await this.#authenticate(request)
    else if (request.type === 'run') await this.#run(request)
    else if (request.type === 'ping') this.#sendIfRead({ type: 'pong' })
    else if (request.type === 'received') this.#carried?.confirm(request.bytes)
    else if (request.type === 'end_input') this.#carried?.endInput()
    else this.#carried?.resize(request.size)
  }

  async #authenticate(request: TerminalRequest & { type: 'authenticate' }): Promise<void> {
    if (this.#hasSignedIn) return this.#refuse('malformed_request', 'This is signed in already')
    this.#hasSignedIn = true
    await this.#signIn.checksFinished()
    if (this.#signIn.actor) return this.#refuse('malformed_request', 'This is signed in already')
    if (await this.#signIn.authenticate(request)) this.#send({ type: 'authenticated' })
  }

  async #run({
    environment_id: environmentId,
    command,
    service,
    size,
  }: TerminalRequest & { type: 'run' }): Promise<void> {
    const { ctx, terminals } = this.#dependencies
    if (this.#hasAsked) return this.#refuse('malformed_request', 'A connection runs one command')
    this.#hasAsked = true
    await this.#dependencies.followChanges()
    await this.#signIn.checksFinished()
    const { actor } = this.#signIn
    if (!actor) return this.close(LIVE_CLOSE.signInRequired, 'Sign in first')
    // The platform may be stopping.
    if (this.#isOver) return
    await terminals.holdLease()
    const { processId } = terminals
    const admit = (organizationId: number): void => {
      // While its rights were read: nothing is made for it any more.
      if (this.#isOver) throw new Error('The client has left')
      terminals.admit(this, { userId: actor.userId, organizationId })
    }
    const order = { environmentId, command, service, size, processId, admit }
    const terminal = await terminals.opening(this, openTerminal(ctx, actor, order))
    if (this.#isOver) return terminals.end(this, terminal)
    this.#terminal = terminal
    this.#environmentId = environmentId
    // It may be protected, handed over or removed.
    this.#endListening = this.#dependencies.listenToEnvironment(environmentId, () => void this.check())
    // What the user may do can have changed while the container was made.
    await this.check()
    if (!this.#isOver) await this.#carry(terminal)
  }

  async #carry(terminal: RunTerminal): Promise<void> {
    const carried = new CarriedTerminal(terminal, this.#carrier())
    this.#carried = carried
    this.#activeAt = this.#dependencies.ctx.clock()
    this.#send({ type: 'started' })
    const code = await carried.carry().catch((error: unknown) => this.#loseCommand(error))
    if (code === undefined) return
    this.#dependencies.terminals.leave(this)
    this.#send({ type: 'exited', code })
    this.close(DONE, '')
  }

  #carrier() {
    return {
      sendFrame: (frame: Buffer): void => {
        this.#activeAt = this.#dependencies.ctx.clock()
        this.#socket.send(frame, { binary: true })
      },
      confirm: (bytes: number): void => {
        this.#dueConfirmation = bytes
        this.#confirmIfRead()
      },
      checksFinished: () => this.#signIn.checksFinished(),
      fail: (error: unknown) => this.#loseCommand(error),
    }
  }

  #confirmIfRead(): void {
    if (this.#dueConfirmation === undefined || !this.#count()) return
    this.#send({ type: 'received', bytes: this.#dueConfirmation })
    this.#dueConfirmation = undefined
  }

  #sendIfRead(message: TerminalMessage): void {
    if (this.#count()) this.#send(message)
  }

  /** Whether the client reads what it is sent beside output. */
  #count(): boolean {
    return !this.#isOver && this.#socket.bufferedAmount < MOST_UNREAD_BYTES
  }

  #send(message: TerminalMessage): void {
    if (!this.#isOver) this.#socket.send(JSON.stringify(message))
  }

  #refuse(code: string, detail: string): void {
    this.#send({ type: 'error', code, detail })
    this.close(DONE, '')
  }

  #refuseBy(error: unknown): void {
    if (error instanceof AppError) this.#refuse(error.code, error.message)
    else this.#fail(error)
  }
}
