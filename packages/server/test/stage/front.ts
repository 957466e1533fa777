// A front server on a port of its own, with an edge that claims no host, and clients that read only when they are told to.
import { once } from 'node:events'
import type { RequestListener } from 'node:http'
import { connect, type Socket } from 'node:net'
import { createEmbeddedEdge } from '../../src/edge/embedded-edge.ts'
import { createFrontServer } from '../../src/http/front-server.ts'
import { type Loopback, listenOn } from '../loopback.ts'

type Options = Parameters<typeof createFrontServer>[2]

export async function serveInFront(platform: RequestListener, options: Options = {}): Promise<Loopback> {
  const fail = (error: unknown): void => {
    throw error
  }
  return listenOn(createFrontServer(createEmbeddedEdge({ isOwnHost: () => true, onFault: fail }), platform, options))
}

export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: ship.example.com\r\n\r\n`

/** Sends these bytes, and reads nothing. Its close is seen all the same once `resume` is called. */
export async function openSilent(port: number, text: string, localAddress = '127.0.0.1'): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  socket.pause()
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text, 'latin1')
  return socket
}

/** All that arrives until the other side closes or breaks off. */
export async function readRest(socket: Socket): Promise<string> {
  const pieces: Buffer[] = []
  socket.on('data', (piece: Buffer) => pieces.push(piece))
  if (!socket.destroyed) await once(socket, 'close')
  return Buffer.concat(pieces).toString('latin1')
}
