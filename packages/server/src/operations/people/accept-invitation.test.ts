// Accepting an invitation: with an account, as a new user, once, in time, and by the invited address alone.
import type { Role } from '@shipway/api/people'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildToken, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const DAY_MS = 86_400_000
const newcomer = { name: 'Nia', password: 'violet anchor under a bridge' }

describe.each(databases)('accepting an invitation on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let organizationId: number

  beforeAll(async () => {
    owner = await buildUser(app.ctx)
    organizationId = (await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])).id
  })
  // The windows of the limits for guessing and for mails to one address pass.
  beforeEach(() => app.moveClock(3_600_000))

  const invite = async (email: string, role = 'member', id = organizationId, as = owner) => {
    const answer = await app.call('POST', `/api/organizations/${id}/invitations`, { as, body: { email, role } })
    expect(answer.status).toBe(201)
    return /#token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1] ?? ''
  }
  const accept = (body: unknown, as?: { token: string }) =>
    app.call('POST', '/api/invitations/acceptance', { as, body })
  const roleOf = async (userId: number, id = organizationId) => {
    const rows = app.ctx.db.selectFrom('memberships').where('organization_id', '=', id)
    return (await rows.where('user_id', '=', userId).select('role').executeTakeFirst())?.role
  }
  const accountsOf = (email: string) =>
    app.ctx.db.selectFrom('users').where('email_key', '=', email).selectAll().execute()

  test('a new user gets an account, the role and a session', async () => {
    const token = await invite('nia@example.com', 'admin')
    const answer = await accept({ token, ...newcomer })
    expect(answer.status).toBe(201)
    const organization = { id: organizationId, name: expect.any(String), role: 'admin' }
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'Nia',
      email: 'nia@example.com',
      is_platform_admin: false,
      organizations: [organization],
      needs_two_factor: null,
      token: null,
    })
    const cookie = String(answer.headers['set-cookie'])
    expect(cookie).toMatch(/^__Host-shipway_session=shw_session_\w+; .*HttpOnly/)
    const headers = { cookie: cookie.split(';')[0] ?? '' }
    const read = await app.call('GET', `/api/organizations/${organizationId}`, { headers })
    expect(read).toMatchObject({ status: 200, body: { role: 'admin' } })
    const [account] = await accountsOf('nia@example.com')
    expect(account).toMatchObject({ is_platform_admin: 0 })
    expect(account?.password_hash).toMatch(/^\$argon2id\$/)
    const log = await app.call('GET', `/api/organizations/${organizationId}/audit?limit=1`, { as: owner })
    expect(log.body).toMatchObject([
      { action: 'member.joined', actor: { name: 'Nia' }, target: { kind: 'member', id: account?.id, name: 'Nia' } },
    ])
  })

  test.each([
    [{}, ['/name', '/password']],
    [{ name: 'Nia' }, ['/password']],
    [{ password: newcomer.password }, ['/name']],
    [{ name: 'Nia', password: 'short' }, ['/password']],
    [{ name: 'Nia', password: 'strict@example.com' }, ['/password']],
    [{ ...newcomer, is_platform_admin: true }, ['/is_platform_admin']],
    [{ ...newcomer, role: 'owner' }, ['/role']],
    [{ ...newcomer, email: 'other@example.com' }, ['/email']],
  ])('a new user who sends %j learns what is wrong, and the link stays valid', async (sent, pointers) => {
    const token = await invite('strict@example.com')
    const answer = await accept({ token, ...sent })
    expect(answer.status).toBe(422)
    expect(answer.body.errors.map(({ pointer }: { pointer: string }) => pointer)).toEqual(pointers)
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await accountsOf('strict@example.com')).toEqual([])
    const open = await app.call('GET', `/api/organizations/${organizationId}/invitations`, { as: owner })
    expect(open.text).toContain('strict@example.com')
  })

  test('a user with an account signs in first, then joins without another session', async () => {
    const user = await buildUser(app.ctx, { email: 'Known@example.com' })
    const token = await invite('known@example.com', 'viewer')
    const guest = await accept({ token, ...newcomer })
    expect(guest).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
    expect(guest.body.detail).toContain('Sign in')
    expect(await roleOf(user.id)).toBeUndefined()
    const answer = await accept({ token }, user)
    expect(answer).toMatchObject({
      status: 201,
      body: { id: user.id, organizations: [{ id: organizationId, role: 'viewer' }], token: { kind: 'personal' } },
    })
    expect(answer.headers['set-cookie']).toBeUndefined()
    expect(await roleOf(user.id)).toBe('viewer')
  })

  test.each(['plus+tag@example.com', 'pius@example.com', 'plus@example.co', 'plus@mail.example.com'])(
    'the link of plus@example.com is unknown to %s',
    async (email) => {
      const other = await buildUser(app.ctx, { email })
      const token = await invite('plus@example.com', 'owner')
      const foreign = await accept({ token }, other)
      const unknown = await accept({ token: 'shw_invite_unknown' }, other)
      expect(foreign).toMatchObject({ status: 404, body: { code: 'not_found' } })
      const { instance: _, request_id: __, ...said } = foreign.body
      expect(unknown.body).toMatchObject(said)
      expect(await roleOf(other.id)).toBeUndefined()
    },
  )

  test.each(['', 'x', 'shw_invite_', `shw_invite_${'0'.repeat(49)}`, 'shw_pat_x'])(
    'nothing is behind the token %j',
    async (token) => {
      expect([404, 422]).toContain((await accept({ token, ...newcomer })).status)
    },
  )

  test('a link works once, for a guest and for the account it made', async () => {
    const token = await invite('once@example.com')
    const first = await accept({ token, ...newcomer })
    expect(first.status).toBe(201)
    const user = { token: await buildToken(app.ctx, first.body.id) }
    for (const answer of [await accept({ token, ...newcomer }), await accept({ token }, user)]) {
      expect(answer).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    }
    await app.call('DELETE', `/api/organizations/${organizationId}/members/${first.body.id}`, { as: owner })
    expect((await accept({ token }, user)).status).toBe(410)
    expect(await roleOf(first.body.id)).toBeUndefined()
  })

  test('a link works for seven days', async () => {
    const user = await buildUser(app.ctx, { email: 'late@example.com' })
    const token = await invite('late@example.com')
    app.moveClock(7 * DAY_MS)
    expect(await accept({ token }, user)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    expect(await accept({ token, ...newcomer })).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    const again = await invite('late@example.com')
    app.moveClock(7 * DAY_MS - 1)
    expect((await accept({ token: again }, user)).status).toBe(201)
  })

  test('a user who has become a member meanwhile keeps the role', async () => {
    const user = await buildUser(app.ctx, { email: 'meanwhile@example.com' })
    const token = await invite('meanwhile@example.com', 'owner')
    const values = { organization_id: organizationId, user_id: user.id, role: 'viewer' as const }
    await app.ctx.db
      .insertInto('memberships')
      .values({ ...values, created_at: app.ctx.clock() })
      .execute()
    expect(await accept({ token }, user)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    expect(await roleOf(user.id)).toBe('viewer')
  })

  test('of newcomers with one link at once, one gets in', async () => {
    const token = await invite('race@example.com')
    const answers = await Promise.all([1, 2, 3].map(() => accept({ token, ...newcomer })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 410, 410])
    expect(await accountsOf('race@example.com')).toHaveLength(1)
  })

  test('of two calls of one account at once, one joins', async () => {
    const user = await buildUser(app.ctx, { email: 'double@example.com' })
    const token = await invite('double@example.com')
    const answers = await Promise.all([accept({ token }, user), accept({ token }, user)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 410])
  })

  test('of two organizations that a newcomer joins at once, the second asks to sign in', async () => {
    const other = (await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])).id
    const tokens = [await invite('both@example.com'), await invite('both@example.com', 'viewer', other)]
    const answers = await Promise.all(tokens.map((token) => accept({ token, ...newcomer })))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 401])
    const left = tokens[answers.findIndex(({ status }) => status === 401)] ?? ''
    const [account] = await accountsOf('both@example.com')
    const user = { token: await buildToken(app.ctx, account?.id ?? 0) }
    expect((await accept({ token: left }, user)).body.organizations).toHaveLength(2)
  })

  test('a token without the scope admin, or bound to an organization, joins nothing', async () => {
    const user = await buildUser(app.ctx, { email: 'narrow@example.com' })
    const { id } = await buildOrganization(app.ctx, [{ user, role: 'member' }])
    const token = await invite('narrow@example.com')
    const reading = { token: await buildToken(app.ctx, user.id, { scopes: 'read deploy' }) }
    expect(await accept({ token }, reading)).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    const bound = { token: await buildToken(app.ctx, user.id, { organization_id: id }) }
    expect(await accept({ token }, bound)).toMatchObject({
      status: 403,
      body: { code: 'organization_not_accessible' },
    })
    expect(await roleOf(user.id)).toBeUndefined()
  })

  const put = async (user: TestUser, role: Role) => {
    const values = { organization_id: organizationId, user_id: user.id, role, created_at: app.ctx.clock() }
    await app.ctx.db.insertInto('memberships').values(values).execute()
  }
  const memberPath = (user: TestUser) => `/api/organizations/${organizationId}/members/${user.id}`
  const losses: readonly [string, Role, (sender: TestUser) => Promise<unknown>][] = [
    ['taken out', 'viewer', (sender) => app.call('DELETE', memberPath(sender), { as: owner })],
    [
      'made a viewer',
      'viewer',
      (sender) => app.call('PATCH', memberPath(sender), { as: owner, body: { role: 'viewer' } }),
    ],
    [
      'made a member',
      'member',
      (sender) => app.call('PATCH', memberPath(sender), { as: owner, body: { role: 'member' } }),
    ],
    [
      'made an admin',
      'owner',
      (sender) => app.call('PATCH', memberPath(sender), { as: owner, body: { role: 'admin' } }),
    ],
  ]
  test.each(losses)('the invitation of an owner who was %s since, as %s, grants nothing', async (_how, role, lose) => {
    const sender = await buildUser(app.ctx)
    await put(sender, 'owner')
    const known = await buildUser(app.ctx)
    const stranger = `${known.id}@strangers.example`
    const tokens = [await invite(known.email, role, organizationId, sender)]
    tokens.push(await invite(stranger, role, organizationId, sender))
    await lose(sender)
    const refused = {
      status: 410,
      body: { code: 'link_expired', detail: expect.stringContaining('Ask for a new one') },
    }
    expect(await accept({ token: tokens[0] }, known)).toMatchObject(refused)
    expect(await accept({ token: tokens[1], ...newcomer })).toMatchObject(refused)
    expect(await roleOf(known.id)).toBeUndefined()
    expect(await accountsOf(stranger)).toEqual([])
    const { body } = await app.call('GET', `/api/organizations/${organizationId}/invitations?limit=2`, { as: owner })
    expect(body).toMatchObject([
      { email: stranger, is_void: true },
      { email: known.email, is_void: true },
    ])
    // A user who may still give the role sends another, and the person gets in.
    expect((await accept({ token: await invite(known.email, role) }, known)).status).toBe(201)
    expect(await roleOf(known.id)).toBe(role)
  })

  test('an invitation that is within the role left to its sender is still good', async () => {
    const sender = await buildUser(app.ctx)
    await put(sender, 'owner')
    const user = await buildUser(app.ctx)
    const token = await invite(user.email, 'admin', organizationId, sender)
    await app.call('PATCH', memberPath(sender), { as: owner, body: { role: 'admin' } })
    expect((await accept({ token }, user)).status).toBe(201)
  })

  test('of a sender who is taken out and an acceptance at once, no role is left without a giver', async () => {
    for (let round = 0; round < 5; round++) {
      const sender = await buildUser(app.ctx)
      await put(sender, 'admin')
      const user = await buildUser(app.ctx)
      const token = await invite(user.email, 'admin', organizationId, sender)
      const [accepted] = await Promise.all([
        accept({ token }, user),
        app.call('DELETE', memberPath(sender), { as: owner }),
      ])
      expect([201, 410]).toContain(accepted.status)
      expect(await roleOf(user.id)).toBe(accepted.status === 201 ? 'admin' : undefined)
    }
  })

  test('an account that is deleted in the same moment is a member of nothing afterwards', async () => {
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    for (let round = 0; round < 5; round++) {
      const user = await buildUser(app.ctx)
      const token = await invite(user.email)
      await Promise.all([accept({ token }, user), app.call('DELETE', `/api/users/${user.id}`, { as: admin })])
      expect(await roleOf(user.id)).toBeUndefined()
    }
  })

  test('the link of an organization that was deleted is unknown', async () => {
    const { id } = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const token = await invite('orphan@example.com', 'viewer', id)
    await app.call('DELETE', `/api/organizations/${id}`, { as: owner })
    expect((await accept({ token, ...newcomer })).status).toBe(404)
  })
})
