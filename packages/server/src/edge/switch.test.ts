import { once } from 'node:events'
import { Agent, createServer, request } from 'node:http'
import { afterEach, expect, test } from 'vitest'
import { type EmbeddedTestEdge, openEmbeddedEdge, routeTo } from '../../test/embedded-edge.ts'
import { ask, echoWebSockets, type Loopback, listenOn, responseTo, sendRaw, serve } from '../../test/loopback.ts'
import { Secret } from '../secrets/secret.ts'
import { basicAuthOf } from './route.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

function keep<Opened extends { close(): Promise<void> }>(one: Opened): Opened {
  opened.push(one)
  return one
}

async function echo(name: string): Promise<Loopback> {
  const server = createServer((_req, res) => res.writeHead(426).end('x'.repeat(1_000_000)))
  echoWebSockets(server, name)
  return keep(await listenOn(server))
}

test('no request is lost while a route goes back and forth under 20 clients', async () => {
  const edge = keep(await openEmbeddedEdge())
  // Connections that an application drops as soon as they are idle are the hardest case.
  const both = [keep(await serve((_req, res) => res.end('0'))), keep(await serve((_req, res) => res.end('1')))]
  for (const { server } of both) server.keepAliveTimeout = 1
  const ports = both.map(({ port }) => port)
  let live = 0
  const switchTo = (next: number): void => {
    live = next
    edge.replaceRoutes([routeTo(ports[next] ?? 0)], [])
  }
  switchTo(0)
  const agent = new Agent({ keepAlive: true, maxSockets: 20 })
  const statuses: number[] = []
  let answered = 0
  const client = async (): Promise<void> => {
    for (let sent = 0; sent < 100; sent++) {
      const isPost = sent % 3 === 0
      const req = request({ port: edge.port, agent, method: isPost ? 'POST' : 'GET', headers: { host: 'app.test' } })
      req.end(isPost ? 'body' : undefined)
      const answer = await responseTo(req)
      statuses.push(answer.statusCode ?? 0)
      await once(answer.resume(), 'end')
      if (++answered % 25 === 0) switchTo(1 - live)
    }
  }
  await Promise.all(Array.from({ length: 20 }, client))
  agent.destroy()
  expect(statuses).toHaveLength(2000)
  expect(statuses.filter((status) => status !== 200)).toEqual([])
})

test('a kept connection that the application drops costs no request', async () => {
  const edge = keep(await openEmbeddedEdge())
  const used = new Set<unknown>()
  let dropped = 0
  const app = keep(
    await serve((req, res) => {
      if (used.has(req.socket)) {
        dropped++
        req.socket.destroy()
      } else res.end('whole')
      used.add(req.socket)
    }),
  )
  edge.replaceRoutes([routeTo(app.port)], [])
  for (const method of ['GET', 'GET', 'POST', 'HEAD', 'GET', 'OPTIONS', 'DELETE', 'GET']) {
    expect((await ask(edge.port, 'app.test', { method })).status, method).toBe(200)
  }
  expect(dropped).toBeGreaterThan(0)
})

test('after a switch not one request reaches the old port', async () => {
  const edge = keep(await openEmbeddedEdge())
  const old = keep(await serve((_req, res) => res.end('old')))
  const fresh = keep(await serve((_req, res) => res.end('fresh')))
  for (let round = 0; round < 20; round++) {
    edge.replaceRoutes([routeTo(old.port)], [])
    expect((await ask(edge.port, 'app.test')).text).toBe('old')
    edge.replaceRoutes([routeTo(fresh.port)], [])
    expect((await ask(edge.port, 'app.test')).text).toBe('fresh')
  }
})

test('a slow request across a switch is answered by the application that took it', async () => {
  const edge = keep(await openEmbeddedEdge())
  const { promise: taken, resolve: take } = Promise.withResolvers<() => void>()
  const old = keep(await serve((_req, res) => take(() => res.end('old'))))
  const fresh = keep(await serve((_req, res) => res.end('fresh')))
  edge.replaceRoutes([routeTo(old.port)], [])
  const slow = ask(edge.port, 'app.test')
  const finish = await taken
  edge.replaceRoutes([routeTo(fresh.port)], [])
  expect((await ask(edge.port, 'app.test')).text).toBe('fresh')
  finish()
  expect((await slow).text).toBe('old')
})

test('an open WebSocket stays with its application across a switch, and ends with it', async () => {
  const edge = keep(await openEmbeddedEdge())
  const old = await echo('old')
  const fresh = await echo('fresh')
  edge.replaceRoutes([routeTo(old.port, '127.0.0.1')], [])
  const socket = await openWebSocket(edge)
  expect(await say(socket, 'hello')).toBe('old: hello')
  edge.replaceRoutes([routeTo(fresh.port, '127.0.0.1')], [])
  expect(await say(socket, 'still there')).toBe('old: still there')
  const later = await openWebSocket(edge)
  expect(await say(later, 'hello')).toBe('fresh: hello')
  const ended = Promise.all([once(socket, 'close'), once(later, 'close')])
  later.close()
  await old.close()
  opened.splice(opened.indexOf(old), 1)
  await ended
})

test('closing the edge ends open WebSockets', async () => {
  const edge = keep(await openEmbeddedEdge())
  const app = await echo('application')
  edge.replaceRoutes([routeTo(app.port, '127.0.0.1')], [])
  const socket = await openWebSocket(edge)
  const closed = once(socket, 'close')
  await edge.close()
  opened.splice(opened.indexOf(edge), 1)
  await closed
})

const upgrade = (lines = ''): string =>
  `GET / HTTP/1.1\r\nHost: app.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${lines}\r\n`

test('a WebSocket needs the same basic auth, and gets the same pages', async () => {
  const edge = keep(await openEmbeddedEdge())
  const app = await echo('application')
  edge.replaceRoutes([], [{ domain: 'app.test', environmentId: 1 }])
  expect(await sendRaw(edge.port, upgrade())).toMatch(/^HTTP\/1\.1 503 /)
  edge.replaceRoutes([routeTo(app.port, 'app.test', basicAuthOf('ada', new Secret('secret')))], [])
  expect(await sendRaw(edge.port, upgrade())).toMatch(/^HTTP\/1\.1 401 .*Basic realm="app\.test"/s)
  expect(await sendRaw(edge.port, upgrade(`Authorization: Basic ${btoa('ada:wrong')}\r\n`))).toMatch(/^HTTP\/1\.1 401 /)
  const closeFrame = '\x88\x00'
  const entered = sendRaw(edge.port, upgrade(`Authorization: Basic ${btoa('ada:secret')}\r\n`) + closeFrame)
  expect(await entered).toMatch(/^HTTP\/1\.1 101 /)
  edge.replaceRoutes([routeTo(1)], [])
  expect(await sendRaw(edge.port, upgrade())).toMatch(/^HTTP\/1\.1 502 /)
})

test('an application can decline a WebSocket with a response of any length, and gets no further bytes', async () => {
  const edge = keep(await openEmbeddedEdge())
  const reached: string[] = []
  const app = keep(
    await serve((req, res) => {
      reached.push(req.url ?? '')
      res.writeHead(426).end('x'.repeat(3_000_000))
    }),
  )
  edge.replaceRoutes([routeTo(app.port)], [])
  const answer = await sendRaw(edge.port, `${upgrade()}GET /smuggled HTTP/1.1\r\nHost: app.test\r\n\r\n`)
  expect(answer).toMatch(/^HTTP\/1\.1 426 /)
  expect(answer.match(/x/g)?.length).toBeGreaterThanOrEqual(3_000_000)
  expect(reached).toEqual(['/'])
})

async function openWebSocket(edge: EmbeddedTestEdge): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${edge.port}/`)
  await once(socket, 'open')
  return socket
}

async function say(socket: WebSocket, text: string): Promise<unknown> {
  const { promise, resolve } = Promise.withResolvers<unknown>()
  socket.addEventListener('message', (event) => resolve(event.data), { once: true })
  socket.send(text)
  return promise
}
