// Takes one request to the application and the answer back, both as streams.
import { Agent, type IncomingMessage, request, type ServerResponse } from 'node:http'
import { hasBody, headersForApplication, headersForClient } from './headers.ts'
import { noAnswer, sendPage } from './page.ts'

export type Target = { readonly port: number; readonly path: string; readonly usesAuthorization: boolean }

/**
 * A connection that was kept may have been closed by the application just now; then the request is sent once more on
 * a new one. Only requests that may be repeated are sent on kept connections, so none is lost to that.
 */
export function forward(target: Target, agent: Agent, { req, res }: Exchange): void {
  const isRepeatable = repeatable.has(req.method ?? '') && !hasBody(req)
  const upstream = send(target, isRepeatable ? agent : freshConnections, { req, res })
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    if (upstream.reusedSocket && lostConnection.has(error.code ?? '') && !res.headersSent && !res.destroyed) {
      send(target, freshConnections, { req, res }).on('error', () => answerInPlace(res))
    } else answerInPlace(res)
  })
}

export type Exchange = { readonly req: IncomingMessage; readonly res: ServerResponse }

/** Hands on the answer. One that breaks off breaks off for the client too, so that it is not taken for whole. */
export function relay(answer: IncomingMessage, res: ServerResponse): void {
  answer.on('error', () => res.destroy(new Error('The application broke off its answer')))
  try {
    res.writeHead(answer.statusCode ?? 502, answer.statusMessage, headersForClient(answer))
  } catch {
    // Node's parser lets pass what its writer refuses, such as a status of 99.
    answer.destroy()
    answerInPlace(res)
    return
  }
  answer.pipe(res)
  // An answer whose body takes its time, such as a stream of events, is seen to have begun.
  setImmediate(() => res.flushHeaders())
}

/** For an application that gave no answer. Where one has begun, its own end decides. */
export function answerInPlace(res: ServerResponse): void {
  if (!res.headersSent && !res.destroyed) sendPage(res, noAnswer)
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

function send({ port, path, usesAuthorization }: Target, agent: Agent, { req, res }: Exchange) {
  const headers = headersForApplication(req, { usesAuthorization, isUpgrade: false })
  const upstream = request({
    host: '127.0.0.1',
    port,
    path,
    method: req.method,
    headers,
    agent,
  })
  upstream.on('response', (answer) => {
    relay(answer, res)
    // It may answer without reading all of the body; the rest must not block the client's connection.
    answer.once('close', () => drain(req))
  })
  upstream.once('close', () => drain(req))
  res.once('close', () => upstream.destroy())
  if (hasBody(req)) req.pipe(upstream)
  else upstream.end()
  return upstream
}

function drain(req: IncomingMessage): void {
  if (req.complete) return
  req.unpipe()
  req.resume()
}
