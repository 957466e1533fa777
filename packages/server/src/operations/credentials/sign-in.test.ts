// Signing in and out over HTTP: who gets in, who is kept guessing, and what ends with what.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOauthToken, buildOrganization, buildToken, buildUser, type TestUser } from '../../../test/factories.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { openTestApp } from '../../../test/test-app.ts'

const password = 'seven green bicycles'
const DAY = 86_400_000

describe.each(databases)('sign-in on $name', (source) => {
  const app = stageApp(source)
  let passwordHash: string
  let user: TestUser

  beforeAll(async () => {
    passwordHash = weakPasswordHash(password)
    user = await newUser()
  })
  // Another minute, another window for guessing.
  afterEach(() => app.moveClock(61_000))

  const newUser = () => buildUser(app.ctx, { password_hash: passwordHash })
  const signIn = (email: string, given = password, headers = {}) =>
    app.call('POST', '/api/session', { body: { email, password: given }, headers })
  const signedIn = async (who: TestUser) => String((await signIn(who.email)).headers['set-cookie']).split(';')[0] ?? ''
  const me = (cookie: string) => app.call('GET', '/api/me', { headers: { cookie } })
  const signOut = (cookie: string, body?: unknown) =>
    app.call('DELETE', '/api/session', { headers: { cookie, origin: 'https://ship.example.com' }, body })

  test('e-mail and password give a cookie, and only the digest of its token is kept', async () => {
    const answer = await signIn(user.email.toUpperCase(), password, { 'user-agent': `Browser ${'x'.repeat(5000)}` })
    expect(answer).toMatchObject({ status: 201, body: { id: user.id, email: user.email, token: null } })
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(/; HttpOnly; Secure; SameSite=Lax$/)
    const token = /=(shw_session_\w+);/.exec(cookie)?.[1] ?? 'none'
    expect(answer.text).not.toContain(token)
    const rows = await app.ctx.db.selectFrom('sessions').where('user_id', '=', user.id).selectAll().execute()
    expect(rows).toMatchObject([{ user_agent: expect.stringMatching(/^Browser x{292}$/), address: '127.0.0.1' }])
    expect(JSON.stringify(rows)).not.toContain(token)
    expect(app.logLines.join('')).not.toContain(token)
  })

  test('a wrong password and an unknown e-mail get the same answer, and only the known one is written down', async () => {
    const known = await newUser()
    const answers = [await signIn(known.email, 'wrong'), await signIn('nobody@example.com', 'wrong')]
    await app.finished()
    const bodies = answers.map(({ body }) => ({ ...body, instance: '', request_id: '' }))
    expect(bodies[0]).toEqual(bodies[1])
    expect(bodies[0]).toMatchObject({ status: 401, code: 'invalid_credentials' })
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('action', '=', 'password.refused')
      .selectAll()
      .execute()
    expect(events.map((event) => event.target_id)).toEqual([known.id])
    expect(JSON.stringify(events)).not.toContain('nobody@example.com')
  })

  test.each(['', 'a@b.example\0', '\ud800@b.example', "' or 1=1 --", 'ａ@b.example', '*'])(
    'the e-mail %j has no account',
    async (email) => {
      expect(await signIn(email)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    },
  )

  test.each(['known', 'unknown'])(
    'after ten failures for an %s e-mail even the right password waits, until the five minutes are over',
    async (kind) => {
      const target = kind === 'known' ? await newUser() : { email: 'nobody-at-all@example.com' }
      for (let count = 0; count < 10; count++) expect((await signIn(target.email, 'wrong')).status).toBe(401)
      const refused = await signIn(target.email.toUpperCase())
      const headers = {
        'retry-after': '300',
        'ratelimit-policy': '"account";q=10;w=300',
        ratelimit: '"account";r=0;t=300',
      }
      expect(refused).toMatchObject({ status: 429, headers, body: { code: 'rate_limited' } })
      expect((await signIn(user.email)).status).toBe(201)
      app.moveClock(5 * 60_000)
      expect((await signIn(target.email)).status).toBe(kind === 'known' ? 201 : 401)
    },
  )

  test('guesses at the same time are counted before they are checked', async () => {
    const target = await newUser()
    const answers = await Promise.all(Array.from({ length: 30 }, () => signIn(target.email, 'wrong')))
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(10)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(20)
  })

  test.each(['203.0.113.1', '::1', 'unknown', '10.0.0.1, 203.0.113.9'])(
    'X-Forwarded-For: %s is no way round either limit',
    async (forwarded) => {
      const target = await newUser()
      const headers = (count: number) => ({ 'x-forwarded-for': `${forwarded}${count}`, forwarded: `for=${forwarded}` })
      for (let count = 0; count < 10; count++) await signIn(target.email, 'wrong', headers(count))
      expect((await signIn(target.email, password, headers(10))).status).toBe(429)
      const others = await Promise.all(
        Array.from({ length: 50 }, (_, count) => app.call('POST', '/api/session', { headers: headers(count) })),
      )
      expect(others.filter(({ status }) => status === 429)).toHaveLength(1)
    },
  )

  test('behind a trusted proxy the last hop that is not trusted is who calls', async () => {
    const behind = await openTestApp(source, { trustedProxies: ['127.0.0.1'] })
    try {
      const who = await buildUser(behind.ctx, { password_hash: passwordHash })
      const headers = { 'x-forwarded-for': '198.51.100.7, 203.0.113.9' }
      await behind.call('POST', '/api/session', { headers, body: { email: who.email, password } })
      const sessions = await behind.ctx.db.selectFrom('sessions').select('address').execute()
      expect(sessions).toEqual([{ address: '203.0.113.9' }])
    } finally {
      await behind.close()
    }
  })

  test('too many concurrent passwords get 503 with Retry-After', async () => {
    app.moveClock(61_000)
    const answers = await Promise.all(Array.from({ length: 60 }, (_, number) => signIn(`crowd ${number}`)))
    const busy = answers.filter(({ status }) => status === 503)
    expect(busy.length).toBeGreaterThan(0)
    expect(busy[0]).toMatchObject({ body: { code: 'unavailable' }, headers: { 'retry-after': '5' } })
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([401, 503]))
  })

  test('a session ends after 14 idle days, and after 30 days of use', async () => {
    const idle = await signedIn(user)
    const used = await signedIn(user)
    app.moveClock(13 * DAY)
    expect((await me(used)).status).toBe(200)
    app.moveClock(DAY)
    expect([(await me(idle)).status, (await me(used)).status]).toEqual([401, 200])
    app.moveClock(13 * DAY)
    expect((await me(used)).status).toBe(200)
    app.moveClock(4 * DAY)
    expect((await me(used)).status).toBe(401)
  })

  test('signing out ends this session alone and takes the cookie back', async () => {
    const [here, there] = [await signedIn(user), await signedIn(user)]
    const answer = await signOut(here)
    expect(answer).toMatchObject({ status: 204, text: '' })
    expect(answer.headers['set-cookie']).toBe(
      '__Host-shipway_session=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    )
    expect([(await me(here)).status, (await me(there)).status]).toEqual([401, 200])
  })

  test('signing out everywhere ends sessions and OAuth sign-ins, and leaves personal tokens and other people', async () => {
    const target = await newUser()
    const other = await signedIn(user)
    const [here, there] = [await signedIn(target), await signedIn(target)]
    const oauth = await buildOauthToken(app.ctx, target.id)
    expect((await signOut(here, { everywhere: true })).status).toBe(204)
    expect([(await me(here)).status, (await me(there)).status, (await me(other)).status]).toEqual([401, 401, 200])
    expect((await app.call('GET', '/api/me', { as: { token: oauth } })).status).toBe(401)
    expect((await app.call('GET', '/api/me', { as: target })).status).toBe(200)
  })

  test('a personal token that signs out is revoked, and no other is', async () => {
    const token = await buildToken(app.ctx, user.id, { scopes: 'read' })
    const answer = await app.call('DELETE', '/api/session', { as: { token } })
    expect([answer.status, answer.headers['set-cookie']]).toEqual([204, undefined])
    expect(await app.call('GET', '/api/me', { as: { token } })).toMatchObject({ body: { code: 'invalid_token' } })
    expect((await app.call('GET', '/api/me', { as: user })).status).toBe(200)
  })

  test('an OAuth token that signs out takes the records of its grant along, and no others', async () => {
    const token = await buildOauthToken(app.ctx, user.id)
    const another = await buildOauthToken(app.ctx, user.id)
    expect((await app.call('DELETE', '/api/session', { as: { token } })).status).toBe(204)
    expect((await app.call('GET', '/api/me', { as: { token } })).status).toBe(401)
    expect((await app.call('GET', '/api/me', { as: { token: another } })).status).toBe(200)
  })

  test('a token without the scope admin cannot sign its user out everywhere', async () => {
    const cookie = await signedIn(user)
    const token = await buildToken(app.ctx, user.id, { scopes: 'read deploy' })
    const answer = await app.call('DELETE', '/api/session', { as: { token }, body: { everywhere: true } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect((await me(cookie)).status).toBe(200)
  })

  test('a sign-in is recorded in the audit log', async () => {
    const target = await newUser()
    await buildOrganization(app.ctx, [{ user: target, role: 'owner' }])
    await signOut(await signedIn(target))
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('user_id', '=', target.id)
      .select(['action', 'address', 'user_name'])
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { action: 'session.created', address: '127.0.0.1', user_name: target.name },
      { action: 'session.ended', address: '127.0.0.1', user_name: target.name },
    ])
  })
})
