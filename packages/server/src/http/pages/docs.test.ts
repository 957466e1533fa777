// The documentation as a browser gets it from the platform.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import Fastify, { type FastifyInstance } from 'fastify'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { registerDocs } from './docs.ts'

const folder = mkdtempSync(join(tmpdir(), 'shipway-docs-'))
let app: FastifyInstance

beforeAll(() => {
  for (const name of ['assets', 'files/deploy', 'guides']) mkdirSync(join(folder, name), { recursive: true })
  writeFileSync(join(folder, 'index.html'), 'start')
  writeFileSync(join(folder, 'recipes.html'), 'recipes')
  writeFileSync(join(folder, 'recipes.html.br'), brotliCompressSync('recipes'))
  writeFileSync(join(folder, 'files/deploy/shipway.service'), '[Unit]')
  writeFileSync(join(folder, 'guides/node.html'), 'node')
  writeFileSync(join(folder, 'service.schema.json'), '{}')
  writeFileSync(join(folder, 'sources.txt'), 'not served')
  app = Fastify()
  registerDocs(app, folder)
})
afterAll(async () => {
  await app.close()
  rmSync(folder, { recursive: true })
})

const get = (url: string, encodings = '') => app.inject({ url, headers: { 'accept-encoding': encodings } })

test.each([
  ['/docs', 'start', 'text/html; charset=utf-8'],
  ['/docs/recipes', 'recipes', 'text/html; charset=utf-8'],
  ['/docs/guides/node', 'node', 'text/html; charset=utf-8'],
  ['/docs/service.schema.json', '{}', 'application/json; charset=utf-8'],
  ['/docs/files/deploy/shipway.service', '[Unit]', 'text/plain; charset=utf-8'],
])('%s is answered with its file, under a policy that allows nothing from elsewhere', async (url, text, type) => {
  const { body, headers, statusCode } = await get(url)
  expect([statusCode, body, headers['content-type']]).toEqual([200, text, type])
  expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
  expect(headers['content-security-policy']).not.toMatch(/unsafe|\*|https?:|data:/)
})

test('a browser gets the compressed copy if it takes one', async () => {
  const { rawPayload, headers } = await get('/docs/recipes', 'gzip, br')
  expect(headers['content-encoding']).toBe('br')
  expect(brotliDecompressSync(rawPayload).toString()).toBe('recipes')
})

test.each(['/docs/sources.txt', '/docs/recipes.html.br', '/docs/../config.ts', '/docs/%2e%2e/main.ts', '/docs/assets'])(
  'nothing else is served: %s',
  async (url) => expect((await get(url)).statusCode).toBe(404),
)

test('a platform without the built documentation starts, and has none', async () => {
  const bare = Fastify()
  registerDocs(bare, join(folder, 'nothing'))
  expect((await bare.inject('/docs')).statusCode).toBe(404)
  await bare.close()
})
