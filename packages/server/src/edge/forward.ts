// Takes one request to the application and the answer back, both as streams.
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { hasBody, headersForApplication, headersForClient } from './headers.ts'
import { sendPage } from './page.ts'
import { pageFor } from './page-for.ts'
import { canBeWritten, reasonOf } from './written.ts'

export type ForwardTarget = { readonly port: number; readonly path: string; readonly usesAuthorization: boolean }

/**
 * A connection that was kept may have been closed by the application just now; then the request is sent once more on
 * a new one. Only requests that may be repeated are sent on kept connections, so none is lost to that.
 */
export function forward(target: ForwardTarget, agent: Agent, exchange: Exchange): void {
  const { req, res, guard } = exchange
  const isRepeatable = repeatable.has(req.method ?? '') && !hasBody(req)
  const upstream = send(target, isRepeatable ? agent : freshConnections, exchange)
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    const isLost = upstream.reusedSocket && lostConnection.has(error.code ?? '')
    guard(() => {
      if (!isLost || res.headersSent || res.destroyed) return answerInPlace(res, error)
      send(target, freshConnections, exchange).on('error', (again) => guard(() => answerInPlace(res, again)))
    })
  })
}

export type Exchange = {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /**
   * Does a piece of work for this request, and breaks off this request where it throws. Every listener goes through it: an error
   * that is thrown out of one ends the process.
   */
  readonly guard: (work: () => void) => void
}

/** Hands on the answer. One that breaks off breaks off for the client too, so that it is not taken for whole. */
export function relay(answer: IncomingMessage, { res, guard }: Exchange): void {
  const status = answer.statusCode ?? 0
  const headers = headersForClient(answer)
  if (res.headersSent || status < leastFinalStatus || !canBeWritten(status, headers)) {
    answer.on('error', () => guard(() => answerInPlace(res)))
    answer.destroy()
    answerInPlace(res)
    return
  }
  answer.on('error', () => res.destroy(new Error('The application broke off its answer')))
  res.writeHead(status, reasonOf(answer), headers)
  answer.pipe(res)
  // An answer whose body takes its time, such as a stream of events, is seen to have begun.
  setImmediate(() => guard(() => res.flushHeaders()))
}

/** A 101 that is no upgrade, and whatever else cannot be the last answer, is none. */
const leastFinalStatus = 200

/** For an application that gave no answer, or none that can be passed on. Where one has begun, its own end decides. */
export function answerInPlace(res: ServerResponse, error?: Error): void {
  if (!res.headersSent && !res.destroyed) sendPage(res, pageFor(error))
}

/** Says keep-alive all the same: told to close, an application that answers early would cut off the upload. */
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
    host: '127.0.0.1',
    port,
    path,
    method: req.method,
    headers,
    agent,
  })
  // It was not asked for one. Without a listener Node would close the request without a word.
  upstream.on('upgrade', (_, farSocket) =>
    guard(() => {
      farSocket.on('error', () => farSocket.destroy())
      farSocket.destroy()
      answerInPlace(res)
    }),
  )
  upstream.on('response', (answer) =>
    guard(() => {
      // It may answer without reading all of the body; the rest must not block the client's connection.
      answer.once('close', () => drain(req))
      relay(answer, exchange)
    }),
  )
  upstream.once('close', () => drain(req))
  res.once('close', () => upstream.destroy())
  if (hasBody(req)) {
    // The client may wait for the answer before it sends the body.
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
