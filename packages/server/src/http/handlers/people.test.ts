// The current user over HTTP: what `me` answers, and what changing a name or a password does.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOauthToken, buildOrganization, buildToken, buildUser, type TestUser } from '../../../test/factories.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { createSession } from '../../operations/credentials/create-session.ts'

const password = 'seven green bicycles'
const newPassword = 'nine orange tricycles'

describe.each(databases)('the current user on $name', (source) => {
  const app = stageApp(source)
  let passwordHash: string
  let user: TestUser
  let first: { id: number; name: string }
  let second: { id: number; name: string }

  beforeAll(async () => {
    passwordHash = weakPasswordHash(password)
    user = await newUser()
    first = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    second = await buildOrganization(app.ctx, [{ user, role: 'admin' }])
    await buildOrganization(app.ctx)
  })
  afterEach(() => app.moveClock(61_000))

  const newUser = () => buildUser(app.ctx, { password_hash: passwordHash })
  const me = (options: Parameters<TestApp['call']>[2]) => app.call('GET', '/api/me', options)
  const update = (body: unknown, as: { token: string } = user) => app.call('PATCH', '/api/me', { as, body })
  const signIn = (email: string, given: string) =>
    app.call('POST', '/api/session', { body: { email, password: given } })
  async function sessionOf(who: TestUser): Promise<{ cookie: string; origin: string }> {
    const caller = { origin: { address: '127.0.0.1', requestId: 'test' }, userAgent: null }
    const { token } = await app.ctx.change(PLATFORM, (tx) => createSession(app.ctx, tx, { user: who, caller }))
    return { cookie: `__Host-shipway_session=${token.reveal()}`, origin: 'https://ship.example.com' }
  }

  test('a session gets its user, with every organization and no token', async () => {
    const answer = await me({ headers: await sessionOf(user) })
    expect(answer.body).toEqual({
      id: user.id,
      name: user.name,
      email: user.email,
      is_platform_admin: false,
      organizations: [
        { id: first.id, name: first.name, role: 'viewer' },
        { id: second.id, name: second.name, role: 'admin' },
      ],
      needs_two_factor: null,
      token: null,
    })
  })

  test('a personal token and an OAuth token get what they allow', async () => {
    const expiresAt = app.ctx.clock() + 1000
    const expires_at = new Date(expiresAt).toISOString()
    const personal = await buildToken(app.ctx, user.id, { scopes: 'read deploy', expires_at: expiresAt })
    const oauth = await buildOauthToken(app.ctx, user.id, { scopes: ['ssh'], expiresAt })
    const tokens = [await me({ as: { token: personal } }), await me({ as: { token: oauth } })]
    expect(tokens.map(({ body }) => body.token)).toEqual([
      { kind: 'personal', scopes: ['read', 'deploy'], expires_at },
      { kind: 'oauth', scopes: ['ssh'], expires_at },
    ])
  })

  test.each(['1', '0', 'abc', '', '999999'])(
    'the organization header %j changes nothing here, in reading and in changing',
    async (header) => {
      const headers = { 'x-service-organization': header }
      expect((await me({ as: user, headers })).body.organizations).toHaveLength(2)
      const changed = await app.call('PATCH', '/api/me', { as: user, headers, body: {} })
      expect(changed.body.organizations).toHaveLength(2)
    },
  )

  test('a token that is bound to an organization sees no other', async () => {
    const token = await buildToken(app.ctx, user.id, { organization_id: second.id })
    expect((await me({ as: { token } })).body.organizations).toEqual([
      { id: second.id, name: second.name, role: 'admin' },
    ])
  })

  test('a user without an organization gets an empty list', async () => {
    expect((await me({ as: await newUser() })).body).toMatchObject({ organizations: [] })
  })

  test('a new name is kept as it is, markup and all', async () => {
    const target = await newUser()
    const name = '<b>Ada</b> Bcc: eve@example.com'
    expect(await update({ name: '<b>Ada</b>\r\nBcc: eve@example.com' }, target)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/name', code: 'invalid_name' }] },
    })
    expect(await update({ name }, target)).toMatchObject({ status: 200, body: { name, id: target.id } })
    expect((await me({ as: target })).body.name).toBe(name)
    const event = await app.ctx.db
      .selectFrom('audit_events')
      .where('user_id', '=', target.id)
      .select(['action', 'fields'])
      .executeTakeFirst()
    expect(event).toEqual({ action: 'user.updated', fields: '["name"]' })
  })

  test.each([
    '{"is_platform_admin": true}',
    '{"role": "owner"}',
    '{"email": "eve@example.com"}',
    '{"password_hash": "x"}',
    '{"constructor": {"prototype": {"admin": true}}}',
  ])('%s is not to be changed here', async (body) => {
    expect(await update(body)).toMatchObject({ status: 422, body: { errors: [{ code: 'unknown_field' }] } })
    expect((await me({ as: user })).body).toMatchObject({ is_platform_admin: false, email: user.email })
  })

  test('a token without the scope admin changes nothing', async () => {
    const token = await buildToken(app.ctx, user.id, { scopes: 'read deploy vars:write ssh' })
    expect(await update({ name: 'Eve' }, { token })).toMatchObject({ body: { code: 'insufficient_scope' } })
    expect((await me({ as: user })).body.name).toBe(user.name)
  })

  test('a new password ends every other session and OAuth sign-in, and an open link', async () => {
    const target = await newUser()
    const [here, there] = [await sessionOf(target), await sessionOf(target)]
    const oauth = await buildOauthToken(app.ctx, target.id)
    await app.call('POST', '/api/password-resets', { body: { email: target.email } })
    await app.finished()
    const body = { password: { current: password, new: newPassword } }
    const changed = await app.call('PATCH', '/api/me', { headers: here, body })
    expect(changed.status).toBe(200)
    expect(changed.text).not.toContain(newPassword)
    expect([(await me({ headers: here })).status, (await me({ headers: there })).status]).toEqual([200, 401])
    expect((await me({ as: { token: oauth } })).status).toBe(401)
    expect((await me({ as: target })).status).toBe(200)
    expect((await signIn(target.email, password)).status).toBe(401)
    expect((await signIn(target.email, newPassword)).status).toBe(201)
    const token = /#token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1]
    const redeemed = await app.call('POST', '/api/password-resets/redemption', { body: { token, password } })
    expect(redeemed.status).toBe(410)
  })

  test('a wrong current password changes nothing, and counts as a guess', async () => {
    const target = await newUser()
    const wrong = { name: 'Eve', password: { current: 'wrong', new: newPassword } }
    for (let count = 0; count < 10; count++) {
      expect(await update(wrong, target)).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    }
    expect((await update({ password: { current: password, new: newPassword } }, target)).status).toBe(429)
    expect((await signIn(target.email, password)).status).toBe(429)
    expect((await me({ as: target })).body.name).toBe(target.name)
  })

  test('a weak new password is named by its place', async () => {
    const answer = await update({ password: { current: password, new: 'short' } })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/password/new', code: 'weak_password' }] },
    })
  })

  test('of two changes of the password at the same time one is made', async () => {
    const target = await newUser()
    const change = (text: string) => update({ password: { current: password, new: text } }, target)
    const answers = await Promise.all([change(newPassword), change(`${newPassword} again`)])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 401])
  })
})
