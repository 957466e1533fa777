// One request after the other on a connection, whatever the client sends at once.
import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test, vi } from 'vitest'
import { routeTo } from '../../../test/embedded-edge.ts'
import { ask, type Loopback, listenOn, responseTo } from '../../../test/loopback.ts'
import { get, openSilent, readRest, serveInFront } from '../../../test/stage/front.ts'
import { createEmbeddedEdge } from '../../edge/embedded-edge.ts'
import { createFrontServer } from '../front-server.ts'
import { UNREAD_LIMITS } from './unread-output.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  vi.useRealTimers()
  for (const one of opened.splice(0)) await one.close()
})

async function front(...words: Parameters<typeof serveInFront>): Promise<Loopback> {
  const server = await serveInFront(...words)
  opened.push(server)
  return server
}

/** More than the buffers of a connection take. */
const LARGE = 16 * 1024 * 1024

test('of requests that are sent at once, one is answered at a time', async () => {
  const paths: string[] = []
  const server = await front((req, res) => {
    paths.push(req.url ?? '')
    res.end(req.url === '/large' ? Buffer.alloc(LARGE, 1) : 'small')
  })
  const silent = await openSilent(server.port, get('/large').repeat(500))
  await expect.poll(() => paths.length).toBeGreaterThan(0)
  for (let count = 0; count < 20; count++) await ask(server.port, 'ship.example.com', { path: '/small' })
  expect(paths.filter((path) => path === '/large').length).toBe(1)
  silent.destroy()
})

test('a second request that is sent at once waits for its turn, more of them are not answered', async () => {
  const paths: string[] = []
  const server = await front((req, res) => {
    paths.push(req.url ?? '')
    setImmediate(() => res.end(`answer to ${req.url}`))
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.write(['/first', '/second', '/third', '/fourth'].map(get).join(''))
  const received = await readRest(socket)
  expect(received.match(/answer to \/(first|second|third|fourth)/g)).toEqual(['answer to /first', 'answer to /second'])
  expect(received.match(/connection: [\w-]+/gi)).toEqual(['Connection: keep-alive', 'Connection: close'])
  expect(paths).toEqual(['/first', '/second'])
})

test('of thousands of requests that are sent at once, only the first few are parsed', async () => {
  const server = await front((_req, res) => setImmediate(() => res.end('answer')))
  let parsed = 0
  server.server.on('request', () => parsed++)
  const socket = connect(server.port, '127.0.0.1')
  socket.write(get('/').repeat(2_000))
  expect((await readRest(socket)).match(/answer/g)).toHaveLength(2)
  expect(parsed).toBe(3)
})

test('a WebSocket whose client does not read is counted when its bytes arrive', async () => {
  // Without it, the connections would also be looked at every second.
  vi.useFakeTimers({ toFake: ['setInterval'] })
  const application = await listenOn(
    createServer().on('upgrade', (_req, socket) => {
      socket.on('error', () => socket.destroy())
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n')
      socket.write(Buffer.alloc(LARGE))
    }),
  )
  const edge = createEmbeddedEdge({ isOwnHost: () => false, graceMs: 0, onFault: () => undefined })
  edge.replaceRoutes([routeTo(application.port)], [])
  const { promise: cut, resolve: onCut } = Promise.withResolvers<string>()
  const unreadLimits = { ...UNREAD_LIMITS, perClient: 200 * 1024 }
  const server = createFrontServer(edge, () => undefined, { unreadLimits, onCut })
  const loopback = await listenOn(server)
  opened.push(loopback, application)
  const upgrade = 'GET / HTTP/1.1\r\nHost: app.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const silent = await Promise.all(Array.from({ length: 4 }, () => openSilent(loopback.port, upgrade)))
  // No poll: it would move the timers on.
  expect(await cut).toBe('too much for one client')
  for (const socket of silent) socket.destroy()
  await edge.close()
})

test('a client that asks again before the handler has ended its answer loses nothing', async () => {
  const { promise: askedAgain, resolve: askAgain } = Promise.withResolvers<void>()
  const server = await front((req, res) => {
    res.writeHead(200, { 'content-length': '4' })
    res.write('body')
    if (req.url === '/first') void askedAgain.then(() => res.end())
    else res.end()
  })
  const socket = connect(server.port, '127.0.0.1')
  socket.setEncoding('latin1')
  socket.write(get('/first'))
  expect(await once(socket, 'data')).toHaveLength(1)
  const second = once(socket, 'data')
  socket.write(get('/second'), () => askAgain())
  expect(String(await second)).toMatch(/^HTTP\/1\.1 200 OK.*body$/s)
  socket.destroy()
})

test('a kept connection answers one request after the other', async () => {
  let connections = 0
  const server = await front((req, res) => void req.resume().on('end', () => res.end(req.url)))
  server.server.on('connection', () => connections++)
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  for (let count = 0; count < 50; count++) {
    const sent = request({ port: server.port, path: `/${count}`, method: 'POST', agent })
    sent.end('x'.repeat(count * 1000))
    const [text] = await (await responseTo(sent)).setEncoding('utf8').toArray()
    expect(text).toBe(`/${count}`)
  }
  expect(connections).toBe(1)
  agent.destroy()
})
