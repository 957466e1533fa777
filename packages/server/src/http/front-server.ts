// The server under the application: requests for environments go to the edge before anything else sees them.
//
// Its connections keep the rules that no route may forget: one request at a time, and bounds on what clients do not read (connections/).
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { liveRoutes } from '@shipway/api/live'
import { isInNetworks, networkOf } from '@shipway/api/values/ip-address'
import type { Context } from '../context.ts'
import { outputThrottle } from '../scheduling/output-throttle.ts'
import { AnswerResponse, type Exchange } from './connections/answer-response.ts'
import { Connection, connectionOf } from './connections/connection.ts'
import { followConnections, isDraining } from './connections/drain.ts'
import { type CutReason, UNREAD_LIMITS, type UnreadLimits, UnreadOutput } from './connections/unread-output.ts'

type Options = {
  readonly requestTimeout?: number
  readonly keepAliveTimeout?: number
  /** Handed the upgrades that are meant for the platform itself, as long as it listens to them. */
  readonly live?: Server
  readonly trustedProxies?: readonly string[]
  readonly unreadLimits?: UnreadLimits
  /** Hears of connections that are closed because their client does not read. */
  readonly onCut?: (reason: CutReason, client: string) => void
}

export function createFrontServer(
  edge: Context['embeddedEdge'],
  platform: RequestListener,
  {
    requestTimeout = 30_000,
    keepAliveTimeout = 72_000,
    live,
    trustedProxies = [],
    unreadLimits = UNREAD_LIMITS,
    onCut = () => undefined,
  }: Options,
): Server {
  const isForEdge = (req: IncomingMessage): boolean => edge.claims(req.headers.host)
  const answer = ({ req, res }: Exchange): void => {
    if (isForEdge(req)) edge.handle(req, res)
    else {
      endSlowBody(server, { req, res }, requestTimeout)
      platform(req, res)
    }
  }
  const parts = {
    answer,
    unreadOutput: new UnreadOutput(unreadLimits),
    clientOf: (req: IncomingMessage) => networkOf(clientAddress(req, trustedProxies)),
    onCut,
  }
  const server = createServer(
    {
      ServerResponse: AnswerResponse,
      keepAliveTimeout,
      headersTimeout: requestTimeout,
      // Node's limit is for the whole server, and an upload to an application may take hours.
      requestTimeout: 0,
      // What is not upgraded is a request like any other, without the Upgrade.
      shouldUpgradeCallback: (req) =>
        req.headers.upgrade?.toLowerCase() === 'websocket' &&
        (isForEdge(req) || (isForLive(req) && live !== undefined && live.listenerCount('upgrade') > 0)),
    },
    (req, res) => {
      outputThrottle.noteRequest()
      if (isDraining(server)) res.shouldKeepAlive = false
      connectionOf(req.socket)?.take({ req, res })
    },
  )
  followConnections(server)
  server.on('connection', (socket) => void new Connection(socket, parts))
  server.on('upgrade', (req, socket, head) => {
    const isEdges = isForEdge(req)
    // The live channel bounds what waits for its readers itself.
    connectionOf(socket)?.upgrade(req, { isCounted: !isEdges })
    if (isEdges) edge.upgrade(req, socket, head)
    else live?.emit('upgrade', req, socket, head)
  })
  return server
}

/**
 * The address that a request came from, or the one that a trusted proxy names: as Fastify finds `request.ip`, for requests that never
 * reach it.
 */
function clientAddress(req: IncomingMessage, trustedProxies: readonly string[]): string {
  const sender = req.socket.remoteAddress ?? ''
  if (!isInNetworks(sender, trustedProxies)) return sender
  const header = req.headers['x-forwarded-for'] ?? ''
  const forwarded = String(header)
    .split(',')
    .reverse()
    .map((address) => address.trim())
  const client = forwarded.find((address) => !isInNetworks(address, trustedProxies)) ?? forwarded.at(-1)
  return client || sender
}

/** By its method too: no other route would take the connection over, and a connection that was refused there would stay open. */
function isForLive({ method, url = '' }: IncomingMessage): boolean {
  const { openLive } = liveRoutes
  return method === openLive.method && url.split('?', 1)[0] === openLive.path
}

/** As Node would end it by itself if the limit were the server's. */
function endSlowBody(server: Server, { req, res }: Exchange, timeoutMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (length === '0' && coding === undefined) return
  const end = (): void => {
    const error = Object.assign(new Error('The body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (res.headersSent || !server.emit('clientError', error, req.socket)) req.socket.destroy()
  }
  let timer = setTimeout(end, timeoutMs)
  endings.set(req, (ms) => {
    clearTimeout(timer)
    timer = setTimeout(end, ms)
  })
  req.once('end', () => clearTimeout(timer))
  res.once('close', () => clearTimeout(timer))
}

const endings = new WeakMap<IncomingMessage, (timeoutMs: number) => void>()

/** Gives the body of an authenticated request more time. */
export const allowBodyTime = (req: IncomingMessage, timeoutMs: number): void => endings.get(req)?.(timeoutMs)
