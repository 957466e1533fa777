// Letting a device sign in, over the API: who may, from where, how many wrong codes a user may enter, and what is shown beforehand.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { poll, postForm, sameOrigin, startDevice } from '../../../../test/device-flow.ts'
import { buildOauthToken, buildSession, buildToken, buildUser, type TestUser } from '../../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'

describe.each(databases)('device requests on $name', (source) => {
  let app: TestApp
  let user: TestUser
  let cookie: string

  beforeEach(async () => {
    app = await openTestApp(source)
    user = await buildUser(app.ctx)
    cookie = (await buildSession(app.ctx, user.id)).cookie
  })
  afterEach(() => app.close())

  const inspect = (code: string, headers: Record<string, string> = { cookie }) =>
    app.call('GET', `/api/device-requests/${encodeURIComponent(code)}`, { headers })
  const answer = (code: string, decision: string, headers: Record<string, string> = { cookie, ...sameOrigin }) =>
    app.call('POST', `/api/device-requests/${encodeURIComponent(code)}/answer`, { body: { decision }, headers })
  const newSession = async () => buildSession(app.ctx, (await buildUser(app.ctx)).id)

  test('the client, the address, the time and the scopes are shown, and nothing of the device code', async () => {
    const { body: device } = await startDevice(app, 'read vars:write unknown')
    const shown = await inspect(device.user_code)
    expect(shown).toMatchObject({ status: 200, headers: { 'cache-control': 'no-store' } })
    expect(shown.body).toEqual({
      user_code: device.user_code,
      client_name: 'Shipway command line',
      address: '127.0.0.1',
      created_at: '2026-01-02T03:04:05.678Z',
      scopes: ['read', 'vars:write'],
      is_elsewhere: false,
    })
    expect(shown.text).not.toContain(device.device_code)
  })

  test.each([
    ['as it is shown', (code: string) => code],
    ['in small letters', (code: string) => code.toLowerCase()],
    ['without the hyphen', (code: string) => code.replace('-', '')],
    ['with spaces', (code: string) => ` ${code.replace('-', ' ')} `],
  ])('a code is read %s', async (_how, typed) => {
    const { body: device } = await startDevice(app)
    expect((await inspect(typed(device.user_code))).body.user_code).toBe(device.user_code)
    expect(await answer(typed(device.user_code), 'approve')).toMatchObject({ status: 204, text: '' })
    expect(await poll(app, device)).toMatchObject({ status: 200 })
  })

  test('a refusal is shown to the device and ends the code', async () => {
    const { body: device } = await startDevice(app)
    expect((await answer(device.user_code, 'deny')).status).toBe(204)
    expect((await poll(app, device)).body.error).toBe('access_denied')
    expect((await inspect(device.user_code)).status).toBe(404)
  })

  test('no token looks at a request or answers one, whatever its scopes, and none of its tries is counted', async () => {
    const { body: device } = await startDevice(app, 'admin')
    const tokens = [
      user.token,
      await buildToken(app.ctx, user.id, { scopes: 'admin' }),
      await buildOauthToken(app.ctx, user.id),
    ]
    for (const token of [...tokens, ...tokens]) {
      // A cookie beside it counts for nothing.
      const headers = { cookie, ...sameOrigin, authorization: `Bearer ${token}` }
      for (const refused of [
        await inspect(device.user_code, headers),
        await inspect('ZZZZ-ZZZZ', headers),
        await answer(device.user_code, 'approve', headers),
      ]) {
        expect(refused).toMatchObject({ status: 403, body: { code: 'session_required' } })
      }
    }
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
    expect((await inspect(device.user_code)).status).toBe(200)
  })

  test('a guest is asked to sign in', async () => {
    const { body: device } = await startDevice(app)
    expect(await inspect(device.user_code, {})).toMatchObject({
      status: 401,
      body: { code: 'authentication_required' },
    })
    expect(await answer(device.user_code, 'approve', sameOrigin)).toMatchObject({ status: 401 })
  })

  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring site', { origin: 'https://x.example.com', 'sec-fetch-site': 'same-site' }],
    ['a page that hides where it is', { origin: 'null' }],
    ['without a known network', {}],
  ])('an approval that comes from %s is refused', async (_what, headers) => {
    const { body: device } = await startDevice(app)
    expect(await answer(device.user_code, 'approve', { cookie, ...headers })).toMatchObject({
      status: 403,
      body: { code: 'cross_origin_refused' },
    })
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
  })

  test('an approval that a form of any page could send is refused', async () => {
    const { body: device } = await startDevice(app)
    const url = `/api/device-requests/${device.user_code}/answer`
    expect(await postForm(app, url, { decision: 'approve' }, { cookie, ...sameOrigin })).toMatchObject({ status: 415 })
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
  })

  test('a code is answered once', async () => {
    const { body: device } = await startDevice(app)
    const answers = await Promise.all(['approve', 'approve', 'approve'].map((how) => answer(device.user_code, how)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404])
    expect(await answer(device.user_code, 'deny')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    expect(await poll(app, device)).toMatchObject({ status: 200 })
  })

  test('a code that has expired is not known', async () => {
    const { body: device } = await startDevice(app)
    app.moveClock(600_000)
    expect((await inspect(device.user_code)).status).toBe(404)
    expect((await answer(device.user_code, 'approve')).status).toBe(404)
  })

  test('an unknown decision and a field too many are refused, and the code stays', async () => {
    const { body: device } = await startDevice(app)
    expect((await answer(device.user_code, 'maybe')).status).toBe(422)
    const url = `/api/device-requests/${device.user_code}/answer`
    const body = { decision: 'approve', scopes: ['admin'] }
    expect(await app.call('POST', url, { body, headers: { cookie, ...sameOrigin } })).toMatchObject({ status: 422 })
    expect((await inspect(device.user_code)).status).toBe(200)
  })

  test('after five wrong codes even the right one has to wait, to be looked at and to be answered', async () => {
    const { body: device } = await startDevice(app)
    for (const code of ['BCDF-GHJK', 'x', 'BCDFGHJKL', '%00']) expect((await inspect(code)).status).toBe(404)
    expect((await answer('ZZZZ-ZZZZ', 'approve')).status).toBe(404)
    for (const waiting of [await inspect(device.user_code), await answer(device.user_code, 'approve')]) {
      expect(waiting).toMatchObject({
        status: 429,
        headers: { 'retry-after': '600' },
        body: { code: 'rate_limited', detail: 'Too many wrong codes. Try again in 10 minutes' },
      })
    }
    // A colleague at the same address does not wait for another user's mistakes.
    expect((await inspect(device.user_code, await newSession())).status).toBe(200)
    app.moveClock(600_000)
    const { body: next } = await startDevice(app)
    expect((await inspect(next.user_code)).status).toBe(200)
  })

  test('right codes are never counted, and a code that others may not see gives away no more than a wrong one', async () => {
    const { body: device } = await startDevice(app)
    for (let count = 0; count < 8; count++) expect((await inspect(device.user_code)).status).toBe(200)
    const id = { 'x-request-id': 'the-same-id' }
    const wrong = await inspect('ZZZZ-ZZZZ', { cookie, ...id })
    await answer(device.user_code, 'approve')
    expect((await inspect(device.user_code, { cookie, ...id })).text).toBe(wrong.text)
  })

  test('codes at once are counted before they are looked up, and those of one address together', async () => {
    const statuses = (await Promise.all(Array.from({ length: 12 }, () => inspect('ZZZZ-ZZZZ')))).map(
      ({ status }) => status,
    )
    expect(statuses.filter((status) => status === 404)).toHaveLength(5)
    for (let person = 0; person < 9; person++) {
      const other = await newSession()
      for (let count = 0; count < 5; count++) expect((await inspect('ZZZZ-ZZZZ', other)).status).toBe(404)
    }
    expect((await inspect('ZZZZ-ZZZZ', await newSession())).status).toBe(429)
  })

  test('a neighbour\u2019s page that has codes looked up in passing uses up no user\u2019s tries', async () => {
    const { body: device } = await startDevice(app)
    const passing = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }
    for (let count = 0; count < 8; count++) expect((await inspect('ZZZZ-ZZZZ', passing)).status).toBe(401)
    expect((await inspect(device.user_code)).status).toBe(200)
  })

  test('it is shown when the sign-in was started elsewhere than the person who is asked', async () => {
    const behind = await openTestApp(source, { trustedProxies: ['127.0.0.1'] })
    try {
      const headers = await buildSession(behind.ctx, (await buildUser(behind.ctx)).id)
      const ask = async (address: string) => {
        const from = { 'x-forwarded-for': address }
        const { body } = await postForm(behind, '/oauth/device_authorization', { client_id: 'shipway-cli' }, from)
        const at = { ...headers, 'x-forwarded-for': '2001:db8:1:1::1' }
        return (await behind.call('GET', `/api/device-requests/${body.user_code}`, { headers: at })).body.is_elsewhere
      }
      expect(await ask('203.0.113.9')).toBe(true)
      expect(await ask('2001:db8:1:1::2')).toBe(false)
    } finally {
      await behind.close()
    }
  })

  test('an ended session approves nothing', async () => {
    const { body: device } = await startDevice(app)
    await app.ctx.db.deleteFrom('sessions').execute()
    expect((await answer(device.user_code, 'approve')).status).toBe(401)
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
  })

  test('an approval stands in the audit log with who gave it', async () => {
    const { body: device } = await startDevice(app, 'read deploy')
    await answer(device.user_code, 'approve')
    const event = await app.ctx.db
      .selectFrom('audit_events')
      .select(['action', 'user_id', 'fields'])
      .orderBy('id', 'desc')
      .executeTakeFirst()
    expect(event).toEqual({ action: 'oauth.approved', user_id: user.id, fields: '["read","deploy"]' })
  })
})
