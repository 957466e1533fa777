// A platform that plays the live channel as a test says: every connection and every request is awaited, nothing is answered by itself
// but `GET /api/me` and the handshakes of the protocol.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type WebSocket, WebSocketServer } from 'ws'
import { LIVE_SUBPROTOCOL, LiveRequest } from '../src/live.ts'
import { Awaited } from './awaited.ts'

type Me = { readonly status: number; readonly body: unknown }
type Answer = {
  readonly epoch?: string
  readonly seq?: number
  readonly recovered?: boolean
  readonly snapshot?: object
}
type Subscribe = Extract<LiveRequest, { type: 'subscribe' }>

export class LivePlatform {
  readonly #http: Server
  readonly #sockets: WebSocketServer
  readonly #connections = new Awaited<PlatformConnection>()
  readonly #asked = new Awaited<object>()
  readonly authorizations: (string | undefined)[] = []
  readonly protocols: string[][] = []
  readonly addresses: (string | undefined)[] = []
  me: Me = { status: 200, body: {} }
  /** With which status a WebSocket is refused. */
  refusesWith: number | undefined

  private constructor() {
    this.#http = createServer((request, response) => {
      const { authorization } = request.headers
      this.authorizations.push(authorization)
      this.#asked.push({ authorization })
      response.writeHead(this.me.status, { 'content-type': 'application/problem+json' })
      response.end(JSON.stringify(this.me.body))
    })
    this.#sockets = new WebSocketServer({
      server: this.#http,
      handleProtocols: (offered) => {
        this.protocols.push([...offered])
        return LIVE_SUBPROTOCOL
      },
      verifyClient: (_, answer) => answer(this.refusesWith === undefined, this.refusesWith),
    })
    this.#sockets.on('connection', (socket, request) => {
      this.addresses.push(request.url)
      this.#connections.push(new PlatformConnection(socket))
    })
  }

  static async start(port = 0): Promise<LivePlatform> {
    const platform = new LivePlatform()
    platform.#http.listen(port, '127.0.0.1')
    await once(platform.#http, 'listening')
    return platform
  }

  get port(): number {
    return (this.#http.address() as AddressInfo).port
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${this.port}`
  }

  /** The next one that was opened. */
  connection(): Promise<PlatformConnection> {
    return this.#connections.next()
  }

  /** Undefined where something else happens first; the connection is then for the next caller. */
  async connectionUnless(other: Promise<undefined>): Promise<PlatformConnection | undefined> {
    return this.#connections.nextUnless(other)
  }

  /** Awaits a request over HTTP. */
  async asked(): Promise<void> {
    await this.#asked.next()
  }

  /** How many are open. */
  get openConnections(): number {
    return this.#sockets.clients.size
  }

  async stop(): Promise<void> {
    for (const socket of this.#sockets.clients) socket.terminate()
    this.#http.closeAllConnections()
    await new Promise((done) => this.#http.close(done))
  }
}

export class PlatformConnection {
  readonly socket: WebSocket
  readonly closed: Promise<number>
  readonly #requests = new Awaited<LiveRequest>()

  constructor(socket: WebSocket) {
    this.socket = socket
    this.closed = new Promise((resolve) => socket.once('close', resolve))
    // What is not of the contract ends the test's process with an error.
    socket.on('message', (bytes) => this.#requests.push(LiveRequest.parse(JSON.parse(String(bytes)))))
  }

  request(): Promise<LiveRequest> {
    return this.#requests.next()
  }

  /** Awaits a subscription and confirms it. */
  async confirm(answer: Answer = {}): Promise<Subscribe> {
    return this.#confirm(await this.request(), answer)
  }

  async confirmUnlessClosed(answer: Answer = {}): Promise<Subscribe | undefined> {
    const request = await this.#requests.nextUnless(this.closed.then(() => undefined))
    return request && this.#confirm(request, answer)
  }

  #confirm(request: LiveRequest, answer: Answer): Subscribe {
    if (request.type !== 'subscribe') throw new Error(`There came ${request.type}`)
    const { id, topic, since } = request
    const usual = { epoch: 'e1', seq: since?.seq ?? 0, recovered: since !== undefined }
    this.send({ type: 'subscribed', id, topic, ...usual, ...answer })
    return request
  }

  send(message: object | string): void {
    this.socket.send(typeof message === 'string' ? message : JSON.stringify(message))
  }

  close(code: number): void {
    this.socket.close(code)
  }

  /** As a cable that is pulled: nothing is said. */
  cut(): void {
    this.socket.terminate()
  }
}
