// One connection of the front server: answers one request after the other, and knows what its client has not read.
import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex, Readable } from 'node:stream'
import type { Exchange } from './answer-response.ts'
import { closeAfterReading } from './close-after-reading.ts'
import type { CutReason, UnreadConnection, UnreadOutput } from './unread-output.ts'

type ConnectionParts = {
  readonly unreadOutput: UnreadOutput
  readonly answer: (exchange: Exchange) => void
  readonly clientOf: (req: IncomingMessage) => string
  readonly onCut: (reason: CutReason, client: string) => void
}

const connections = new WeakMap<Duplex, Connection>()

export const connectionOf = (socket: Duplex): Connection | undefined => connections.get(socket)

export class Connection implements UnreadConnection {
  readonly #socket: Socket
  readonly #parts: ConnectionParts
  #current: Exchange | undefined
  /** A client that has read an answer to its end may ask again before the handler has said that it ended. */
  #next: Exchange | undefined
  #isClosing = false
  #isUpgraded = false
  /** A body that is sent in pieces and belongs to no other request. */
  #ownBody = 0
  #request: IncomingMessage | undefined

  constructor(socket: Socket, parts: ConnectionParts) {
    this.#socket = socket
    this.#parts = parts
    connections.set(socket, this)
    socket.once('close', () => parts.unreadOutput.forget(this))
  }

  /** Node hands over every request that it finds in what arrived. All but one wait in the kernel, or are given up. */
  take(exchange: Exchange): void {
    if (this.#isClosing) return
    if (!this.#current) this.#begin(exchange)
    else if (this.#next) this.#refuseMore(this.#next)
    else this.#next = exchange
  }

  /** Bytes that belong to no answer follow. A sender counts them only if it says so. */
  upgrade(req: IncomingMessage, { isCounted = false } = {}): void {
    this.#request = req
    this.#isUpgraded = true
    if (isCounted) return
    this.#parts.unreadOutput.watch(this)
    this.#socket.on('pipe', (source: Readable) => source.on('data', () => this.note()))
  }

  /** It will be no connection for requests again, also where the upgrade is refused. */
  get isUpgraded(): boolean {
    return this.#isUpgraded
  }

  /** Whether bytes of an answer have left, so that nothing else may be written between them. */
  get isAnswering(): boolean {
    return this.#current?.res.headersSent === true
  }

  get client(): string {
    return this.#request ? this.#parts.clientOf(this.#request) : ''
  }

  get unread(): number {
    if (this.#socket.destroyed) return 0
    // As much again may have been read ahead where the answer comes from.
    return 2 * this.#socket.writableLength + this.#ownBody
  }

  get flushed(): number {
    return this.#socket.bytesWritten - this.#socket.writableLength
  }

  cut(reason: CutReason): void {
    this.#parts.onCut(reason, this.client)
    this.#socket.destroy()
  }

  note(): void {
    this.#parts.unreadOutput.note(this)
  }

  countBody(bytes: number): void {
    this.#ownBody = bytes
  }

  /** The answer is the last on this connection, and says so. What of the request is still to come is read and discarded. */
  closeAfter({ req, res }: Exchange, isRead = () => req.complete): void {
    this.#isClosing = true
    res.shouldKeepAlive = false
    // Node calls it once the answer is out.
    this.#socket.destroySoon = () => closeAfterReading(this.#socket, isRead)
  }

  #begin(exchange: Exchange): void {
    this.#current = exchange
    this.#request = exchange.req
    exchange.res.once('close', () => this.#end())
    exchange.res.sendOn(this)
    this.#parts.answer(exchange)
  }

  #end(): void {
    this.#ownBody = 0
    this.note()
    const [current, next] = [this.#current, this.#next]
    this.#current = undefined
    this.#next = undefined
    if (next && current?.res.shouldKeepAlive && !this.#socket.destroyed) this.#begin(next)
  }

  /** What arrived is not read to its end: it would be more requests. */
  #refuseMore(last: Exchange): void {
    this.closeAfter(last, () => false)
    stopParsing(this.#socket)
    this.#socket.pause()
  }
}

/**
 * Discards the rest of what was read from a connection whose client sent more requests at once than are answered.
 *
 * Node parses everything that it has read, and keeps a request and a response for each until the connection is closed: 64 KB of short
 * requests become 10 MB. There is no public way to stop it. Its parser stops where this callback says that an upgrade follows (2), and
 * without an upgrade Node drops the rest. The parser is internal to Node: connection.test.ts notices if it changes.
 */
function stopParsing(socket: Socket): void {
  const parser: unknown = Reflect.get(socket, 'parser')
  if (typeof parser === 'object' && parser !== null) Reflect.set(parser, 'onIncoming', stopAt)
}

function stopAt(req: IncomingMessage): number {
  Reflect.set(req, 'upgrade', false)
  return STOP_AS_FOR_UPGRADE
}

const STOP_AS_FOR_UPGRADE = 2
