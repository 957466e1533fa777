// The server under the application: requests for environments go to the edge before anything else sees them.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import { liveRoutes } from '@shipway/api/live'
import type { Context } from '../context.ts'
import { floodgate } from '../pacing/floodgate.ts'

type Options = {
  readonly requestTimeout?: number
  readonly keepAliveTimeout?: number
  /** Handed the upgrades that are meant for the platform itself, as long as it listens to them. */
  readonly live?: Server
}

export function createFrontServer(
  edge: Context['embeddedEdge'],
  platform: RequestListener,
  { requestTimeout = 30_000, keepAliveTimeout = 72_000, live }: Options,
): Server {
  const isForEdge = (req: IncomingMessage): boolean => edge.claims(req.headers.host)
  const server = createServer(
    {
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
      floodgate.noteRequest()
      if (isForEdge(req)) return edge.handle(req, res)
      endSlowBody(server, req, requestTimeout)
      platform(req, res)
    },
  )
  server.on('upgrade', (req, socket, head) => {
    if (isForEdge(req)) edge.upgrade(req, socket, head)
    else live?.emit('upgrade', req, socket, head)
  })
  return server
}

/** By its method too: no other route would take the connection over, and nobody closes one that was refused there. */
function isForLive({ method, url = '' }: IncomingMessage): boolean {
  const { openLive } = liveRoutes
  return method === openLive.method && url.split('?', 1)[0] === openLive.path
}

/** As Node would end it by itself if the limit were the server's. */
function endSlowBody(server: Server, req: IncomingMessage, timeoutMs: number): void {
  const { 'content-length': length = '0', 'transfer-encoding': coding } = req.headers
  if (length === '0' && coding === undefined) return
  const timer = setTimeout(() => {
    const error = Object.assign(new Error('The body took too long'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
    if (!server.emit('clientError', error, req.socket)) req.socket.destroy()
  }, timeoutMs)
  req.once('end', () => clearTimeout(timer))
  req.once('close', () => clearTimeout(timer))
}
