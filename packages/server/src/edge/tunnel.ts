// Connects a WebSocket to the application: once both sides have agreed, bytes pass until one of them closes.
import { type IncomingMessage, request, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { LOOPBACK } from '../domain/loopback.ts'
import { type Exchange, type ForwardTarget, relay, sendErrorPage } from './forward.ts'
import { headersForApplication } from './headers.ts'
import { isValidResponseHead } from './valid-response-head.ts'

type ClientEnd = { readonly socket: Socket; readonly head: Buffer }

export function tunnel(
  { port, path, usesAuthorization }: ForwardTarget,
  exchange: Exchange,
  { socket, head }: ClientEnd,
): void {
  const { req, res, guard } = exchange
  const headers = headersForApplication(req, { usesAuthorization, isUpgrade: true })
  const upstream = request({ host: LOOPBACK, port, path, method: req.method, headers, agent: false })
  upstream.on('upgrade', (answer, farSocket, farHead) =>
    guard(() => {
      destroyOnError(farSocket)
      if (answer.statusCode !== 101 || !isValidResponseHead(answer.statusCode, answer.rawHeaders) || socket.destroyed) {
        farSocket.destroy()
        return sendErrorPage(res)
      }
      res.detachSocket(socket)
      socket.write(switchingProtocols(answer), 'latin1')
      join({ socket, head }, { socket: farSocket, head: farHead })
    }),
  )
  upstream.on('response', (answer) => guard(() => relay(answer, exchange)))
  upstream.on('error', (error) => guard(() => sendErrorPage(res, error)))
  socket.once('close', () => upstream.destroy())
  upstream.end()
}

/** A response on a connection that asked for a WebSocket; the connection closes after it. */
export function lastAnswer(req: IncomingMessage, socket: Socket): ServerResponse {
  const res = new ServerResponse(req)
  res.shouldKeepAlive = false
  res.assignSocket(socket)
  socket.on('drain', () => res.emit('drain'))
  // A close event follows, which ends the other side.
  destroyOnError(socket)
  res.once('finish', () => socket.destroySoon())
  return res
}

function switchingProtocols({ rawHeaders }: IncomingMessage): string {
  let text = 'HTTP/1.1 101 Switching Protocols\r\n'
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    text += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`
  }
  return `${text}\r\n`
}

/** Bytes that came with the request are sent only after the application has agreed: before, it could read them as another request. */
function join(near: ClientEnd, far: ClientEnd): void {
  for (const { socket } of [near, far]) {
    socket.setNoDelay(true)
    socket.setTimeout(0)
  }
  if (near.head.length > 0) far.socket.write(near.head)
  if (far.head.length > 0) near.socket.write(far.head)
  pipe(near.socket, far.socket)
  pipe(far.socket, near.socket)
}

/** Its listeners live as long as the sockets, so they are made where the first bytes, up to 64 KB, are not in reach. */
function pipe(from: Socket, to: Socket): void {
  destroyOnError(from)
  from.once('close', () => to.destroySoon())
  from.pipe(to)
}

function destroyOnError(socket: Duplex): void {
  socket.on('error', () => socket.destroy())
}
