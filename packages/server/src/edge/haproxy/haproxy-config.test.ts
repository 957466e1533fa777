import { hash } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { freePort } from '../../../../../tools/free-port.ts'
import { hasHaproxy } from '../../../test/haproxy.ts'
import { domainTo, type HaproxyEdge, openHaproxyEdge } from '../../../test/haproxy-edge.ts'
import { openHaproxyHttpsEdge } from '../../../test/haproxy-https-edge.ts'
import { ask, type Loopback, sendRaw, serve } from '../../../test/loopback.ts'
import { applyHaproxyState } from './apply-state.ts'
import { haproxyConfig } from './haproxy-config.ts'
import { readTraffic } from './read-traffic.ts'

describe.skipIf(!hasHaproxy)('HAProxy with this configuration', () => {
  let edge: HaproxyEdge
  let app: Loopback
  let reached: { readonly line: string; readonly headers: Record<string, string> }[] = []
  const answers = (text: string) => ({ '/500': 500, '/404': 404 })[text] ?? 200

  beforeAll(async () => {
    edge = await openHaproxyEdge()
    app = await serve((req, res) => {
      const headers: Record<string, string> = {}
      for (let index = 0; index < req.rawHeaders.length; index += 2)
        headers[req.rawHeaders[index] ?? ''] = req.rawHeaders[index + 1] ?? ''
      reached.push({ line: `${req.method} ${req.url}`, headers })
      if (req.url === '/none') req.socket.destroy()
      else req.resume().on('end', () => res.writeHead(answers(req.url ?? '')).end('application'))
    })
    await edge.lead(
      domainTo(app.port),
      domainTo(app.port, { domain: 'closed.test', environmentId: 2, digest: hash('sha256', 'ada:sécret: x') }),
      domainTo(null, { domain: 'new.test', environmentId: 3 }),
      domainTo(1, { domain: 'dead.test', environmentId: 4 }),
      domainTo(app.port, { domain: 'counted.test', environmentId: 5 }),
    )
  })
  beforeEach(() => {
    reached = []
  })
  afterAll(async () => {
    await edge.close()
    await app.close()
  })

  test.each([
    ['app.test', 200],
    ['APP.Test', 200],
    ['app.test:8080', 200],
    ['app.test:', 200],
    ['app.test.', 200],
    ['App.Test.:80', 200],
    ['app.test..', 404],
    ['app.test:80:90', 404],
    ['app.test,other.test', 404],
    ['other.test,app.test', 404],
    ['app.test other.test', 404],
    ['app.test@other.test', 404],
    ['other.test#app.test', 404],
    ['app.test/', 404],
    ['app.test%00', 404],
    ['*.test', 404],
    ['[::1]', 404],
    ['', 404],
    ['x'.repeat(10_000), 404],
    ['thumbprint', 404],
    ["%[var(txn.port)]' || true", 404],
    ['$(id).app.test', 404],
  ])('a request for %j is answered with %i', async (host, status) => {
    const answer = await sendRaw(edge.port, `GET / HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`)
    expect(Number(/^HTTP\/1\.1 (\d+) /.exec(answer)?.[1])).toBe(status)
    expect(reached).toHaveLength(status === 200 ? 1 : 0)
  })

  test('an unknown name, one without a deployment and a dead application have pages of their own', async () => {
    const unknown = await ask(edge.port, 'unknown.test')
    expect(unknown).toMatchObject({ status: 404, headers: { 'content-type': 'text/html; charset=utf-8' } })
    expect(unknown.text).toContain('There is nothing at this address')
    const program = await ask(edge.port, 'unknown.test', { headers: { accept: 'application/json' } })
    expect(program).toMatchObject({ status: 404, headers: { 'content-type': 'application/problem+json' } })
    expect(JSON.parse(program.text)).toEqual({
      type: 'about:blank',
      title: 'There is nothing at this address',
      status: 404,
    })
    const fresh = await ask(edge.port, 'NEW.test:80')
    expect(fresh).toMatchObject({ status: 503, headers: { 'retry-after': '10', 'cache-control': 'no-store' } })
    expect(fresh.text).toContain('new.test answers as soon as')
    const dead = await ask(edge.port, 'dead.test')
    expect(dead).toMatchObject({
      status: 503,
      headers: { 'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'" },
    })
    expect(dead.text).toContain('The application does not answer')
    const broken = await ask(edge.port, 'app.test', { path: '/none', method: 'POST' })
    expect(broken.status).toBe(502)
    expect(broken.text).toContain('The application does not answer')
  })

  test('an error of the application passes through', async () => {
    expect(await ask(edge.port, 'app.test', { path: '/500' })).toMatchObject({ status: 500, text: 'application' })
    expect(await ask(edge.port, 'app.test', { path: '/404' })).toMatchObject({ status: 404, text: 'application' })
  })

  test.each([
    ['Basic', 'ada:sécret: x', 200],
    ['bAsIc', 'ada:sécret: x', 200],
    ['Basic  ', 'ada:sécret: x', 200],
    ['Bearer', 'ada:sécret: x', 401],
    ['Basic', 'ada:sécret: y', 401],
    ['Basic', 'ada:sécret', 401],
    ['Basic', 'ada', 401],
    ['Basic', '', 401],
    ['Basic', 'ada:sécret: x\n', 401],
  ])('%s with %j at a protected route: %i', async (scheme, credentials, status) => {
    const authorization = `${scheme} ${Buffer.from(credentials).toString('base64')}`
    const answer = await ask(edge.port, 'closed.test', { headers: { authorization } })
    expect(answer.status).toBe(status)
    expect(reached.map(({ headers }) => headers.authorization)).toEqual(status === 200 ? [undefined] : [])
  })

  test.each(['none', 'Basic', 'Basic none', 'Basic !!!!', `Basic ${hash('sha256', 'ada:sécret: x')}`, ' ', '0'])(
    'the header %j does not open a protected route',
    async (authorization) => {
      const answer = await ask(edge.port, 'closed.test', { headers: { authorization } })
      expect(answer).toMatchObject({
        status: 401,
        headers: { 'www-authenticate': 'Basic realm="closed.test", charset="UTF-8"' },
      })
      expect(reached).toEqual([])
    },
  )

  test('a route without a password passes the Authorization header on', async () => {
    await ask(edge.port, 'app.test', { headers: { authorization: 'Bearer abc' } })
    expect(reached[0]?.headers.authorization).toBe('Bearer abc')
  })

  test('forwarding and connection headers of a client do not reach the application', async () => {
    const claims = {
      'X-Forwarded-For': '10.0.0.1',
      X_Forwarded_For: '10.0.0.2',
      'X_Forwarded-Proto': 'https',
      'X-Forwarded-Port': '443',
      'X-Real-IP': '10.0.0.3',
      Forwarded: 'for=10.0.0.4',
      Proxy: 'http://evil.test',
      'Proxy-Authorization': 'Basic x',
      TE: 'trailers',
      'HTTP2-Settings': 'AAMAAABk',
      Upgrade: 'h2c',
      Connection: 'close, Upgrade, HTTP2-Settings, X-Forwarded-For',
    }
    await ask(edge.port, 'App.test:81', { headers: { ...claims, 'X-Kept': 'yes' } })
    expect(reached[0]?.headers).toEqual({
      host: 'App.test:81',
      'x-kept': 'yes',
      'x-forwarded-for': '127.0.0.1',
      'x-forwarded-proto': 'http',
      'x-forwarded-host': 'App.test:81',
    })
  })

  const start = 'POST / HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n'
  test.each([
    ['two lengths', `${start}Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`],
    ['a coding that is not the last', `${start}Transfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n`],
    ['an unknown coding', `${start}Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n`],
    ['a second coding', `${start}Transfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`],
    ['a length with a sign', `${start}Content-Length: +4\r\n\r\nabcd`],
    ['a space before the colon', `${start}Content-Length : 4\r\n\r\nabcd`],
    ['two hosts', `${start}Host: closed.test\r\n\r\n`],
    ['another host in the address', 'GET http://other.test/ HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n'],
    ['a 64 KiB header', `${start}X: ${'x'.repeat(65_536)}\r\n\r\n`],
    ['CONNECT', 'CONNECT app.test:80 HTTP/1.1\r\nHost: app.test:80\r\nConnection: close\r\n\r\n'],
    ['TRACE', 'TRACE / HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n'],
    ['a fragment', 'GET /a#b HTTP/1.1\r\nHost: app.test\r\nConnection: close\r\n\r\n'],
    ['no version', 'GET /\r\nHost: app.test\r\n\r\n'],
  ])('%s is refused and does not reach the application', async (_name, bytes) => {
    expect(await sendRaw(edge.port, bytes)).toMatch(/^HTTP\/1\.[01] 4\d\d /)
    expect(reached).toEqual([])
  })

  test('a Content-Length beside a Transfer-Encoding does not reach the application', async () => {
    const bytes = `${start}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET /second HTTP/1.1\r\n\r\n`
    await sendRaw(edge.port, bytes)
    expect(reached.every(({ line, headers }) => line === 'POST /' && !('content-length' in headers))).toBe(true)
  })

  test('a client that expects 100 Continue gets it', async () => {
    const bytes = `${start}Expect: 100-continue\r\nContent-Length: 4\r\n\r\nabcd`
    expect(await sendRaw(edge.port, bytes)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /)
  })

  test('the certificate authority gets its answer, for every name, once there is an account', async () => {
    const path = '/.well-known/acme-challenge/Some_token-1'
    expect((await ask(edge.port, 'unknown.test', { path })).status).toBe(404)
    const acmeThumbprint = 'Thumb_print-'.padEnd(43, 'x')
    const domains = [domainTo(app.port), domainTo(app.port, { domain: 'counted.test', environmentId: 5 })]
    await applyHaproxyState(edge.host, edge.folder, { version: 1_000, domains, acmeThumbprint })
    expect(await ask(edge.port, 'unknown.test', { path })).toMatchObject({
      status: 200,
      text: `Some_token-1.${acmeThumbprint}`,
    })
    expect((await ask(edge.port, 'unknown.test', { path: `${path}/../x` })).status).toBe(404)
  })

  test('requests and errors are counted by environment', async () => {
    for (const path of ['/', '/', '/404', '/500', '/none']) await ask(edge.port, 'counted.test', { path })
    const { since, environments } = await readTraffic(edge.host, edge.folder)
    expect(environments.get(5)).toEqual({ requests: 5, errors: 2 })
    expect(environments.get(3)).toBeUndefined()
    expect(Math.abs((since ?? 0) - Date.now())).toBeLessThan(600_000)
    await edge.stop()
    expect(await readTraffic(edge.host, edge.folder)).toEqual({ since: null, environments: new Map() })
  })
})

test.each([
  { folder: '/srv/my edge' },
  { folder: '/srv/edge),map(/etc/passwd' },
  { folder: '/srv/edge\n' },
  { folder: 'relative' },
  { folder: `/${'x'.repeat(80)}` },
  { httpAddress: ':80\n  bind :81' },
  { httpAddress: '80' },
  { httpsAddress: ':443 accept-proxy' },
])('a configuration with %j is not written', (changes) => {
  expect(() => haproxyConfig({ folder: '/srv/edge', httpAddress: ':80', httpsAddress: null, ...changes })).toThrow(
    'The',
  )
})

test.skipIf(!hasHaproxy)('plain requests for a domain with a certificate are redirected to https', async () => {
  const httpPort = await freePort()
  const edge = await openHaproxyHttpsEdge({ httpPort })
  const domains = [domainTo(1, { isSecure: true }), domainTo(null, { domain: 'plain.test' })]
  await edge.apply({ domains, acmeThumbprint: 'x'.repeat(43) })
  expect(await ask(httpPort, 'APP.test:80', { path: '/a?b=%0D%0Ac', method: 'POST', body: 'x' })).toMatchObject({
    status: 308,
    headers: { location: `https://app.test:${edge.httpsPort}/a?b=%0D%0Ac` },
  })
  expect((await ask(httpPort, 'plain.test')).status).toBe(503)
  expect((await ask(httpPort, 'app.test', { path: '/.well-known/acme-challenge/abc' })).status).toBe(200)
  await edge.close()
})

test('plain requests are redirected to https at the public port', () => {
  const redirect = (httpsAddress: string) =>
    /redirect location (\S+)/.exec(haproxyConfig({ folder: '/srv/edge', httpAddress: ':80', httpsAddress }))?.[1]
  expect(redirect(':443')).toBe('https://%[var(txn.host)]%[pathq]')
  expect(redirect('127.0.0.1:8443')).toBe('https://%[var(txn.host)]:8443%[pathq]')
})
