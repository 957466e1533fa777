// Changes by cookie: only from our own pages, only as JSON, and never by reading.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildSession, buildUser, type TestUser } from '../../test/factories.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { openTestApp } from '../../test/test-app.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { createSession } from '../operations/credentials/create-session.ts'

const [source] = databases
if (!source) throw new Error('There is no database to test on')
const own = 'https://ship.example.com'

const app = stageApp(source, { hasOpenOrganizations: true })
let user: TestUser
let cookie: string

beforeAll(async () => {
  user = await buildUser(app.ctx)
  const caller = { origin: { address: '127.0.0.1', requestId: 'test' }, userAgent: null }
  const { token } = await app.ctx.change(PLATFORM, (tx) => createSession(app.ctx, tx, { user, caller }))
  cookie = `__Host-shipway_session=${token.reveal()}`
})

const create = (headers: Record<string, string>, body: unknown = { name: 'Engines' }) =>
  app.call('POST', '/api/organizations', { headers: { cookie, ...headers }, body })
const countOrganizations = async () => (await app.ctx.db.selectFrom('organizations').selectAll().execute()).length

describe('a change with the cookie', () => {
  test.each([
    { origin: own },
    { origin: own, 'sec-fetch-site': 'same-origin' },
    { 'sec-fetch-site': 'same-origin' },
    { origin: 'http://localhost:7878', host: 'localhost:7878' },
    { origin: 'http://127.0.0.1:7878', host: '127.0.0.1:7878' },
  ])('from our own page, %j, is made', async (headers) => {
    expect(await create(headers)).toMatchObject({ status: 201 })
  })

  test.each<Record<string, string>>([
    {},
    { origin: 'null' },
    { origin: '' },
    { origin: 'https://evil.example' },
    { origin: 'https://ship.example.com.evil.example' },
    { origin: 'https://evil.example#ship.example.com' },
    { origin: 'https://ship.example.com@evil.example' },
    { origin: 'https://pr-1.ship.example.com' },
    { origin: 'https://example.com' },
    { origin: 'https://ship.example.com:8443' },
    { origin: 'http://ship.example.com' },
    { origin: 'http://localhost:7878' },
    { origin: own, host: 'localhost:7878' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
    { origin: own, 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'none' },
    { 'sec-fetch-site': 'same-site' },
    { referer: `${own}/projects` },
    { 'x-http-method-override': 'GET' },
  ])('from elsewhere, %j, is refused', async (headers) => {
    const before = await countOrganizations()
    expect(await create(headers)).toMatchObject({ status: 403, body: { code: 'cross_origin_refused' } })
    expect(await countOrganizations()).toBe(before)
  })

  test.each([
    ['text/plain', '{"name": "Engines"}'],
    ['application/x-www-form-urlencoded', 'name=Engines'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\nEngines\r\n--x--\r\n',
    ],
    ['application/json, text/plain', '{"name": "Engines"}'],
    ['text/plain; application/json', '{"name": "Engines"}'],
  ])('as %s is refused even from our own page', async (type, body) => {
    const before = await countOrganizations()
    expect(await create({ origin: own, 'content-type': type }, body)).toMatchObject({ status: 415 })
    expect(await countOrganizations()).toBe(before)
  })

  test.each([
    ['PATCH', '/api/me'],
    ['DELETE', '/api/session'],
    ['POST', '/api/session'],
    ['POST', '/api/invitations/acceptance'],
  ] as const)('is refused from elsewhere for %s %s as well', async (method, url) => {
    const answer = await app.call(method, url, { headers: { cookie, origin: 'https://evil.example' }, body: {} })
    expect(answer).toMatchObject({ status: 403, body: { code: 'cross_origin_refused' } })
  })
})

test.each(['/api/session', '/api/invitations/acceptance', '/api/password-resets'])(
  'GET %s changes nothing: it is not there',
  async (url) => {
    for (const method of ['GET', 'HEAD'] as const) {
      expect((await app.call(method, url, { headers: { cookie } })).status).toBe(405)
    }
    expect((await app.call('GET', '/api/me', { headers: { cookie } })).status).toBe(200)
  },
)

test('no answer lets another origin read it or send more', async () => {
  const headers = { cookie, origin: 'https://evil.example', 'access-control-request-method': 'POST' }
  for (const method of ['OPTIONS', 'GET'] as const) {
    const answer = await app.call(method, '/api/me', { headers })
    const names = Object.keys(answer.headers).filter((name) => name.startsWith('access-control-'))
    expect(names).toEqual([])
  }
})

describe('reading with the cookie', () => {
  const read = (headers: Record<string, string>) => app.call('GET', '/api/me', { headers: { cookie, ...headers } })

  test.each<Record<string, string>>([
    {},
    { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'none', 'sec-fetch-dest': 'document' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
  ])('by our own page or by going there, %j, works', async (headers) => {
    expect(await read(headers)).toMatchObject({ status: 200, body: { id: user.id } })
  })

  test.each<Record<string, string>>([
    { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'empty' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'iframe', 'sec-fetch-mode': 'navigate' },
    { 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'document', 'sec-purpose': 'prefetch' },
    { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' },
    { 'sec-fetch-site': 'cross-site' },
  ])('as a part of a page of another site, %j, is reading without a sign-in', async (headers) => {
    expect(await read(headers)).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
  })
})

test('of two cookies of one name neither counts, in whatever order and spelling they come', async () => {
  const plain = await openTestApp(source, { baseUrl: 'http://ship.example.com' })
  try {
    const [victim, attacker] = [await buildUser(plain.ctx), await buildUser(plain.ctx)]
    const cookieOf = async (someone: TestUser) => (await buildSession(plain.ctx, someone.id)).cookie
    const [mine, tossed] = [await cookieOf(victim), await cookieOf(attacker)]
    const me = (text: string) => plain.call('GET', '/api/me', { headers: { cookie: text } })
    expect(await me(`other=1; ${mine}; shipway_sessions=2`)).toMatchObject({ status: 200, body: { id: victim.id } })
    for (const text of [`${tossed}; ${mine}`, `${mine};${tossed}`, `${mine}; ${tossed.replace('=', ' =')}`]) {
      expect(await me(text)).toMatchObject({ status: 401 })
    }
  } finally {
    await plain.close()
  }
})

test('a bearer token needs no origin, since no page sends it by itself', async () => {
  const headers = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
  const answer = await app.call('POST', '/api/organizations', { as: user, headers, body: { name: 'Engines' } })
  expect(answer.status).toBe(201)
})

describe.each(['/api/session', '/api/setup'])('POST %s, which gives a cookie', (path) => {
  const send = (headers: Record<string, string>) => app.call('POST', path, { headers, body: {} })

  test.each<Record<string, string>>([
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: own, 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
  ])('from a foreign page, %j, is refused', async (headers) => {
    expect(await send(headers)).toMatchObject({ status: 403, body: { code: 'cross_origin_refused' } })
  })

  test.each<Record<string, string>>([{}, { origin: own }, { origin: own, 'sec-fetch-site': 'same-origin' }])(
    'from our own page or a program, %j, is read',
    async (headers) => {
      expect(await send(headers)).toMatchObject({ status: 422 })
    },
  )
})
