// The contract as the server gives it: what it answers, and nothing that it does not answer yet.
import { createHash } from 'node:crypto'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildOrganization, buildUser } from '../../test/factories.ts'
import { openTestApp, type TestApp } from '../../test/test-app.ts'
import { handlers, ROUTES_TO_COME } from './handlers/handlers.ts'

const [source] = databases
let app: TestApp

beforeAll(async () => {
  if (!source) throw new Error('There is no database for the tests')
  app = await openTestApp(source)
})
afterAll(() => app.close())

test('the document lists exactly the routes that are answered', async () => {
  const { status, headers, text, body } = await app.call('GET', '/api/openapi.json')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('application/json; charset=utf-8')
  const names = [...text.matchAll(/"operationId":"(\w+)"/g)].map((match) => match[1])
  expect(names.toSorted()).toEqual([...Object.keys(handlers), 'openLive'].toSorted())
  expect(names.filter((name) => ROUTES_TO_COME.some((other) => other === name))).toEqual([])
  expect(body.info.version).toBe('1.15.0')
  expect(body.servers).toEqual([{ url: 'https://ship.example.com' }])
})

test('the document is the same text each time, and whole', async () => {
  const [first, second] = [await app.call('GET', '/api/openapi.json'), await app.call('GET', '/api/openapi.json')]
  expect(first.text).toBe(second.text)
  expect(first.body.paths['/api/servers'].post.requestBody.content['application/json'].schema.required).toEqual([
    'name',
    'hostname',
  ])
})

test('the document is served in fewer than 1,290 bytes for each operation', async () => {
  const { text, body } = await app.call('GET', '/api/openapi.json')
  const operations = Object.values(body.paths as Record<string, object>).flatMap((path) => Object.keys(path))
  const count = operations.filter((key) => key !== 'parameters').length
  expect(Buffer.byteLength(text)).toBeLessThan(1290 * count)
})

test('an answer of the server is what the document says', async () => {
  const admin = await buildUser(app.ctx)
  await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])
  const { body: document } = await app.call('GET', '/api/openapi.json')
  const ajv = new Ajv2020({ strict: false, validateFormats: false })
  ajv.addSchema({ $id: 'contract', components: document.components })
  const valid = ajv.compile({ $ref: 'contract#/components/schemas/Server' })
  const made = await app.call('POST', '/api/servers', { as: admin, body: { name: 'One', hostname: 'one.example.com' } })
  expect(valid(made.body), JSON.stringify(valid.errors)).toBe(true)
  const problem = ajv.compile({ $ref: 'contract#/components/schemas/Problem' })
  const missing = await app.call('GET', '/api/servers/999999', { as: admin })
  expect(problem(missing.body), JSON.stringify(problem.errors)).toBe(true)
  expect(valid(missing.body)).toBe(false)
})

test('the reference page is allowed its own stylesheet and nothing else', async () => {
  const { status, headers, text } = await app.call('GET', '/api/reference')
  expect(status).toBe(200)
  expect(headers['content-type']).toBe('text/html; charset=utf-8')
  const style = text.split('<style>')[1]?.split('</style>')[0] ?? ''
  const hash = createHash('sha256').update(style).digest('base64')
  expect(headers['content-security-policy']).toBe(
    `default-src 'none'; style-src 'sha256-${hash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  )
  expect(text).toContain('id="deployment_in_progress"')
  expect(text).toContain('/api/live')
  expect(text).toContain('/api/artifacts')
})
