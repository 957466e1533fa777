// The pages of the dashboard, as a browser gets them from the platform.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { registerDashboard } from './dashboard.ts'
import { wantsPage } from './pages.ts'

const PAGE = '<!doctype html><title>Shipway</title><div id="root"></div>'
const SCRIPT = 'console.log("the dashboard")'

describe('a dashboard that was built', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-dashboard-'))
  let app: FastifyInstance

  beforeAll(() => {
    mkdirSync(join(folder, 'assets'))
    for (const [name, text] of [
      ['index.html', PAGE],
      ['assets/main-1a2b.js', SCRIPT],
    ] as const) {
      writeFileSync(join(folder, name), text)
      writeFileSync(join(folder, `${name}.br`), brotliCompressSync(text))
      writeFileSync(join(folder, `${name}.gz`), gzipSync(text))
    }
    writeFileSync(join(folder, 'sources.txt'), 'not served')
    app = Fastify()
    registerDashboard(app, ['/', '/projects/*'], folder)
  })
  afterAll(async () => {
    await app.close()
    rmSync(folder, { recursive: true })
  })

  const get = (url: string, encodings = '') => app.inject({ url, headers: { 'accept-encoding': encodings } })

  test.each(['/', '/projects/7/settings'])(
    '%s is the page, which runs no script and takes no style but ours',
    async (path) => {
      const { statusCode, headers, body } = await get(path)
      expect(statusCode).toBe(200)
      expect(body).toBe(PAGE)
      expect(headers['content-type']).toBe('text/html; charset=utf-8')
      const policy = String(headers['content-security-policy'])
      expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
      expect(policy).toContain("base-uri 'none'; frame-ancestors 'none'")
      expect(policy).not.toMatch(/unsafe|\*|https?:|data:/)
    },
  )

  test('files are kept by browsers for good, since their names change with their content', async () => {
    const { headers, body } = await get('/assets/main-1a2b.js')
    expect(body).toBe(SCRIPT)
    expect(headers['content-type']).toBe('text/javascript; charset=utf-8')
    expect(headers['cache-control']).toBe('public, max-age=31536000, immutable')
  })

  test.each([
    ['gzip, deflate, br, zstd', 'br', brotliDecompressSync],
    ['gzip', 'gzip', gunzipSync],
    ['br;q=0, gzip', 'gzip', gunzipSync],
  ])('who accepts %s gets %s', async (accepted, encoding, open) => {
    const { headers, rawPayload } = await get('/assets/main-1a2b.js', accepted)
    expect(headers['content-encoding']).toBe(encoding)
    expect(headers.vary).toBe('accept-encoding')
    expect(String(open(rawPayload))).toBe(SCRIPT)
  })

  test.each(['', 'identity', 'br;q=0', 'brotli'])('who accepts %j gets it plain', async (accepted) => {
    const { headers, body } = await get('/assets/main-1a2b.js', accepted)
    expect(headers['content-encoding']).toBeUndefined()
    expect(body).toBe(SCRIPT)
  })

  test.each([
    '/assets/other.js',
    '/assets/main-1a2b.js.br',
    '/assets/..%2findex.html',
    '/assets/..%2f..%2fpackage.json',
    '/assets/%2e%2e/sources.txt',
    '/sources.txt',
  ])('%s is not served', async (path) => {
    const { statusCode, body } = await get(path)
    expect(statusCode).toBeGreaterThanOrEqual(400)
    expect(body).not.toContain('not served')
  })
})

test.each([
  ['GET', '/nowhere', 'text/html,application/xhtml+xml', true],
  ['HEAD', '/nowhere', 'text/html', true],
  ['GET', '/nowhere', '*/*', false],
  ['GET', '/nowhere', undefined, false],
  ['POST', '/nowhere', 'text/html', false],
  ['GET', '/api/nowhere', 'text/html', false],
  ['GET', '/api?x', 'text/html', false],
  ['GET', '/assets/old.js', 'text/html', false],
  ['GET', '/apiary', 'text/html', true],
])('%s %s that accepts %s wants a page: %s', (method, url, accept, wants) => {
  expect(wantsPage({ method, url, headers: { accept } })).toBe(wants)
})

describe.each(databases.slice(0, 1))('beside the API on $name', (source) => {
  const app = stageApp(source)

  test('an unknown endpoint of the API stays a problem, also for browsers', async () => {
    const headers = { accept: 'text/html' }
    expect(await app.call('GET', '/api/nothing', { headers })).toMatchObject({
      status: 404,
      body: { code: 'endpoint_not_found' },
    })
  })

  test('an address that leads nowhere is a problem for programs', async () => {
    expect(await app.call('GET', '/nothing')).toMatchObject({ status: 404, body: { code: 'endpoint_not_found' } })
  })
})
