// The dashboard within the whole platform: one page for all its addresses, the same for everybody, with the headers that keep it safe.
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildSession, buildUser } from '../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'

const PAGE = '<!doctype html><title>Shipway</title><script type="module" src="/assets/main-a1b2c3d4.js"></script>'
const SCRIPT = 'console.log("the dashboard")'
const asBrowser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' }

const folder = mkdtempSync(join(tmpdir(), 'dashboard-'))
let app: TestApp

beforeAll(async () => {
  const [embedded] = databases
  if (!embedded) throw new Error('There is always the embedded database')
  mkdirSync(join(folder, 'assets'))
  for (const [name, text] of Object.entries({ 'index.html': PAGE, 'assets/main-a1b2c3d4.js': SCRIPT })) {
    writeFileSync(join(folder, name), text)
    writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
    writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
  }
  // Beside what is served, as the build leaves it.
  writeFileSync(join(folder, 'sources.txt'), 'a digest')
  app = await openTestApp(embedded, { dashboardFolder: folder })
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

describe('a page', () => {
  test.each([
    ...[
      '/',
      '/setup',
      '/sign-in',
      '/sign-in/provider?code=x&state=y',
      '/sign-in?next=/device',
      '/password-reset',
      '/invitation',
      '/device?user_code=BCDF-GHJK',
    ],
    ...[
      '/profile',
      '/admin',
      '/admin/users',
      '/admin/organizations',
      '/organizations/1',
      '/organizations/1/servers',
      '/projects/7/settings',
    ],
    ...['/environments/7', '/environments/7/tasks/9'],
  ])('%s runs no script but ours, and is not cached', async (path) => {
    const page = await app.call('GET', path, { headers: asBrowser })
    expect(page).toMatchObject({
      status: 200,
      text: PAGE,
      headers: {
        'content-type': 'text/html; charset=utf-8',
        'cache-control': 'no-store',
        'referrer-policy': 'same-origin',
        'x-content-type-options': 'nosniff',
        'x-frame-options': 'DENY',
      },
    })
    const policy = String(page.headers['content-security-policy'])
    expect(policy).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';.*frame-ancestors 'none'$/)
    expect(policy).not.toMatch(/unsafe|\*|data:|http/)
  })

  test('of a GitHub App may post a form to GitHub, and is as strict as any other', async () => {
    const policyOf = async (path: string) =>
      String((await app.call('GET', path, { headers: asBrowser })).headers['content-security-policy'])
    const [usual, own] = [await policyOf('/'), await policyOf('/connections/7/github-app?code=x&state=y')]
    expect(usual).toContain("form-action 'none'")
    expect(own).toBe(usual.replace("form-action 'none'", 'form-action https: http:'))
  })

  test('is the same for everybody, whatever they are called and wherever they want to go on to', async () => {
    const user = await buildUser(app.ctx, { name: '<script>alert(1)</script>"\'&' })
    const session = await buildSession(app.ctx, user.id)
    const asked = [
      await app.call('GET', '/', { headers: { ...session, ...asBrowser } }),
      await app.call('GET', '/invitation', { headers: { ...session, ...asBrowser } }),
      await app.call('GET', '/', { as: user, headers: asBrowser }),
      await app.call('GET', '/', { headers: { authorization: 'Bearer nonsense', ...asBrowser } }),
      await app.call('GET', `/sign-in?next=${encodeURIComponent('"><script>alert(1)</script>')}`, {
        headers: asBrowser,
      }),
      await app.call('GET', '/sign-in?next=/device&next=//evil.example', { headers: asBrowser }),
      await app.call('GET', '/device?user_code=%3Cimg%20src=x%3E', { headers: asBrowser }),
    ]
    for (const { status, text, headers } of asked) {
      expect({ status, text }).toEqual({ status: 200, text: PAGE })
      expect(headers).not.toHaveProperty('set-cookie')
    }
  })

  test('of the sources has no script and no style within', () => {
    const source = readFileSync(new URL('../../../../web/index.html', import.meta.url), 'utf8')
    expect(source).not.toMatch(/<style|\sstyle=|\son\w+=|javascript:|<base/i)
    for (const [tag] of source.matchAll(/<script[^>]*>/g)) expect(tag).toContain(' src="/')
    expect(source).not.toMatch(/(src|href)="(?!\/(?!\/))/)
  })
})

describe('an address that leads nowhere', () => {
  test.each(['/nothing', '/organizations', '/device/x', '/index.html', '/sources.txt', '/apix', '/page-script.js'])(
    '%s is shown to browsers by the dashboard',
    async (path) => {
      const page = await app.call('GET', path, { headers: asBrowser })
      expect(page).toMatchObject({ status: 404, text: PAGE, headers: { 'cache-control': 'no-store' } })
      expect(page.headers['content-security-policy']).toContain("script-src 'self'")
      const head = await app.call('HEAD', path, { headers: asBrowser })
      expect(head.status).toBe(404)
    },
  )

  test.each(['/api/nothing', '/api', '/assets/nothing', '/client/nothing', '/oauth/nothing', '/.well-known/nothing'])(
    '%s is said in JSON to every client',
    async (path) => {
      const answer = await app.call('GET', path, { headers: asBrowser })
      expect(answer.status).toBe(404)
      expect(answer.headers['content-type']).toContain('problem+json')
    },
  )

  test('is answered in JSON to programs, as are requests with a body', async () => {
    const nothing = { status: 404, body: { code: 'endpoint_not_found' } }
    expect(await app.call('GET', '/nothing')).toMatchObject(nothing)
    expect(await app.call('GET', '/nothing', { headers: { accept: 'application/json' } })).toMatchObject(nothing)
    expect(await app.call('POST', '/device', { body: {}, headers: asBrowser })).toMatchObject(nothing)
  })

  test('of another host is no page of ours', async () => {
    expect(await app.call('GET', '/nothing', { headers: { ...asBrowser, host: 'evil.example' } })).toMatchObject({
      status: 404,
      headers: {
        'cache-control': 'no-store',
        'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      },
    })
  })
})

test('a file of the dashboard is kept for good, and one that is not there is not', async () => {
  const immutable = 'public, max-age=31536000, immutable'
  expect(await app.call('GET', '/assets/main-a1b2c3d4.js')).toMatchObject({
    status: 200,
    text: SCRIPT,
    headers: { 'cache-control': immutable, 'x-content-type-options': 'nosniff' },
  })
  for (const name of ['main-00000000.js', '__proto__', 'constructor', '', 'x%00.js', '..%5cindex.html']) {
    const missing = await app.call('GET', `/assets/${name}`)
    expect(missing).toMatchObject({ status: 404, headers: { 'cache-control': 'no-store' } })
  }
})

test('a platform that was not built says what to do', async () => {
  const [embedded] = databases
  const bare = embedded && (await openTestApp(embedded, { dashboardFolder: join(folder, 'nothing') }))
  if (!bare) throw new Error('There is always the embedded database')
  for (const path of ['/', '/sign-in', '/nothing']) {
    const answer = await bare.call('GET', path, { headers: asBrowser })
    expect(answer).toMatchObject({ status: 503, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    expect(answer.text).toContain('npm run build:dashboard')
  }
  expect(await bare.call('GET', '/api/setup')).toMatchObject({ status: 200 })
  await bare.close()
})
