// Security headers and cookies of every kind of answer, as one table: pages, API, files, errors, and what never becomes a request.
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { postForm, sameOrigin } from '../../test/device-flow.ts'
import { buildSession, buildUser, type TestUser } from '../../test/factories.ts'
import { weakPasswordHash } from '../../test/sign-in/weak-password-hash.ts'
import { openSilent, readRest } from '../../test/stage/front.ts'
import { openTestApp, type TestApp } from '../../test/test-app.ts'

const password = 'seven green bicycles'
const folder = mkdtempSync(join(tmpdir(), 'headers-'))
let app: TestApp
let user: TestUser

beforeAll(async () => {
  const [embedded] = databases
  if (!embedded) throw new Error('There is always the embedded database')
  mkdirSync(join(folder, 'assets'))
  for (const name of ['index.html', 'assets/main-a1b2c3d4.js']) {
    writeFileSync(join(folder, name), 'x')
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync('x'))
    writeFileSync(join(folder, `${name}.gz`), gzipSync('x'))
  }
  app = await openTestApp(embedded, { dashboardFolder: folder, docsFolder: folder })
  await app.app.listen({ host: '127.0.0.1', port: 0 })
  user = await buildUser(app.ctx, { password_hash: weakPasswordHash(password) })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const NOTHING = "default-src 'none'; frame-ancestors 'none'"
const PAGE = "default-src 'none'; script-src 'self'"
const NO_STORE = 'no-store'
const page = { accept: 'text/html' }

/** What an answer has beside the headers of all. */
type Row = readonly [
  what: string,
  ask: () => Promise<{ status: number; headers: Record<string, unknown> }>,
  status: number,
  type: string | undefined,
  policy: string,
  cache: string,
]

const get =
  (url: string, headers: Record<string, string> = {}) =>
  () =>
    app.call('GET', url, { headers })
const as = (url: string) => () => app.call('GET', url, { as: user })

const rows: readonly Row[] = [
  ['the dashboard', get('/', page), 200, 'text/html', PAGE, NO_STORE],
  ['a page with a form to GitHub', get('/connections/1/github-app', page), 200, 'text/html', PAGE, NO_STORE],
  ['an unknown page', get('/nowhere', page), 404, 'text/html', PAGE, NO_STORE],
  [
    'a file of the dashboard',
    get('/assets/main-a1b2c3d4.js'),
    200,
    'text/javascript',
    NOTHING,
    'public, max-age=31536000, immutable',
  ],
  ['a missing file', get('/assets/gone.js'), 404, 'application/problem+json', NOTHING, NO_STORE],
  ['the documentation', get('/docs', page), 200, 'text/html', PAGE, 'public, max-age=300'],
  [
    'a file of the documentation',
    get('/docs/assets/main-a1b2c3d4.js'),
    200,
    'text/javascript',
    PAGE,
    'public, max-age=300',
  ],
  ['the reference', get('/api/reference', page), 200, 'text/html', "default-src 'none'; style-src 'sha256-", NO_STORE],
  ['the contract', get('/api/openapi.json'), 200, 'application/json', NOTHING, NO_STORE],
  ['the set-up script', get('/server.sh'), 200, 'text/plain', NOTHING, NO_STORE],
  ['an answer', as('/api/me'), 200, 'application/json', NOTHING, NO_STORE],
  ['a list', as('/api/projects'), 200, 'application/json', NOTHING, NO_STORE],
  ['not signed in', get('/api/me'), 401, 'application/problem+json', NOTHING, NO_STORE],
  ['forbidden', as('/api/platform'), 403, 'application/problem+json', NOTHING, NO_STORE],
  ['not found', as('/api/projects/987654321'), 404, 'application/problem+json', NOTHING, NO_STORE],
  ['no endpoint', get('/api/nowhere'), 404, 'application/problem+json', NOTHING, NO_STORE],
  ['a removed endpoint', as('/api/environments/1/logs'), 410, 'application/problem+json', NOTHING, NO_STORE],
  [
    'another method',
    () => app.call('PUT', '/api/me', { as: user }),
    405,
    'application/problem+json',
    NOTHING,
    NO_STORE,
  ],
  ['a bad address', get('/%'), 404, 'application/problem+json', NOTHING, NO_STORE],
  [
    'another media type',
    () => app.call('POST', '/api/session', { body: 'x', headers: { ...sameOrigin, 'content-type': 'text/plain' } }),
    415,
    'application/problem+json',
    NOTHING,
    NO_STORE,
  ],
  ['no artifact', as('/api/artifacts/1'), 404, 'application/problem+json', NOTHING, NO_STORE],
  ['health', get('/healthz'), 200, 'application/json', NOTHING, NO_STORE],
  ['metrics', get('/metrics'), 404, 'application/problem+json', NOTHING, NO_STORE],
  ['metadata of OAuth', get('/.well-known/oauth-authorization-server'), 200, 'application/json', NOTHING, NO_STORE],
  [
    'a code for a device',
    () => postForm(app, '/oauth/device_authorization', { client_id: 'shipway-cli' }),
    200,
    'application/json',
    NOTHING,
    NO_STORE,
  ],
  [
    'a token refused',
    () => postForm(app, '/oauth/token', { client_id: 'shipway-cli', grant_type: 'x' }),
    400,
    'application/json',
    NOTHING,
    NO_STORE,
  ],
  ['the live channel without an upgrade', as('/api/live'), 426, 'application/problem+json', NOTHING, NO_STORE],
  [
    'a delivery that is refused',
    () => app.call('POST', '/api/webhooks/unknown', { body: {} }),
    401,
    'application/problem+json',
    NOTHING,
    NO_STORE,
  ],
]

test.each(rows)('%s', async (_what, ask, status, type, policy, cache) => {
  const { headers, ...answer } = await ask()
  expect(answer.status).toBe(status)
  if (type !== undefined) expect(String(headers['content-type']).split(';')[0]).toBe(type)
  expect(String(headers['content-security-policy']).slice(0, policy.length)).toBe(policy)
  expect(String(headers['content-security-policy'])).toContain("frame-ancestors 'none'")
  // No inline script, no eval and no foreign source anywhere.
  expect(String(headers['content-security-policy'])).not.toMatch(/unsafe|\*|data:|src[^;]*https?:/)
  expect(headers).toMatchObject({
    'cache-control': cache,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': expect.stringContaining('camera=()'),
    'referrer-policy':
      policy === PAGE && !String(headers['cache-control']).startsWith('public') ? 'same-origin' : 'no-referrer',
    'strict-transport-security': 'max-age=31536000',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-robots-tag': 'noindex',
  })
  for (const name of ['server', 'x-powered-by', 'access-control-allow-origin', 'access-control-allow-credentials'])
    expect(headers).not.toHaveProperty(name)
  expect(headers['set-cookie']).toBeUndefined()
})

test('bytes that never become a request', async () => {
  const { port } = app.app.server.address() as AddressInfo
  for (const bytes of ['NONSENSE\r\n\r\n', `GET / HTTP/1.1\r\nHost: x\r\nX: ${'x'.repeat(70_000)}\r\n\r\n`]) {
    const socket = await openSilent(port, bytes)
    socket.resume()
    const answer = await readRest(socket)
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /)
    expect(answer).toContain('Cache-Control: no-store\r\n')
    expect(answer).toContain(`Content-Security-Policy: ${NOTHING}\r\n`)
    expect(answer).toContain('X-Content-Type-Options: nosniff\r\n')
    if (!socket.destroyed) await once(socket, 'close')
  }
})

test('a page of the edge loads nothing and runs nothing, and names nothing of the platform', async () => {
  const answer = await app.app.inject({ url: '/', headers: { host: 'gone.shop.example', accept: 'text/html' } })
  expect(answer.headers).toMatchObject({
    'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
    'x-content-type-options': 'nosniff',
    'cache-control': 'no-store',
  })
})

/** Every cookie that the platform sets, with its flags. `__Host-` needs Secure, Path=/ and no Domain, and browsers hold to it. */
test('cookies are for this host alone, out of reach of scripts and of requests from other sites', async () => {
  const signedIn = await app.call('POST', '/api/session', { body: { email: user.email, password } })
  const session = await buildSession(app.ctx, user.id)
  const signedOut = await app.call('DELETE', '/api/session', { headers: { ...sameOrigin, ...session } })
  const flags = (answer: { headers: Record<string, unknown> }) =>
    [answer.headers['set-cookie']].flat().map((cookie) => String(cookie).replace(/=[^;]*/, '='))
  const common = 'Path=/; HttpOnly; Secure; SameSite=Lax'
  expect(flags(signedIn)).toEqual([
    `__Host-shipway_session=; Max-Age=2592000; ${common}`,
    `__Host-shipway_device=; Max-Age=31536000; ${common}`,
  ])
  expect(flags(signedOut)).toEqual([`__Host-shipway_session=; Max-Age=0; ${common}`])
})
