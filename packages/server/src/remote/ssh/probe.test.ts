// Whether a server answers: with real sockets on this machine.
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import type { ServerAddress } from '../../domain/server-address.ts'
import { CommandStopped, ServerUnreachable } from '../host.ts'
import { createProbe } from './probe.ts'
import { resolveServer } from './resolve-server.ts'

async function listen(onSocket: (socket: Socket) => void): Promise<{ server: ServerAddress; sockets: Socket[] }> {
  const sockets: Socket[] = []
  const listener = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => undefined)
    onSocket(socket)
  })
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy()
    listener.close()
  })
  const { port } = listener.address() as AddressInfo
  return { server: addressAt(port), sockets }
}

const addressAt = (port: number): ServerAddress => ({
  id: 1,
  name: 'One',
  connection: 'ssh',
  hostname: '127.0.0.1',
  port,
  unixUser: 'u',
  hostKey: null,
  principal: 'shipway-1-0',
  hasSignedIn: true,
  mayBePrivate: false,
  runtime: 'compose',
})
const places = { allowedNetworks: ['127.0.0.0/8'], lookup: async () => ['127.0.0.2', '127.0.0.1'] }
const probe = createProbe((server) => resolveServer(server, places))
const { signal } = new AbortController()

test('a server that speaks is reachable, and the connection is closed', async () => {
  const { server, sockets } = await listen((socket) => socket.write('SSH-2.0-x\r\n'))
  await probe(server, signal)
  const [socket] = sockets
  if (socket && !socket.closed) await once(socket, 'close')
  expect(sockets).toHaveLength(1)
})

test('a server that hangs up or does not listen is out of reach', async () => {
  const { server } = await listen((socket) => socket.end())
  await expect(probe(server, signal)).rejects.toThrow(ServerUnreachable)
  await expect(probe(addressAt(1), signal)).rejects.toThrow('The server One could not be reached: ECONNREFUSED')
})

test('a server at a forbidden address is not probed', async () => {
  const { server, sockets } = await listen((socket) => socket.write('SSH-2.0-x\r\n'))
  const strict = createProbe((one) => resolveServer(one, { ...places, allowedNetworks: [] }))
  await expect(strict(server, signal)).rejects.toThrow(ServerUnreachable)
  await expect(strict({ ...server, hostname: 'one.example.com' }, signal)).rejects.toThrow(ServerUnreachable)
  expect(sockets).toEqual([])
  await probe({ ...server, hostname: 'one.example.com' }, signal)
})

test('a server that says nothing fails at the timeout', async () => {
  const stopper = new AbortController()
  const { server } = await listen(() => stopper.abort())
  await expect(probe(server, stopper.signal)).rejects.toThrow(CommandStopped)
  await expect(probe(server, stopper.signal)).rejects.toThrow(CommandStopped)
})
