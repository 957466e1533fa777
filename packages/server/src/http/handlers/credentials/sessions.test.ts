// The sign-ins of a user: what is shown of them, to whom, and that ending one takes effect at once.
import { LIVE_CLOSE } from '@shipway/api/live'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { poll, refresh, sameOrigin, signInOnDevice, startDevice } from '../../../../test/device-flow.ts'
import {
  buildOauthToken,
  buildOrganization,
  buildSession,
  buildToken,
  buildUser,
  type TestUser,
} from '../../../../test/factories.ts'
import { openLiveReader } from '../../../../test/live-reader.ts'
import { stageApp } from '../../../../test/stage/stage-app.ts'

const DAY_MS = 86_400_000

describe.each(databases)('sessions on $name', (source) => {
  const app = stageApp(source)
  let user: TestUser
  let own: string

  beforeAll(async () => {
    own = await app.app.listen({ host: '127.0.0.1', port: 0 })
  })
  beforeEach(async () => {
    user = await buildUser(app.ctx)
  })

  const listed = async (headers: Record<string, string>): Promise<Record<string, unknown>[]> =>
    (await app.call('GET', '/api/sessions', { headers })).body
  const end = (id: unknown, headers: Record<string, string>) =>
    app.call('DELETE', `/api/sessions/${id}`, { headers: { ...sameOrigin, ...headers } })
  const meStatus = async (headers: Record<string, string>) => (await app.call('GET', '/api/me', { headers })).status
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

  test('sessions and sign-ins of the command line are listed, last used first, without their secrets', async () => {
    const at = app.ctx.clock()
    const here = await buildSession(app.ctx, user.id, { address: '203.0.113.9', user_agent: 'Firefox' })
    await buildSession(app.ctx, user.id, { last_seen_at: at - 2 * DAY_MS, expires_at: at + 20 * DAY_MS })
    app.moveClock(1000)
    const tokens = await signInOnDevice(app, user)
    await buildSession(app.ctx, (await buildUser(app.ctx)).id)
    const answer = await app.call('GET', '/api/sessions', { headers: here })
    const iso = (time: number) => new Date(time).toISOString()
    const none = { user_agent: null, is_current: false }
    // Approving the command line was a session of its own.
    expect(answer.body).toMatchObject([
      { kind: 'session', last_used_at: iso(at + 1000), ...none },
      { kind: 'oauth', address: '127.0.0.1', last_used_at: iso(at + 1000), ...none },
      { kind: 'session', address: '203.0.113.9', user_agent: 'Firefox', last_used_at: iso(at), is_current: true },
      // It was not used for long, so it ends before its time.
      { kind: 'session', address: null, expires_at: iso(at + 12 * DAY_MS), ...none },
    ])
    expect(Object.keys(answer.body[1]).sort()).toEqual(
      ['address', 'created_at', 'expires_at', 'id', 'is_current', 'kind', 'last_used_at', 'user_agent'].sort(),
    )
    const stored = await app.ctx.db.selectFrom('oauth_records').where('user_id', '=', user.id).selectAll().execute()
    const digests = await app.ctx.db.selectFrom('sessions').select('token_digest').execute()
    const secrets = [
      ...stored.flatMap(({ id_digest, grant_digest }) => [id_digest, grant_digest ?? id_digest]),
      ...digests.map(({ token_digest }) => token_digest),
      ...[tokens.access_token, tokens.refresh_token],
    ]
    for (const secret of secrets) expect(answer.text).not.toContain(secret.slice(0, 16))
  })

  test('ended sessions are not listed', async () => {
    const at = app.ctx.clock()
    const here = await buildSession(app.ctx, user.id)
    await buildSession(app.ctx, user.id, { expires_at: at })
    await buildSession(app.ctx, user.id, { last_seen_at: at - 15 * DAY_MS, expires_at: at + 15 * DAY_MS })
    await buildOauthToken(app.ctx, user.id, { expiresAt: at })
    expect(await listed(here)).toHaveLength(1)
  })

  test('the command line finds itself, and its last use is when it last renewed its token', async () => {
    const tokens = await signInOnDevice(app, user, 'admin')
    app.moveClock(1_800_000)
    const { body: renewed } = await refresh(app, tokens)
    const [mine] = await listed(bearer(renewed.access_token))
    expect(mine).toMatchObject({ kind: 'oauth', is_current: true })
    expect(mine?.last_used_at).toBe(new Date(app.ctx.clock()).toISOString())
    // A month unused, from the last renewal on.
    expect(Date.parse(String(mine?.expires_at)) - app.ctx.clock()).toBe(30 * DAY_MS)
  })

  test('an approval that the device has not fetched yet can be ended', async () => {
    const here = await buildSession(app.ctx, user.id)
    const { body: device } = await startDevice(app)
    const headers = { ...here, ...sameOrigin }
    const body = { decision: 'approve' }
    await app.call('POST', `/api/device-requests/${device.user_code}/answer`, { body, headers })
    const waiting = (await listed(here)).find(({ kind }) => kind === 'oauth')
    expect(waiting).toMatchObject({ last_used_at: null })
    expect((await end(waiting?.id, here)).status).toBe(204)
    expect(await poll(app, device)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test('an end takes effect at once, on live connections too, and elsewhere nothing ends', async () => {
    const organization = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    const here = await buildSession(app.ctx, user.id)
    const there = await buildSession(app.ctx, user.id)
    const tokens = await signInOnDevice(app, user)
    const kept = await openLiveReader(app.app, { headers: { ...here, origin: own } })
    const browser = await openLiveReader(app.app, { headers: { ...there, origin: own } })
    const program = await openLiveReader(app.app, { token: tokens.access_token })
    for (const reader of [kept, browser, program]) await reader.subscribe(`organization:${organization.id}`)
    const idOf = async (headers: Record<string, string>) => {
      const mine = await listed(headers)
      return mine.find(({ is_current }) => is_current)?.id
    }
    expect((await end(await idOf(there), here)).status).toBe(204)
    expect(await browser.closed).toBe(LIVE_CLOSE.signInRequired)
    expect(await meStatus(there)).toBe(401)
    const grant = (await listed(here)).find(({ kind }) => kind === 'oauth')
    expect((await end(grant?.id, here)).status).toBe(204)
    expect(await program.closed).toBe(LIVE_CLOSE.signInRequired)
    expect(await meStatus(bearer(tokens.access_token))).toBe(401)
    expect((await refresh(app, tokens)).status).toBe(400)
    expect(await meStatus(here)).toBe(200)
    expect(await meStatus(bearer(user.token))).toBe(200)
    expect(kept.socket.readyState).toBe(kept.socket.OPEN)
    kept.socket.close()
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('user_id', '=', user.id)
      .orderBy('id', 'desc')
      .limit(2)
      .select(['action', 'target_kind'])
      .execute()
    expect(events).toEqual([
      { action: 'oauth.revoked', target_kind: 'oauth_grant' },
      { action: 'session.ended', target_kind: 'session' },
    ])
  })

  test('the one that the call came with may be ended, and the browser forgets its cookie', async () => {
    const here = await buildSession(app.ctx, user.id)
    const [mine] = await listed(here)
    const ended = await end(mine?.id, here)
    expect(ended).toMatchObject({ status: 204 })
    expect(String(ended.headers['set-cookie'])).toMatch(/^__Host-shipway_session=; Max-Age=0/)
    expect(await meStatus(here)).toBe(401)
  })

  test('of two calls that end the same one, the second gets a 404', async () => {
    const here = await buildSession(app.ctx, user.id)
    await buildSession(app.ctx, user.id)
    await signInOnDevice(app, user)
    for (const { id } of (await listed(here)).filter(({ is_current }) => !is_current)) {
      const ends = await Promise.all([end(id, here), end(id, here)])
      expect(ends.map(({ status }) => status).sort()).toEqual([204, 404])
    }
  })

  test('a user cannot end the sign-in of another user, nor learn whether it exists', async () => {
    const here = await buildSession(app.ctx, user.id)
    const other = await buildUser(app.ctx)
    const theirs = await buildSession(app.ctx, other.id)
    await signInOnDevice(app, other)
    const headers = { ...here, 'x-request-id': 'the-same-id' }
    const absent = await end('session-987654321', headers)
    expect(absent).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const { id } of await listed(theirs)) expect(await end(id, headers)).toMatchObject({ text: absent.text })
    for (const id of [
      '0',
      '-1',
      'session-0',
      'session-1e3',
      `session-${'9'.repeat(30)}`,
      'oauth-',
      '%25',
      "x'or'1'='1",
    ]) {
      expect((await end(id, headers)).status, id).toBe(404)
    }
    expect(await listed(theirs)).toHaveLength(3)
  })

  test('a token needs the scope admin and must not be bound to an organization', async () => {
    const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const here = await buildSession(app.ctx, user.id)
    const [mine] = await listed(here)
    const weak = bearer(await buildToken(app.ctx, user.id, { scopes: 'read deploy vars:write ssh' }))
    const bound = bearer(await buildToken(app.ctx, user.id, { organization_id: organization.id }))
    for (const [headers, code] of [
      [weak, 'insufficient_scope'],
      [bound, 'organization_not_accessible'],
    ] as const) {
      expect(await app.call('GET', '/api/sessions', { headers })).toMatchObject({ status: 403, body: { code } })
      expect(await end(mine?.id, headers)).toMatchObject({ status: 403, body: { code } })
    }
    expect(await end(mine?.id, { ...here, origin: 'https://evil.example' })).toMatchObject({ status: 403 })
    expect(await meStatus(here)).toBe(200)
    expect((await end(mine?.id, bearer(user.token))).status).toBe(204)
  })

  test('a platform administrator lists and ends the sessions of any user, and no other user can', async () => {
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const organization = await buildOrganization(app.ctx, [
      { user, role: 'member' },
      { user: admin, role: 'owner' },
    ])
    const owner = await buildUser(app.ctx)
    const [first, second] = [await buildSession(app.ctx, user.id), await buildSession(app.ctx, user.id)]
    const tokens = await signInOnDevice(app, user)
    const path = `/api/users/${user.id}/sessions`
    const bound = { token: await buildToken(app.ctx, admin.id, { organization_id: organization.id }) }
    const reading = { token: await buildToken(app.ctx, admin.id, { scopes: 'read' }) }
    for (const as of [owner, user, bound, reading]) {
      expect((await app.call('GET', path, { as })).status).toBe(403)
      expect((await app.call('DELETE', path, { as })).status).toBe(403)
      expect((await app.call('DELETE', `${path}/session-1`, { as })).status).toBe(403)
    }
    const shown = await app.call('GET', path, { as: admin })
    expect(shown.body.map(({ kind, is_current }: Record<string, unknown>) => [kind, is_current]).sort()).toEqual([
      ['oauth', false],
      ...Array.from({ length: 3 }, () => ['session', false]),
    ])
    expect(shown.text).not.toContain(tokens.access_token)
    const reader = await openLiveReader(app.app, { headers: { cookie: first.cookie, origin: own } })
    const own1 = (await listed(first)).find(({ is_current }) => is_current)
    expect((await app.call('DELETE', `${path}/${own1?.id}`, { as: admin })).status).toBe(204)
    expect(await reader.closed).toBe(LIVE_CLOSE.signInRequired)
    expect([await meStatus(first), await meStatus(second)]).toEqual([401, 200])
    expect((await app.call('DELETE', `${path}/${own1?.id}`, { as: admin })).status).toBe(404)
    // The name of another user's session ends nothing.
    const others = (await listed(await buildSession(app.ctx, owner.id)))[0]
    expect((await app.call('DELETE', `${path}/${others?.id}`, { as: admin })).status).toBe(404)
    expect((await app.call('DELETE', path, { as: admin })).status).toBe(204)
    expect([
      await meStatus(second),
      await meStatus(bearer(tokens.access_token)),
      await meStatus(bearer(user.token)),
    ]).toEqual([401, 401, 200])
    expect((await app.call('GET', '/api/users/987654321/sessions', { as: admin })).status).toBe(404)
    const another = await buildToken(app.ctx, user.id)
    const tokensOf = (id: number) => `/api/users/${id}/tokens`
    for (const as of [owner, user, bound, reading])
      expect((await app.call('DELETE', tokensOf(user.id), { as })).status).toBe(403)
    expect((await app.call('DELETE', tokensOf(987654321), { as: admin })).status).toBe(404)
    expect(await app.call('DELETE', tokensOf(user.id), { as: admin })).toMatchObject({
      status: 200,
      body: { revoked: 2 },
    })
    expect([await meStatus(bearer(user.token)), await meStatus(bearer(another))]).toEqual([401, 401])
    expect((await app.call('GET', path, { as: admin })).status).toBe(200)
    expect(await app.call('DELETE', tokensOf(user.id), { as: admin })).toMatchObject({ body: { revoked: 0 } })
    const actions = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', user.id)
      .where('user_id', '=', admin.id)
      .select('action')
      .execute()
    expect(actions.map(({ action }) => action)).toEqual([
      ...['user.session_ended', 'user.signed_out'],
      ...['user.tokens_revoked', 'user.tokens_revoked'],
    ])
  })
})
