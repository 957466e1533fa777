// What every request meets before any route: hosts, ambiguity, ids, headers, limits, and errors that say what to do.
import { connect } from 'node:net'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildOrganization, buildUser, type TestUser } from '../../test/factories.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { openTestApp } from '../../test/test-app.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')

const app = stageApp(source, { apiRequestsPerMinute: 200 })
let user: TestUser
let port: number

beforeAll(async () => {
  user = await buildUser(app.ctx)
  await buildOrganization(app.ctx, [{ user, role: 'owner' }])
  port = Number(new URL(await app.app.listen({ port: 0, host: '127.0.0.1' })).port)
})

/** Sends bytes as they are, and gives all that comes back until the other side closes or the answer is complete. */
function sendRaw(text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1')
    let received = ''
    socket.setTimeout(120_000, () => socket.destroy(new Error(`no end after ${JSON.stringify(received)}`)))
    socket.on('data', (chunk) => {
      received += chunk
    })
    socket.on('error', reject)
    socket.on('close', () => resolve(received))
    socket.write(text)
  })
}

const statusOf = (answer: string): number => Number(/^HTTP\/1\.1 ([0-9]{3})/.exec(answer)?.[1])

describe('requests that two readers could understand differently', () => {
  test.each([
    [
      'length and chunks at once',
      'POST /api/session HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
    ],
    ['two hosts', 'GET /healthz HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nConnection: close\r\n\r\n', 400],
    [
      'two tokens',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer a\r\nAuthorization: Bearer b\r\n\r\n',
      400,
    ],
    ['an asterisk for a path', 'GET * HTTP/1.1\r\nHost: localhost\r\n\r\n', 400],
    ['64 KiB of header', `GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ${'a'.repeat(65_536)}\r\n\r\n`, 431],
    [
      'a huge chunk extension',
      `POST /api/session HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n1;${'a'.repeat(70_000)}\r\n`,
      413,
    ],
    [
      'an upgrade to h2c',
      'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: Upgrade, HTTP2-Settings, close\r\nUpgrade: h2c\r\nHTTP2-Settings: AAMAAABk\r\n\r\n',
      400,
    ],
    [
      'a line break in a header',
      'GET /api/me HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer x\rX: y\r\n\r\n',
      400,
    ],
  ])('%s', async (_, text, status) => {
    const answer = await sendRaw(text)
    expect(statusOf(answer)).toBe(status)
    expect(answer).toMatch(/content-type: application\/problem\+json/i)
    expect(answer).toMatch(/x-service-version: v1/i)
  })
})

test('a request without a host is refused by the server beneath', async () => {
  const answer = await sendRaw('GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n')
  expect(statusOf(answer)).toBe(400)
})

describe('hosts', () => {
  test.each([
    'evil.example',
    'ship.example.com:80@evil.example',
    'ship.example.com, evil.example',
    'ship.example.com.evil.example',
  ])('%s is not served here', async (host) => {
    const answer = await app.call('GET', '/api/me', {
      as: user,
      headers: { host, 'x-forwarded-host': 'ship.example.com' },
    })
    expect(answer).toMatchObject({ status: 421, body: { code: 'misdirected_request' } })
  })

  test('loopback names are, and a health check may come by any', async () => {
    expect(await app.call('GET', '/api/me', { as: user, headers: { host: `localhost:${port}` } })).toMatchObject({
      status: 200,
    })
    expect(await app.call('GET', '/healthz', { headers: { host: '10.1.2.3' } })).toMatchObject({ status: 200 })
  })
})

describe('bodies', () => {
  const call = (body: string, type?: string) =>
    app.call('POST', '/api/servers', { as: user, body, headers: type === undefined ? {} : { 'content-type': type } })

  test.each([
    ['not JSON', '{"name":', undefined, 400, 'malformed_json'],
    ['JSON as a page', '{}', 'text/html', 415, 'unsupported_media_type'],
    ['JSON as plain text', '{}', 'text/plain', 415, 'unsupported_media_type'],
    ['a form', '--x--', 'multipart/form-data; boundary=x', 415, 'unsupported_media_type'],
    ['more than fits', `"${'a'.repeat(3 * 1024 * 1024)}"`, undefined, 413, 'payload_too_large'],
    ['a list', '[]', undefined, 422, 'validation_failed'],
    ['null', 'null', undefined, 422, 'validation_failed'],
    ['nothing', '', undefined, 422, 'validation_failed'],
    [
      'a prototype',
      '{"__proto__":{"admin":true},"name":"x","hostname":"x.example.com"}',
      undefined,
      422,
      'validation_failed',
    ],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}', undefined, 422, 'validation_failed'],
  ])('%s', async (_, body, type, status, code) => {
    expect(await call(body, type)).toMatchObject({ status, body: { code, status } })
  })

  test('bytes that are no text are refused, and so is another encoding', async () => {
    const headers = { authorization: `Bearer ${user.token}`, host: 'localhost', 'content-type': 'application/json' }
    const payload = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d])
    const broken = await app.app.inject({ method: 'POST', url: '/api/servers', headers, payload })
    expect(broken.json()).toMatchObject({ status: 400, code: 'malformed_json' })
    expect(await call('{}', 'application/json; charset=utf-16')).toMatchObject({ status: 415 })
    expect(await call('{}', 'application/json; charset="UTF-8"')).toMatchObject({ status: 422 })
  })

  test('a compressed one is not unpacked', async () => {
    const headers = { 'content-encoding': 'gzip' }
    expect(await app.call('POST', '/api/servers', { as: user, body: {}, headers })).toMatchObject({ status: 415 })
  })

  test('each fault names its field', async () => {
    const { body } = await app.call('POST', '/api/servers', {
      as: user,
      body: { hostname: 'a b', port: 'x', color: 'red' },
    })
    expect(body.errors).toEqual([
      { pointer: '/name', code: 'required', detail: 'name is missing' },
      { pointer: '/hostname', code: 'invalid_hostname', detail: expect.any(String) },
      { pointer: '/port', code: 'invalid_type', detail: 'port must be a number' },
      { pointer: '/color', code: 'unknown_field', detail: 'There is no field "color" here' },
    ])
  })

  test.each([
    ['POST', '/api/environments/1/runs', { command: 5 }, 'Give a text, or a list of words'],
    ['PUT', '/api/environments/1/scale', { services: { [`a${'b'.repeat(63)}`]: 1 } }, 'Give at most 63 characters'],
  ] as const)('%s %s says in words of its own what is wrong with %j', async (method, path, body, detail) => {
    const answer = await app.call(method, path, { as: user, body })
    expect(answer.body.errors).toMatchObject([{ detail }])
  })
})

describe('addresses', () => {
  test.each([
    '/api//servers',
    '/api//environments/1/variables',
    '/api/./environments/987654321/variables',
    '/api/environments/1/variables/',
    '/api/environments/1/variables;x',
    '/api/environments/1%2fvariables',
    '/api/./servers/1',
    '/api/servers/',
    '/api/servers;x',
    '/api/servers/1%2fcheck',
    '/api/servers/%00',
    '/api/servers/%zz',
    '/api/servers/0',
    '/api/servers/-1',
    '/api/servers/1;2',
    '/api/servers/undefined',
    '/api/servers/__proto__',
    '/api/servers/99999999999999999999',
    '/api/servers/1.0',
    '/nothing',
  ])('%s leads nowhere', async (url) => {
    expect(await app.call('GET', url, { as: user })).toMatchObject({
      status: 404,
      headers: { 'content-type': expect.stringContaining('problem+json') },
    })
  })

  test('a method that an endpoint lacks is refused with a list of its methods', async () => {
    const answer = await app.call('PUT', '/api/servers', { as: user, body: {} })
    expect(answer).toMatchObject({ status: 405, headers: { allow: 'GET, POST' }, body: { code: 'method_not_allowed' } })
  })

  test('a path with backslashes is not a path', async () => {
    const answer = await sendRaw('GET \\api\\openapi.json HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect(statusOf(answer)).toBe(400)
  })

  test('TRACE is refused', async () => {
    const answer = await sendRaw('TRACE /api/servers HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n')
    expect([404, 405]).toContain(statusOf(answer))
  })

  test('another site gets no leave to read answers', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' }
    const preflight = await app.call('OPTIONS', '/api/servers', { headers })
    expect(preflight.status).toBe(405)
    expect(Object.keys(preflight.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('queries', () => {
  test.each([
    "limit=1'%20OR%20'1'='1",
    'page=-1',
    'page=1e9',
    'per_page=1000000',
    'q=%25',
    `q=${'a'.repeat(5000)}`,
    'sort=id%20desc,(select%201)',
    'limit=-1',
    'limit=1e9',
    'limit=1000000',
    'limit=0',
    'sort=id%20desc,(select%201)',
    'status[$ne]=x',
    'cursor=%25',
    'cursor=AAAA',
    'limit=1&limit=2',
  ])('%s is refused', async (query) => {
    expect(await app.call('GET', `/api/servers?${query}`, { as: user })).toMatchObject({
      status: 422,
      body: { code: 'validation_failed' },
    })
  })
})

describe('every answer', () => {
  test('carries the version, a request id and the security headers, and may not be kept', async () => {
    const { headers } = await app.call('GET', '/api/me', { as: user })
    expect(headers).toMatchObject({
      'x-service-version': 'v1.15.0+source',
      'x-request-id': expect.stringMatching(/^[0-9a-f-]{36}$/),
      'x-content-type-options': 'nosniff',
      'x-frame-options': expect.any(String),
      'content-security-policy': expect.stringContaining("default-src 'none'"),
      'cache-control': 'no-store',
      ratelimit: expect.stringMatching(/^"api";r=[0-9]+;t=[0-9]+$/),
      'ratelimit-policy': '"api";q=200;w=60',
    })
  })

  test('takes the id that the caller brings, unless it could forge a line of the log', async () => {
    const own = await app.call('GET', '/api/nothing', { headers: { 'x-request-id': 'trace-12345' } })
    expect(own.body).toMatchObject({ request_id: 'trace-12345', instance: 'urn:request:trace-12345' })
    const forged = await app.call('GET', '/api/nothing', { headers: { 'x-request-id': 'a"} {"level":50,"msg":"x' } })
    expect(forged.body.request_id).toMatch(/^[0-9a-f-]{36}$/)
  })
})

test('a caller that asks too often learns when to come back, and is let in again then', async () => {
  const eager = await buildUser(app.ctx)
  const statuses = []
  for (let count = 0; count < 201; count++) statuses.push((await app.call('GET', '/api/me', { as: eager })).status)
  expect(statuses.filter((status) => status === 200)).toHaveLength(200)
  const refused = await app.call('GET', '/api/me', { as: eager })
  expect(refused).toMatchObject({
    status: 429,
    body: { code: 'rate_limited' },
    headers: { 'retry-after': expect.stringMatching(/^[0-9]+$/) },
  })
  expect(await app.call('GET', '/api/me', { as: user })).toMatchObject({ status: 200 })
  app.moveClock(60_000)
  expect(await app.call('GET', '/api/me', { as: eager })).toMatchObject({ status: 200 })
})

test('a log line says who, what and how long, and never holds the token or the address', async () => {
  await app.call('GET', `/api/servers/1?token=${user.token}`, { as: user })
  const lines = app.logLines.filter((line) => line.includes('/api/servers/:id'))
  expect(JSON.parse(lines.at(-1) ?? '')).toMatchObject({ msg: 'request', method: 'GET', status: 404, user: user.id })
  expect(app.logLines.join('')).not.toContain(user.token)
})

test('a bug is answered without its words and logged with them', async () => {
  const broken = await openTestApp(source)
  const { token } = await buildUser(broken.ctx)
  await broken.ctx.db.schema.alterTable('servers').renameTo('gone').execute()
  const owner = await buildUser(broken.ctx)
  await buildOrganization(broken.ctx, [{ user: owner, role: 'owner' }])
  const answer = await broken.call('GET', '/api/servers', { as: owner })
  expect(answer).toMatchObject({ status: 500, body: { code: 'internal_error' } })
  expect(answer.text).not.toContain('servers')
  expect(broken.logLines.join('')).toContain('no such table')
  expect(broken.logLines.join('')).not.toContain(token)
  await broken.close()
})
