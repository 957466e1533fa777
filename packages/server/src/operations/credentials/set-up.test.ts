// The first user: made once, by the holder of the link that the server printed.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { newToken } from '../../secrets/token.ts'
import { offerSetUp } from './offer-set-up.ts'

const password = 'seven green bicycles'

describe.each(databases)('set-up on $name', (source) => {
  let app: TestApp

  beforeEach(async () => {
    app = await openTestApp(source)
  })
  afterEach(() => app.close())

  async function offeredToken(): Promise<string> {
    const link = (await offerSetUp(app.ctx))?.reveal() ?? ''
    return link.slice('https://ship.example.com/setup#token='.length)
  }

  const setUp = (token: string, more: Record<string, unknown> = {}) =>
    app.call('POST', '/api/setup', {
      body: { token, name: 'Ada', email: 'Ada@Example.com', password, organization: 'Engines', ...more },
    })

  const counts = async () =>
    Promise.all(
      (['users', 'organizations', 'memberships', 'sessions'] as const).map(
        async (table) => (await app.ctx.db.selectFrom(table).selectAll().execute()).length,
      ),
    )

  test('everybody can see whether there is a first user and a mail server, and nothing else', async () => {
    const read = async () => (await app.call('GET', '/api/setup')).body
    const rest = { keeps_mail: false, sign_in_provider: null }
    expect(await read()).toEqual({ is_set_up: false, sends_mail: true, ...rest })
    await setUp(await offeredToken())
    expect(await read()).toEqual({ is_set_up: true, sends_mail: true, ...rest })
    Object.assign(app.ctx.mail, { isSetUp: false })
    expect(await read()).toEqual({ is_set_up: true, sends_mail: false, ...rest })
  })

  test('the holder of the link becomes platform administrator and owner, and is signed in', async () => {
    const answer = await setUp(await offeredToken())
    expect(answer.status).toBe(201)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'Ada',
      email: 'Ada@example.com',
      is_platform_admin: true,
      organizations: [{ id: expect.any(Number), name: 'Engines', role: 'owner' }],
      needs_two_factor: null,
      token: null,
    })
    expect(answer.headers['set-cookie']).toEqual([
      expect.stringMatching(
        /^__Host-shipway_session=shw_session_\w+; Max-Age=2592000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
      expect.stringMatching(
        /^__Host-shipway_device=shw_device_[\w.-]+; Max-Age=31536000; Path=\/; HttpOnly; Secure; SameSite=Lax$/,
      ),
    ])
    const cookie = String(answer.headers['set-cookie']).split(';')[0] ?? ''
    expect(await app.call('GET', '/api/me', { headers: { cookie } })).toMatchObject({ status: 200, body: answer.body })
    const events = await app.ctx.db.selectFrom('audit_events').select(['action', 'user_name']).orderBy('id').execute()
    expect(events).toEqual([
      { action: 'organization.created', user_name: 'Ada' },
      { action: 'session.created', user_name: 'Ada' },
    ])
  })

  test('once there is a user, the same link and any other are gone', async () => {
    const token = await offeredToken()
    await setUp(token)
    for (const again of [token, newToken('shw_setup_').token.reveal(), 'x']) {
      expect(await setUp(again)).toMatchObject({ status: 410, body: { code: 'setup_done' } })
    }
    expect(await offerSetUp(app.ctx)).toBeUndefined()
    expect(await counts()).toEqual([1, 1, 1, 1])
  })

  test('of several requests at the same time exactly one makes the first user', async () => {
    const token = await offeredToken()
    const answers = await Promise.all(
      Array.from({ length: 5 }, (_, number) => setUp(token, { email: `user${number}@example.com` })),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 410, 410, 410, 410])
    expect(await counts()).toEqual([1, 1, 1, 1])
  })

  test('a token that was not offered, or was by an earlier start, opens nothing', async () => {
    const earlier = await offeredToken()
    await offeredToken()
    for (const token of [earlier, newToken('shw_setup_').token.reveal(), 'x']) {
      expect(await setUp(token)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    }
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  test('a weak password is named, and the link still works', async () => {
    const token = await offeredToken()
    const refused = await setUp(token, { password: 'password1234' })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/password', code: 'weak_password' }] } })
    expect(refused.text).not.toContain('password1234')
    expect(await setUp(token)).toMatchObject({ status: 201 })
  })

  test('hostile fields are named, and nothing is made', async () => {
    const hostile = [
      ['email', 'ada@example.com, eve@example.com'],
      ['email', 'ada@example.com\r\nBcc: eve@example.com'],
      ['name', ''],
      ['organization', '\u200b'],
      ['is_platform_admin', true],
    ] as const
    const token = await offeredToken()
    for (const [field, value] of hostile) {
      const answer = await setUp(token, { [field]: value })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/${field}` }] } })
    }
    expect(await counts()).toEqual([0, 0, 0, 0])
  })

  test('before set-up no default password signs in', async () => {
    for (const email of ['admin', 'admin@localhost', 'admin@example.com']) {
      for (const guess of ['admin', 'password', 'shipway']) {
        const answer = await app.call('POST', '/api/session', { body: { email, password: guess } })
        expect(answer).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
      }
    }
  })
})
