import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { routeTo } from '../../test/embedded-edge.ts'
import { ask, echoWebSockets, type Loopback, listenOn, responseTo, sendRaw, serve } from '../../test/loopback.ts'
import { openTestApp, type TestApp } from '../../test/test-app.ts'
import { createFrontServer } from './front-server.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

let platform: TestApp
let application: Loopback
let port: number

beforeAll(async () => {
  platform = await openTestApp(source)
  const server = createServer((_req, res) => res.end('application'))
  echoWebSockets(server, 'application')
  application = await listenOn(server)
  port = Number(new URL(await platform.app.listen({ port: 0, host: '127.0.0.1' })).port)
  platform.ctx.embeddedEdge.replaceRoutes([routeTo(application.port)], [{ domain: 'new.test', environmentId: 2 }])
})
afterAll(async () => {
  await platform.close()
  await application.close()
})

test('the platform and the environments answer on one port, each at its own names', async () => {
  const own = await ask(port, 'ship.example.com', { path: '/healthz' })
  expect(own.status).toBe(200)
  expect(own.headers).toHaveProperty('x-service-version')
  const theirs = await ask(port, 'app.test', { path: '/healthz' })
  expect(theirs.text).toBe('application')
  expect(Object.keys(theirs.headers).sort()).toEqual(['connection', 'content-length', 'date'])
  expect((await ask(port, 'new.test')).status).toBe(503)
  expect((await ask(port, 'unknown.test')).status).toBe(404)
})

test('an upgrade that is not for an environment is a request like any other', async () => {
  const upgrade = (host: string): string =>
    `GET /api/me HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`
  expect(await sendRaw(port, upgrade('ship.example.com'))).toMatch(/^HTTP\/1\.1 401 /)
  expect(await sendRaw(port, upgrade('unknown.test'))).toMatch(/^HTTP\/1\.1 421 /)
})

test.each(['POST', 'PUT', 'OPTIONS', 'DELETE'])(
  'an upgrade of the live channel by %s is a request like any other',
  async (method) => {
    const bytes = `${method} /api/live HTTP/1.1\r\nHost: ship.example.com\r\nConnection: Upgrade, close\r\nUpgrade: websocket\r\n\r\n`
    expect(await sendRaw(port, bytes)).toMatch(/^HTTP\/1\.1 405 /)
  },
)

test('the platform closes although an application has a WebSocket open', async () => {
  const other = await openTestApp(source)
  const address = await other.app.listen({ port: 0, host: '127.0.0.1' })
  other.ctx.embeddedEdge.replaceRoutes([routeTo(application.port, 'live.test')], [])
  const bytes = 'GET / HTTP/1.1\r\nHost: live.test\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n'
  const open = sendRaw(Number(new URL(address).port), bytes)
  await once(application.server, 'upgrade')
  await other.close()
  await open
})

test('a body for the platform that takes too long is ended, one for an application is not', async () => {
  const slow = await serve((req, res) => void req.resume().on('end', () => res.end('application')))
  const front = await listenOn(
    createFrontServer(platform.ctx.embeddedEdge, (req) => req.resume(), { requestTimeout: 50 }),
  )
  platform.ctx.embeddedEdge.replaceRoutes([routeTo(slow.port)], [])
  const headers = { host: 'app.test', 'content-length': '4' }
  const upload = request({ port: front.port, method: 'POST', agent: false, headers })
  upload.write('12')
  await once(slow.server, 'request')
  expect(await sendRaw(front.port, 'POST / HTTP/1.1\r\nHost: ship.example.com\r\nContent-Length: 4\r\n\r\n12')).toBe('')
  upload.end('34')
  expect((await responseTo(upload)).statusCode).toBe(200)
  await front.close()
  await slow.close()
})
