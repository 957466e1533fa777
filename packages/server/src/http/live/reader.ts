// One reader of the live channel: its sign-in, its requests and its subscriptions.
//
// A reader is a position, not a queue. It gets each record as it is now, in the shape of the REST answer; a record that changed ten times while
// the reader was slow is sent once. A topic is opened through the same `find…` as REST, with the reader's own actor. Changes of roles and
// tokens stand in the journal too: from such an entry on, the user's connections get nothing until their access was checked again.

import type { WebSocket } from '@fastify/websocket'
import { LIVE_CLOSE, type LiveRequest } from '@shipway/api/live'
import type { Actor } from '../../domain/people/actor.ts'
import type { CallerRequest } from '../authenticate.ts'
import { CheckedSignIn, type SignInAgain } from './checked-sign-in.ts'
import { type ReadRequest, readRequest } from './read-request.ts'
import { type HeldBytes, SocketWriter } from './socket-writer.ts'
import { type LiveSources, type Subscriber, Subscriptions } from './subscriptions.ts'

export type Dependencies = {
  readonly sources: LiveSources
  readonly heldBytes: HeldBytes
  readonly signIn: SignInAgain
  /** Why this reader is not admitted; undefined if it is. */
  readonly admit: (reader: Reader, actor: Actor) => string | undefined
  /** False if the reader exceeds its rate limit. */
  readonly mayAsk: (reader: Reader) => boolean
}

export class Reader implements Subscriber {
  readonly #dependencies: Dependencies
  readonly #socket: WebSocket
  readonly #subscriptions: Subscriptions
  readonly #signIn: CheckedSignIn
  readonly writer: SocketWriter
  #isAlive = true
  readonly #since: number
  /** Requests that are not answered yet, the first of them being answered. */
  readonly #waiting: (() => void | Promise<void>)[] = []

  constructor(dependencies: Dependencies, socket: WebSocket, asking: CallerRequest) {
    this.#dependencies = dependencies
    this.#socket = socket
    this.#since = dependencies.sources.ctx.clock()
    this.writer = new SocketWriter(socket, dependencies.heldBytes)
    this.#subscriptions = new Subscriptions(dependencies.sources, this)
    this.#signIn = new CheckedSignIn(asking, {
      signIn: dependencies.signIn,
      onBegin: () => this.writer.shut(),
      onActor: (actor) => this.#applyActor(actor),
      onChecksFinished: () => this.writer.open(),
      onFault: (error) => this.fail(error),
    })
    socket.on('message', (data, isBinary) => this.#take(data, isBinary))
    socket.on('ping', (data) => this.#takePing(data))
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.once('close', () => this.#subscriptions.endAll())
  }

  get actor(): Actor | undefined {
    return this.#signIn.actor
  }

  /** Authenticates again. No events are sent meanwhile. */
  check(): Promise<void> {
    return this.#signIn.check()
  }

  checksFinished(): Promise<void> {
    return this.#signIn.checksFinished()
  }

  /** Every second: closes the connection if its sign-in has expired or it is idle. */
  checkDeadlines(now: number): void {
    if (now >= this.#signIn.until) void this.check()
    else if (!this.actor && now >= this.#since + SIGN_IN_MS) this.close(LIVE_CLOSE.signInRequired, 'Sign in first')
    else if (this.#subscriptions.areIdle && now >= this.#subscriptions.idleSince + IDLE_MS)
      this.close(LIVE_CLOSE.idle, 'Nothing is subscribed')
  }

  /** Every 25 seconds: ends a connection that neither answers nor reads, and sends the current position. */
  heartbeat(): void {
    const reads = this.writer.takeProgress()
    if (!this.#isAlive && !reads) this.#socket.terminate()
    this.#isAlive = false
    this.#socket.ping()
    this.#subscriptions.sendPosition()
  }

  close(code: number, reason: string): void {
    this.#socket.close(code, reason)
  }

  terminate(): void {
    this.#socket.terminate()
  }

  /** A reader that is cut off reconnects and resumes. */
  fail(error: unknown): void {
    this.#dependencies.sources.ctx.log.warn({ err: error }, 'a live connection failed')
    this.close(INTERNAL_ERROR, 'Something failed here')
  }

  #applyActor(actor: Actor | undefined): void {
    if (!actor) this.close(LIVE_CLOSE.signInRequired, 'The sign-in has ended')
    else if (!actor.scopes.has('read')) this.close(LIVE_CLOSE.signInRequired, 'The token lacks the scope read')
    else {
      const refusal = this.#dependencies.admit(this, actor)
      if (refusal) this.close(LIVE_CLOSE.tooMany, refusal)
      else this.#subscriptions.endUnseen(actor)
    }
  }

  #take(data: unknown, isBinary: boolean): void {
    if (isBinary) this.close(UNSUPPORTED_DATA, 'Send text')
    else if (this.#count()) {
      // Not parsed until it is answered: its text takes less memory.
      const text = String(data)
      this.#answerInTurn(() => this.#answer(readRequest(text)))
    }
  }

  #takePing(data: Buffer): void {
    if (this.#count()) this.#answerInTurn(() => this.writer.pong(data))
  }

  #count(): boolean {
    if (this.#dependencies.mayAsk(this) && this.#waiting.length < MOST_WAITING) return true
    this.close(LIVE_CLOSE.tooMany, 'Too many messages')
    return false
  }

  #answerInTurn(answer: () => void | Promise<void>): void {
    this.#waiting.push(answer)
    if (this.#waiting.length === 1) void this.#answerWaiting()
  }

  /** A reader that does not read its answers waits for them. */
  async #answerWaiting(): Promise<void> {
    for (let [answer] = this.#waiting; answer; [answer] = this.#waiting) {
      try {
        await this.writer.room()
        await answer()
      } catch (error) {
        this.fail(error)
      }
      this.#waiting.shift()
    }
  }

  async #answer({ request, fault }: ReadRequest): Promise<void> {
    if (this.#socket.readyState !== this.#socket.OPEN) return
    await this.checksFinished()
    if (fault) this.writer.send({ type: 'error', ...fault })
    else if (request.type === 'authenticate') await this.#authenticate(request)
    else if (!this.actor) this.close(LIVE_CLOSE.signInRequired, 'Sign in first')
    else if (request.type === 'ping') this.writer.send({ type: 'pong' })
    else if (request.type === 'subscribe') await this.#subscriptions.add(request)
    else this.#subscriptions.end(request.topic, request.id)
  }

  async #authenticate(request: LiveRequest & { type: 'authenticate' }): Promise<void> {
    if (this.actor) {
      this.writer.send({ type: 'error', id: null, code: 'malformed_request', detail: 'This is signed in already' })
      return
    }
    if (await this.#signIn.authenticate(request)) this.writer.send({ type: 'authenticated' })
  }
}

/** For the first message of a page. */
const SIGN_IN_MS = 10_000
const IDLE_MS = 60_000
/** Requests that are not answered yet: as many as may be sent at once. */
const MOST_WAITING = 240
const UNSUPPORTED_DATA = 1003
const INTERNAL_ERROR = 1011
