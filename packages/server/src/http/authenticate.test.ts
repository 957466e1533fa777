// Who a request is taken for: by a good token or session, and by nothing else.
import { createHmac } from 'node:crypto'
import { Readable } from 'node:stream'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import {
  buildOauthToken,
  buildOrganization,
  buildProject,
  buildToken,
  buildUser,
  type TestUser,
} from '../../test/factories.ts'
import { builtBeforeAll } from '../../test/stage/built-before.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { createSession } from '../operations/credentials/create-session.ts'
import { digestOf, newToken } from '../secrets/token.ts'

describe.each(databases)('authentication on $name', (source) => {
  const app = stageApp(source)
  const user = builtBeforeAll(() => buildUser(app.ctx))
  let first: number
  let second: number
  let session: string

  beforeAll(async () => {
    first = (await buildOrganization(app.ctx, [{ user, role: 'owner' }])).id
    second = (await buildOrganization(app.ctx, [{ user, role: 'viewer' }])).id
    session = await newSession(user)
  })

  async function newSession(who: TestUser): Promise<string> {
    const caller = { origin: { address: '127.0.0.1', requestId: 'test' }, userAgent: null }
    return (await app.ctx.change(PLATFORM, (tx) => createSession(app.ctx, tx, { user: who, caller }))).token.reveal()
  }
  const me = (headers: Record<string, string>, url = '/api/me') => app.call('GET', url, { headers })

  test.each(['Bearer', 'bearer', 'BEARER'])('the scheme may be written %s', async (scheme) => {
    expect(await me({ authorization: `${scheme} ${user.token}` })).toMatchObject({ body: { id: user.id } })
  })

  const losses: readonly [string, 'memberships' | 'personal_tokens', number][] = [
    ['role', 'memberships', 404],
    ['token', 'personal_tokens', 401],
  ]
  test.each(losses)('who loses the %s while the body is on its way changes nothing', async (_what, table, status) => {
    const leaving = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: leaving, role: 'owner' }])
    const { id } = await buildProject(app.ctx, { organizationId: organization.id, ownerId: leaving.id })
    async function* slowly() {
      yield '{"name": '
      await app.ctx.db.deleteFrom(table).where('user_id', '=', leaving.id).execute()
      app.moveClock(1001)
      yield '"Mine for ever"}'
    }
    const answer = await app.app.inject({
      method: 'PATCH',
      url: `/api/projects/${id}`,
      headers: {
        host: 'ship.example.com',
        authorization: `Bearer ${leaving.token}`,
        'content-type': 'application/json',
      },
      payload: Readable.from(slowly()),
    })
    expect(answer.statusCode).toBe(status)
    const row = await app.ctx.db.selectFrom('projects').where('id', '=', id).select('name').executeTakeFirst()
    expect(row?.name).not.toBe('Mine for ever')
  })

  test('without anything to go by, the answer says where to sign in', async () => {
    for (const answer of [await me({}), await me({ authorization: '' })]) {
      expect(answer).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
      expect(answer.headers['www-authenticate']).toBe(
        'Bearer realm="shipway", resource_metadata="https://ship.example.com/.well-known/oauth-protected-resource"',
      )
    }
  })

  test('what is no good token gets one and the same answer, whatever is wrong with it', async () => {
    const { token } = user
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
    const claims = part({ sub: String(user.id), exp: 4_102_444_800, scope: 'admin' })
    const signed = `${part({ alg: 'HS256', typ: 'JWT' })}.${claims}`
    const signature = createHmac('sha256', 'better-auth-secret-123456789').update(signed).digest('base64url')
    const refresh = newToken('shw_rt_')
    const record = { kind: 'RefreshToken', id_digest: refresh.digest, user_id: user.id, grant_digest: 'grant' }
    await app.ctx.db
      .insertInto('oauth_records')
      .values({ ...record, payload: '{"scope":"admin"}', created_at: 0, expires_at: app.ctx.clock() + 60_000 })
      .execute()
    const bad = [
      'Bearer',
      'Bearer ',
      'Bearer null',
      'Bearer undefined',
      'Bearer *',
      token,
      `Token ${token}`,
      `Basic ${Buffer.from(`${user.email}:${token}`).toString('base64')}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token},${token}`,
      `Bearer "${token}"`,
      `Bearer ${token}\r\nX: y`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}0`,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${digestOf(token)}`,
      `Bearer ${newToken('shw_pat_').token.reveal()}`,
      `Bearer ${newToken('shw_at_').token.reveal()}`,
      `Bearer ${await buildToken(app.ctx, user.id, { revoked_at: app.ctx.clock() })}`,
      `Bearer ${refresh.token.reveal()}`,
      `Bearer ${session}`,
      `Bearer ${part({ alg: 'none', typ: 'JWT' })}.${claims}.`,
      `Bearer ${signed}.${signature}`,
      `Bearer ${'a'.repeat(10_000)}`,
    ]
    const answers = await Promise.all(bad.map((authorization) => me({ authorization })))
    const seen = new Set(answers.map(({ body }) => JSON.stringify({ ...body, instance: '', request_id: '' })))
    expect([...seen].map((text) => JSON.parse(text))).toMatchObject([{ status: 401, code: 'invalid_token' }])
    expect(answers[0]?.headers['www-authenticate']).toMatch(/^Bearer realm="shipway", error="invalid_token", /)
  })

  test('an expired token is refused with that reason, since it was valid once', async () => {
    const expiresAt = app.ctx.clock()
    for (const token of [
      await buildToken(app.ctx, user.id, { expires_at: expiresAt }),
      await buildOauthToken(app.ctx, user.id, { expiresAt }),
    ]) {
      expect(await me({ authorization: `Bearer ${token}` })).toMatchObject({
        status: 401,
        body: { code: 'token_expired' },
      })
    }
  })

  test.each(['token', 'access_token', 'api_key', 'authorization'])(
    'a token in the address as %s opens nothing and is not logged',
    async (name) => {
      const answer = await me({}, `/api/me?${name}=${user.token}`)
      expect(answer.status).toBe(401)
      expect(answer.text + app.logLines.join('')).not.toContain(user.token)
    },
  )

  test('a token opens nothing as a cookie, nor under the name of another host', async () => {
    const cookies = [
      `token=${user.token}`,
      `__Host-shipway_session=${user.token}`,
      `shipway_session=${session}`,
      `__Host-shipway_session=${session}x`,
      `__Host-shipway_session=${newToken('shw_session_').token.reveal()}`,
      `__host-shipway_session=${session}`,
    ]
    for (const cookie of cookies) expect((await me({ cookie })).status).toBe(401)
    expect((await me({ cookie: `__Host-shipway_session=${session}` })).status).toBe(200)
  })

  test('beside a bearer token a cookie counts for nothing', async () => {
    const other = await buildUser(app.ctx)
    const cookie = `__Host-shipway_session=${session}`
    expect((await me({ cookie, authorization: `Bearer ${other.token}` })).body.id).toBe(other.id)
    expect((await me({ cookie, authorization: 'Bearer null' })).status).toBe(401)
  })

  test('a public route refuses a bad token too, instead of treating the caller as a guest', async () => {
    const answer = await app.call('POST', '/api/password-resets', {
      headers: { authorization: 'Bearer null' },
      body: { email: user.email },
    })
    expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
  })

  test('a token lacks what its scopes lack', async () => {
    const token = await buildToken(app.ctx, user.id, { scopes: 'deploy vars:write ssh' })
    const answer = await app.call('GET', '/api/servers', { as: { token } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope', scope: 'read' } })
  })

  test('a use is noted, at most once a minute', async () => {
    const token = await buildToken(app.ctx, user.id)
    const lastUse = async () =>
      app.ctx.db
        .selectFrom('personal_tokens')
        .where('token_digest', '=', digestOf(token))
        .select('last_used_at as at')
        .executeTakeFirst()
    const start = app.ctx.clock()
    const seen = []
    for (const wait of [0, 59_999, 1]) {
      app.moveClock(wait)
      await me({ authorization: `Bearer ${token}` })
      seen.push((await lastUse())?.at)
    }
    expect(seen).toEqual([start, start, start + 60_000])
  })

  describe('the organization header', () => {
    const servers = (header: string, as: { token: string } = user) =>
      app.call('GET', '/api/servers', { as, headers: { 'x-service-organization': header } })

    test('narrows to one of the own', async () => {
      expect((await servers(String(first))).status).toBe(200)
      const body = { name: 'One', hostname: 'one.example.com' }
      const headers = { 'x-service-organization': String(second) }
      expect((await app.call('POST', '/api/servers', { as: user, headers, body })).status).toBe(403)
    })

    test('answers alike for a foreign organization and one that is not there', async () => {
      const foreign = (await buildOrganization(app.ctx)).id
      const answers = [await servers(String(foreign)), await servers('999999'), await servers('9007199254740991')]
      const bodies = answers.map(({ body }) => ({ ...body, instance: '', request_id: '' }))
      expect(bodies[0]).toMatchObject({ status: 404, code: 'not_found' })
      expect(bodies).toEqual([bodies[0], bodies[0], bodies[0]])
    })

    test('says that a bound token is bound', async () => {
      const token = await buildToken(app.ctx, user.id, { organization_id: first })
      expect(await servers(String(second), { token })).toMatchObject({
        status: 403,
        body: { code: 'organization_not_accessible' },
      })
      expect((await servers(String(first), { token })).status).toBe(200)
    })

    test.each(['0', '-1', '1.0', '1e0', ' 1 ', '1,2', 'abc', '9007199254740993', '../1', '', '０'])(
      '%j is no id',
      async (header) => {
        expect(await servers(header)).toMatchObject({ status: 400, body: { code: 'invalid_organization_header' } })
      },
    )

    test('a user in no organization sees an empty list', async () => {
      expect(await app.call('GET', '/api/servers', { as: await buildUser(app.ctx) })).toMatchObject({
        status: 200,
        body: [],
      })
    })
  })
})
