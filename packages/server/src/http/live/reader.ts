// One reader of the live channel: its sign-in, its requests and its subscriptions.
//
// A reader is a position, not a queue. It gets each record as it is now, in the shape of the REST answer; a record that changed ten times while
// the reader was slow is sent once. A topic is opened through the same `find…` as REST, with the reader's own actor. Changes of roles and
// tokens stand in the journal too: from such an entry on, the user's connections get nothing until their access was checked again.

import type { WebSocket } from '@fastify/websocket'
import { LIVE_CLOSE, type LiveRequest } from '@shipway/api/live'
import type { Actor } from '../../domain/people/actor.ts'
import type { CallerRequest, SignIn } from '../authenticate.ts'
import { type ReadRequest, readRequest } from './read-request.ts'
import { type HeldBytes, SocketWriter } from './socket-writer.ts'
import { type LiveSources, type Subscriber, Subscriptions } from './subscriptions.ts'

export type Dependencies = {
  readonly sources: LiveSources
  readonly heldBytes: HeldBytes
  /** Authenticates a connection against the current records. `userId` is its user so far. */
  readonly signIn: (asking: CallerRequest, userId: number | undefined) => Promise<SignIn | undefined>
  /** Why this reader is not admitted; undefined if it is. */
  readonly admit: (reader: Reader, actor: Actor) => string | undefined
  /** False if the reader exceeds its rate limit. */
  readonly mayAsk: (reader: Reader) => boolean
}

export class Reader implements Subscriber {
  readonly #dependencies: Dependencies
  readonly #socket: WebSocket
  readonly #subscriptions: Subscriptions
  readonly writer: SocketWriter
  #asking: CallerRequest
  #signIn: SignIn | undefined
  #isAlive = true
  readonly #since: number
  /** Requests that are not answered yet, the first of them being answered. */
  readonly #waiting: (() => void | Promise<void>)[] = []
  /** One check after the other. */
  #checked: Promise<void> = Promise.resolve()
  #checks = 0
  #nextCheck: Promise<void> | undefined

  constructor(dependencies: Dependencies, socket: WebSocket, asking: CallerRequest) {
    this.#dependencies = dependencies
    this.#socket = socket
    this.#asking = asking
    this.#since = dependencies.sources.ctx.clock()
    this.writer = new SocketWriter(socket, dependencies.heldBytes)
    this.#subscriptions = new Subscriptions(dependencies.sources, this)
    socket.on('message', (data, isBinary) => this.#take(data, isBinary))
    socket.on('ping', (data) => this.#takePing(data))
    socket.on('pong', () => {
      this.#isAlive = true
    })
    socket.once('close', () => this.#subscriptions.endAll())
  }

  get actor(): Actor | undefined {
    return this.#signIn?.actor
  }

  /** Authenticates again. No events are sent meanwhile. */
  check(): Promise<void> {
    // A check that has not started yet sees this change too.
    if (this.#nextCheck) return this.#nextCheck
    this.#checks++
    this.writer.shut()
    this.#nextCheck = this.#checked.then(async () => {
      this.#nextCheck = undefined
      try {
        this.#applySignIn(await this.#dependencies.signIn(this.#asking, this.actor?.userId))
      } catch (error) {
        this.fail(error)
      }
      if (--this.#checks === 0) this.writer.open()
    })
    this.#checked = this.#nextCheck
    return this.#checked
  }

  async settled(): Promise<void> {
    while (this.#checks > 0) await this.#checked
  }

  /** Every second: closes the connection if its sign-in has expired or it is idle. */
  checkDeadlines(now: number): void {
    if (this.#signIn && now >= this.#signIn.until) void this.check()
    else if (!this.#signIn && now >= this.#since + SIGN_IN_MS) this.close(LIVE_CLOSE.signInRequired, 'Sign in first')
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
    this.#dependencies.sources.ctx.log.warn({ err: error }, 'a live connection broke off')
    this.close(INTERNAL_ERROR, 'Something failed here')
  }

  #applySignIn(signIn: SignIn | undefined): void {
    this.#signIn = signIn
    if (!signIn) this.close(LIVE_CLOSE.signInRequired, 'The sign-in has ended')
    else if (!signIn.actor.scopes.has('read')) this.close(LIVE_CLOSE.signInRequired, 'The token lacks the scope read')
    else {
      const refusal = this.#dependencies.admit(this, signIn.actor)
      if (refusal) this.close(LIVE_CLOSE.tooMany, refusal)
      else this.#subscriptions.endUnseen(signIn.actor)
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
    await this.settled()
    if (fault) this.writer.send({ type: 'error', ...fault })
    else if (request.type === 'authenticate') await this.#authenticate(request)
    else if (!this.#signIn) this.close(LIVE_CLOSE.signInRequired, 'Sign in first')
    else if (request.type === 'ping') this.writer.send({ type: 'pong' })
    else if (request.type === 'subscribe') await this.#subscriptions.add(request)
    else this.#subscriptions.end(request.topic, request.id)
  }

  async #authenticate({
    token,
    organization_id: organizationId,
  }: LiveRequest & { type: 'authenticate' }): Promise<void> {
    if (this.#signIn) {
      this.writer.send({ type: 'error', id: null, code: 'malformed_request', detail: 'This is signed in already' })
      return
    }
    const { ip, id, method } = this.#asking
    const organization = organizationId === undefined ? {} : { 'x-service-organization': String(organizationId) }
    this.#asking = { ip, id, method, headers: { authorization: `Bearer ${token}`, ...organization } }
    await this.check()
    // This connection got no notice of a change during the first check. From now on it gets every one.
    if (this.#signIn) await this.check()
    if (this.#signIn) this.writer.send({ type: 'authenticated' })
  }
}

/** For the first message of a page. */
const SIGN_IN_MS = 10_000
const IDLE_MS = 60_000
/** Requests that are not answered yet: as many as may be sent at once. */
const MOST_WAITING = 240
const UNSUPPORTED_DATA = 1003
const INTERNAL_ERROR = 1011
