// The typed client against the real application, over a real connection.
import { ApiError } from '@shipway/api/api-error'
import { type Client, createClient } from '@shipway/api/client'
import { pages } from '@shipway/api/pages'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildOrganization, buildServer, buildUser, type TestUser } from '../../test/factories.ts'
import { openTestApp, type TestApp } from '../../test/test-app.ts'

const [source] = databases
let app: TestApp
let baseUrl: string
let admin: TestUser
let client: Client

beforeAll(async () => {
  if (!source) throw new Error('There is no database for the tests')
  app = await openTestApp(source)
  baseUrl = await app.app.listen({ host: '127.0.0.1', port: 0 })
  admin = await buildUser(app.ctx)
  await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])
  client = createClient({ baseUrl, token: async () => admin.token })
})
afterAll(() => app.close())

const failure = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => undefined,
    (error: unknown) => error,
  )

test('a record is made, read, changed and deleted', async () => {
  const made = await client.raw.createServer({ body: { name: 'One', hostname: 'one.example.com' } })
  expect(made.status).toBe(201)
  expect(made.headers.get('location')).toBe(`/api/servers/${made.body.id}`)
  expect(made.body).toMatchObject({ name: 'One', port: 22 })
  const params = { id: made.body.id }
  expect(await client.getServer({ params })).toEqual(made.body)
  expect(await client.updateServer({ params, body: { name: 'Two' } })).toEqual({ ...made.body, name: 'Two' })
  expect(await client.deleteServer({ params })).toBeUndefined()
  expect(await failure(client.getServer({ params }))).toMatchObject({ status: 404, code: 'not_found' })
})

test('a problem becomes an error with everything that it says', async () => {
  const error = await failure(client.createServer({ body: { name: '', hostname: 'one.example.com' } }))
  expect(error).toBeInstanceOf(ApiError)
  expect(error).toMatchObject({
    status: 422,
    code: 'validation_failed',
    detail: 'Enter a name',
    message: 'Enter a name',
    requestId: expect.stringMatching(/./),
    problem: { errors: [{ pointer: '/name', code: 'required' }], type: expect.stringMatching(/#validation_failed$/) },
  })
})

test('a list is followed to its end', async () => {
  const user = await buildUser(app.ctx)
  const { id } = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
  const expected: number[] = []
  for (let number = 0; number < 5; number++) expected.unshift((await buildServer(app.ctx, id)).id)
  const viewer = createClient({ baseUrl, token: () => user.token })
  const sizes: number[] = []
  const seen: number[] = []
  for await (const page of pages((cursor) => viewer.raw.listServers({ query: { limit: 2, cursor } }))) {
    sizes.push(page.length)
    seen.push(...page.map((server) => server.id))
  }
  expect(sizes).toEqual([2, 2, 1])
  expect(seen).toEqual(expected)
})

test('an organization narrows what a client sees', async () => {
  const user = await buildUser(app.ctx)
  const first = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
  const second = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
  await buildServer(app.ctx, first.id)
  const server = await buildServer(app.ctx, second.id)
  const narrowed = createClient({ baseUrl, token: () => user.token, organization: second.id })
  expect((await narrowed.listServers()).map(({ id }) => id)).toEqual([server.id])
})

test('without a token the error says to sign in; no error holds a token', async () => {
  expect(await failure(createClient({ baseUrl }).listServers())).toMatchObject({ code: 'authentication_required' })
  const wrong = createClient({ baseUrl, token: () => 'shw_pat_canary' })
  const error = await failure(wrong.listServers())
  expect(error).toMatchObject({ status: 401, code: 'invalid_token' })
  expect(`${error} ${JSON.stringify(error)}`).not.toContain('canary')
})

test('a text and the contract itself are read too', async () => {
  expect(await client.readReference()).toContain('<!doctype html>')
  expect(await client.getOpenApi()).toMatchObject({ openapi: '3.1.0' })
})
