// The server under the application: requests for environments go to the edge before anything else sees them.
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { Context } from '../context.ts'

type Timeouts = { readonly requestTimeout?: number; readonly keepAliveTimeout?: number }

export function createFrontServer(
  edge: Context['embeddedEdge'],
  platform: RequestListener,
  { requestTimeout = 30_000, keepAliveTimeout = 72_000 }: Timeouts,
): Server {
  const isForEdge = (req: IncomingMessage): boolean => edge.claims(req.headers.host)
  const server = createServer(
    {
      keepAliveTimeout,
      headersTimeout: requestTimeout,
      // Node's limit is for the whole server, and an upload to an application may take hours.
      requestTimeout: 0,
      // What is not upgraded is a request like any other, without the Upgrade.
      shouldUpgradeCallback: (req) => isForEdge(req) && req.headers.upgrade?.toLowerCase() === 'websocket',
    },
    (req, res) => {
      if (isForEdge(req)) return edge.handle(req, res)
      endSlowBody(server, req, requestTimeout)
      platform(req, res)
    },
  )
  server.on('upgrade', (req, socket, head) => edge.upgrade(req, socket, head))
  return server
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
