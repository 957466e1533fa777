// Who reads the metrics: by what they bring, never by where they seem to come from.
import { afterAll, beforeAll, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildToken, buildUser, type TestUser } from '../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { Secret } from '../../secrets/secret.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')
const token = 'a token of sixteen characters'.replaceAll(' ', '-')

let app: TestApp
let open: TestApp
let admin: TestUser

beforeAll(async () => {
  app = await openTestApp(source, { metricsToken: new Secret(token) })
  open = await openTestApp(source, { metricsAreOpen: true })
  admin = await buildUser(app.ctx, { is_platform_admin: 1 })
})
afterAll(async () => {
  await app.close()
  await open.close()
})

const read = (headers: Record<string, string>) => app.call('GET', '/metrics', { headers })
const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

test('the token of the settings reads them', async () => {
  const answer = await read(bearer(token))
  expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } })
  expect(answer.text).toContain('shipway_requests_total')
})

test.each([{}, { 'x-forwarded-for': '127.0.0.1' }, { host: 'localhost' }, { host: '127.0.0.1:7878' }])(
  'a caller from this machine with %j and without a token reads nothing',
  async (headers) => {
    const answer = await read(headers)
    expect(answer).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(answer.text).not.toContain('shipway_')
  },
)

test.each([token.slice(1), `${token}x`, token.toUpperCase(), 'x'])('the token %s is unknown', async (wrong) => {
  expect((await read(bearer(wrong))).status).toBe(401)
})

test('the token of the settings belongs to no user, and opens nothing else', async () => {
  expect((await app.call('GET', '/api/me', { as: { token } })).status).toBe(401)
})

test('a platform administrator reads them, but not with a token that is for one organization', async () => {
  const { id } = await buildOrganization(app.ctx, [{ user: admin, role: 'owner' }])
  const bound = await buildToken(app.ctx, admin.id, { organization_id: id })
  const writing = await buildToken(app.ctx, admin.id, { scopes: 'vars:write' })
  expect((await read(bearer(admin.token))).status).toBe(200)
  expect([(await read(bearer(bound))).status, (await read(bearer(writing))).status]).toEqual([404, 404])
  expect((await read(bearer((await buildUser(app.ctx)).token))).status).toBe(404)
})

test('where the settings say so, anybody reads them', async () => {
  expect((await open.call('GET', '/metrics')).status).toBe(200)
})
