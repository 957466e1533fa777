// Forwards one request to the application and its response back, both as streams.
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { LOOPBACK } from '../domain/loopback.ts'
import { hasBody, headersForApplication, headersForClient } from './headers.ts'
import { pageFor, sendPage } from './page.ts'
import { isValidResponseHead, reasonOf } from './valid-response-head.ts'

export type ForwardTarget = { readonly port: number; readonly path: string; readonly usesAuthorization: boolean }

/**
 * The application may just have closed a kept-alive connection; then the request is sent again on a new one. Only requests that may be
 * repeated use kept-alive connections, so none is lost.
 */
export function forward(target: ForwardTarget, agent: Agent, exchange: Exchange): void {
  const { req, res, guard } = exchange
  const isRepeatable = repeatable.has(req.method ?? '') && !hasBody(req)
  const upstream = send(target, isRepeatable ? agent : freshConnections, exchange)
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    const isLost = upstream.reusedSocket && lostConnection.has(error.code ?? '')
    guard(() => {
      if (!isLost || res.headersSent || res.destroyed) return sendErrorPage(res, error)
      send(target, freshConnections, exchange).on('error', (again) => guard(() => sendErrorPage(res, again)))
    })
  })
}

export type Exchange = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /**
   * Runs work for this request and ends only this request if it throws. Every listener must use it: an error thrown out of a listener ends
   * the process.
   */
  readonly guard: (work: () => void) => void
}

/** Passes the response on. If it is cut off, the client's response is cut off as well, so that it does not look complete. */
export function relay(answer: IncomingMessage, { res, guard }: Exchange): void {
  const status = answer.statusCode ?? 0
  const headers = headersForClient(answer)
  if (res.headersSent || status < leastFinalStatus || !isValidResponseHead(status, headers)) {
    answer.on('error', () => guard(() => sendErrorPage(res)))
    answer.destroy()
    sendErrorPage(res)
    return
  }
  answer.on('error', () => res.destroy(new Error('The application broke off its answer')))
  res.writeHead(status, reasonOf(answer), headers)
  answer.pipe(res)
  // Sends the headers early, so that clients of slow bodies, such as event streams, see that the response has begun.
  setImmediate(() => guard(() => res.flushHeaders()))
}

/** Lower ones are not final: a 101 without an upgrade, and other interim responses. */
const leastFinalStatus = 200

/** For an application that gave no response, or none that can be passed on. If a response has begun, it is left to end by itself. */
export function sendErrorPage(res: ServerResponse, error?: Error): void {
  if (!res.headersSent && !res.destroyed) sendPage(res, pageFor(error))
}

/** Sends keep-alive all the same: with close, an application that responds early would cut off the upload. */
class FreshConnections extends Agent {
  override keepSocketAlive(): boolean {
    return false
  }
}

const freshConnections = new FreshConnections({ keepAlive: true })

const repeatable = new Set(['GET', 'HEAD', 'OPTIONS'])
const lostConnection = new Set(['ECONNRESET', 'EPIPE'])

function send({ port, path, usesAuthorization }: ForwardTarget, agent: Agent, exchange: Exchange) {
  const { req, res, guard } = exchange
  const headers = headersForApplication(req, { usesAuthorization, isUpgrade: false })
  const upstream = request({
    host: LOOPBACK,
    port,
    path,
    method: req.method,
    headers,
    agent,
  })
  // No upgrade was requested. Without a listener, Node would close the request without an error.
  upstream.on('upgrade', (_, farSocket) =>
    guard(() => {
      farSocket.on('error', () => farSocket.destroy())
      farSocket.destroy()
      sendErrorPage(res)
    }),
  )
  upstream.on('response', (answer) =>
    guard(() => {
      // It may respond without reading the whole body; the rest must not block the client's connection.
      answer.once('close', () => drain(req))
      relay(answer, exchange)
    }),
  )
  upstream.once('close', () => drain(req))
  res.once('close', () => upstream.destroy())
  if (hasBody(req)) {
    // The client may wait for a response before it sends the body.
    upstream.flushHeaders()
    req.pipe(upstream)
  } else upstream.end()
  return upstream
}

function drain(req: IncomingMessage): void {
  if (req.complete) return
  req.unpipe()
  req.resume()
}
