import { afterEach, expect, test } from 'vitest'
import { freePort } from '../../../../tools/free-port.ts'
import { type EmbeddedTestEdge, openEmbeddedEdge, routeTo } from '../../test/embedded-edge.ts'
import { type Answer, ask, type Loopback, sendRaw, serve } from '../../test/loopback.ts'
import { Secret } from '../secrets/secret.ts'
import { basicAuthOf } from './route.ts'

const opened: { close(): Promise<void> }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

async function openEdge(): Promise<EmbeddedTestEdge> {
  const edge = await openEmbeddedEdge()
  opened.push(edge)
  return edge
}

async function application(...listener: Parameters<typeof serve>): Promise<Loopback> {
  const app = await serve(...listener)
  opened.push(app)
  return app
}

/** Responds with what it received. */
const mirror: Parameters<typeof serve>[0] = (req, res) => {
  res.end(JSON.stringify({ url: req.url, method: req.method, raw: req.rawHeaders, headers: req.headers }))
}

const seenBy = (answer: Answer): { url: string; raw: string[]; headers: Record<string, string> } =>
  JSON.parse(answer.text)

test('each domain leads to its own application, and all other names to the platform', async () => {
  const edge = await openEdge()
  const one = await application((_req, res) => res.end('one'))
  const two = await application((_req, res) => res.end('two'))
  edge.replaceRoutes([routeTo(one.port, 'one.test'), routeTo(two.port, 'two.test')], [])
  const expected = {
    'one.test': 'one',
    'ONE.test:1234': 'one',
    'one.test.': 'one',
    'two.test': 'two',
    'three.test': 'platform',
    'x.one.test': 'platform',
    'one.test.evil.test': 'platform',
    'one.test@two.test': 'platform',
    'ship.example.com': 'platform',
  }
  for (const [host, text] of Object.entries(expected)) expect((await ask(edge.port, host)).text, host).toBe(text)
})

test('a route never takes over the platform’s own name', async () => {
  const edge = await openEdge()
  const app = await application((_req, res) => res.end('application'))
  edge.replaceRoutes([routeTo(app.port, 'ship.example.com')], [])
  expect((await ask(edge.port, 'ship.example.com')).text).toBe('platform')
})

test('a route to the port of the platform itself is refused', async () => {
  const edge = await openEdge()
  edge.replaceRoutes([routeTo(edge.port)], [])
  const answer = await ask(edge.port, 'app.test')
  expect(answer.status).toBe(508)
  expect(answer.text).toContain('This address leads back to itself')
  const upgrade =
    'Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: eA==\r\n'
  expect(await sendRaw(edge.port, `GET / HTTP/1.1\r\nHost: app.test\r\n${upgrade}\r\n`)).toMatch(/^HTTP\/1.1 508 /)
  expect(edge.stats(1)).toEqual({ requests: 0, errors: 0 })
})

test('a domain without a deployment has a plain page that says so', async () => {
  const edge = await openEdge()
  edge.replaceRoutes([], [{ domain: 'new.test', environmentId: 1 }])
  const answer = await ask(edge.port, 'new.test', { method: 'POST', body: 'x'.repeat(100_000) })
  expect(answer.status).toBe(503)
  expect(answer.headers['retry-after']).toBe('10')
  expect(answer.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(answer.text).toContain('Nothing is deployed here yet')
  expect(answer.text).toContain('new.test answers')
})

test('a page shows a hostile domain as text', async () => {
  const edge = await openEdge()
  edge.replaceRoutes([], [{ domain: '<b>&"', environmentId: 1 }])
  const answer = await sendRaw(edge.port, 'GET / HTTP/1.1\r\nHost: <b>&"\r\nConnection: close\r\n\r\n')
  expect(answer).toContain('&lt;b&gt;&amp;&quot; answers')
  expect(answer).not.toContain('<b>')
})

test('a port where nothing listens is a 502 with a sentence', async () => {
  const edge = await openEdge()
  edge.replaceRoutes([routeTo(await freePort())], [])
  const answer = await ask(edge.port, 'app.test', { method: 'POST', body: 'x'.repeat(1_000_000) })
  expect(answer.status).toBe(502)
  expect(answer.text).toContain('The application does not answer')
  await expect.poll(() => edge.stats(1)).toEqual({ requests: 1, errors: 1 })
})

test.each(['nonsense\r\n\r\n', 'HTTP/1.1 99 Low\r\n\r\n', ''])(
  'an application that answers %j is a 502',
  async (bytes) => {
    const edge = await openEdge()
    const app = await application(() => undefined)
    app.server.removeAllListeners('connection')
    app.server.on('connection', (socket) => socket.once('data', () => socket.end(bytes)))
    edge.replaceRoutes([routeTo(app.port)], [])
    expect((await ask(edge.port, 'app.test')).status).toBe(502)
  },
)

test('forwarding and connection headers of a client do not reach the application', async () => {
  const edge = await openEdge()
  const app = await application(mirror)
  edge.replaceRoutes([routeTo(app.port)], [])
  const answer = await ask(edge.port, 'App.test:81', {
    path: '/a?b=%20c//',
    headers: {
      'x-forwarded-for': '6.6.6.6',
      x_forwarded_for: '6.6.6.6',
      'x-forwarded-proto': 'https',
      'x-forwarded-host': 'evil.test',
      'x-forwarded-port': '666',
      forwarded: 'for=6.6.6.6',
      'x-real-ip': '6.6.6.6',
      proxy: 'http://evil.test',
      'proxy-authorization': 'Basic eDp5',
      connection: 'close, x-private',
      'x-private': 'yes',
      'keep-alive': 'timeout=600',
      te: 'trailers',
      upgrade: 'h2c',
      'http2-settings': 'x',
      'x-kept': ['1', '2'],
      authorization: 'Bearer of-the-application',
    },
  })
  const { url, raw, headers } = seenBy(answer)
  expect(url).toBe('/a?b=%20c//')
  expect(headers).toEqual({
    host: 'App.test:81',
    'x-kept': '1, 2',
    authorization: 'Bearer of-the-application',
    'x-forwarded-for': '127.0.0.1',
    'x-forwarded-proto': 'http',
    'x-forwarded-host': 'App.test:81',
    connection: 'keep-alive',
  })
  expect(raw.filter((name) => name === 'x-kept')).toHaveLength(2)
})

test('a client cannot have the headers of the edge dropped by naming them in Connection', async () => {
  const edge = await openEdge()
  const app = await application((req, res) => {
    let size = 0
    req.on('data', (chunk: Buffer) => {
      size += chunk.length
    })
    req.on('end', () => res.end(JSON.stringify({ headers: req.headers, size })))
  })
  edge.replaceRoutes([routeTo(app.port)], [])
  const headers = { connection: 'close, host, content-length, x-forwarded-for', 'content-length': '5' }
  const answer = await ask(edge.port, 'app.test', { method: 'POST', headers, body: 'hello' })
  expect(JSON.parse(answer.text)).toMatchObject({
    size: 5,
    headers: { host: 'app.test', 'content-length': '5', 'x-forwarded-for': '127.0.0.1' },
  })
})

test('a response of an application passes unchanged, without headers of the platform', async () => {
  const edge = await openEdge()
  const app = await application((_req, res) => {
    res.sendDate = false
    res.writeHead(418, 'Short and stout', [
      ...['Set-Cookie', 'a=1', 'Set-Cookie', 'b=2', 'X-Case', 'Kept', 'Connection', 'close, X-Hop', 'X-Hop', 'no'],
      ...['Content-Length', '3'],
    ])
    res.end('tea')
  })
  edge.replaceRoutes([routeTo(app.port)], [])
  const answer = await ask(edge.port, 'app.test')
  expect(answer.status).toBe(418)
  expect(answer.text).toBe('tea')
  const names = answer.rawHeaders.filter((_text, index) => index % 2 === 0)
  expect(names).toEqual(['Set-Cookie', 'Set-Cookie', 'X-Case', 'Content-Length', 'Date', 'Connection'])
})

test('basic auth protects the application and is not passed on to it', async () => {
  const edge = await openEdge()
  const app = await application(mirror)
  const credentials = 'zoë:p:ä"ss ✓'
  edge.replaceRoutes([routeTo(app.port, 'app.test', basicAuthOf('zoë', new Secret('p:ä"ss ✓')))], [])
  for (const authorization of [undefined, 'Basic', `Basic ${btoa('zoe:nearly')}`, 'Bearer x']) {
    const refused = await ask(edge.port, 'app.test', { headers: authorization === undefined ? {} : { authorization } })
    expect(refused.status).toBe(401)
    expect(refused.headers['www-authenticate']).toBe('Basic realm="app.test", charset="UTF-8"')
  }
  expect(edge.stats(1).requests).toBe(0)
  const authorization = `Basic ${Buffer.from(credentials).toString('base64')}`
  const answer = await ask(edge.port, 'app.test', { headers: { authorization } })
  expect(answer.status).toBe(200)
  expect(seenBy(answer).headers).not.toHaveProperty('authorization')
})

test('requests and failures are counted per environment until it is removed', async () => {
  const edge = await openEdge()
  const app = await application((req, res) => {
    if (req.url === '/break') {
      res.write('half')
      setImmediate(() => res.destroy())
    } else {
      res.statusCode = req.url === '/bad' ? 500 : 404
      res.end()
    }
  })
  edge.replaceRoutes([routeTo(app.port)], [])
  await ask(edge.port, 'app.test', { path: '/missing' })
  await ask(edge.port, 'app.test', { path: '/bad' })
  await expect(ask(edge.port, 'app.test', { path: '/break' })).rejects.toThrow(/aborted|hang up/)
  await expect.poll(() => edge.stats(1)).toEqual({ requests: 3, errors: 2 })
  expect(edge.stats(2)).toEqual({ requests: 0, errors: 0 })
  edge.replaceRoutes([], [{ domain: 'app.test', environmentId: 1 }])
  expect(edge.stats(1).requests).toBe(3)
  edge.replaceRoutes([], [])
  expect(edge.stats(1).requests).toBe(0)
})
