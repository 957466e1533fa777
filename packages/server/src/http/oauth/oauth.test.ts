import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  answerInBrowser,
  poll,
  postForm,
  refresh,
  signInOnDevice,
  startDevice,
  type Tokens,
} from '../../../test/device-flow.ts'
import { buildOrganization, buildServer, buildSession, buildUser, type TestUser } from '../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { buildApp } from '../app.ts'

const SECOND = 1000
const DAY = 86_400 * SECOND

describe.each(databases)('signing in from a device on $name', (source) => {
  let app: TestApp
  let user: TestUser
  let cookie: string

  beforeEach(async () => {
    app = await openTestApp(source)
    user = await buildUser(app.ctx)
    await buildServer(app.ctx, (await buildOrganization(app.ctx, [{ user, role: 'owner' }])).id)
    cookie = (await buildSession(app.ctx, user.id)).cookie
  })
  afterEach(() => app.close())

  const listServers = (tokens: Tokens) => app.call('GET', '/api/servers', { as: { token: tokens.access_token } })
  const actions = async () => {
    const events = await app.ctx.db.selectFrom('audit_events').orderBy('id').selectAll().execute()
    return events.filter(({ action }) => action.startsWith('oauth.'))
  }

  test('a device waits, is approved in the browser, and acts with the scopes that it asked for', async () => {
    const started = await startDevice(app, 'read offline_access openid')
    expect(started).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store', 'x-service-version': expect.any(String) },
      body: {
        user_code: expect.stringMatching(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/),
        verification_uri: 'https://ship.example.com/device',
        verification_uri_complete: `https://ship.example.com/device?user_code=${started.body.user_code}`,
        expires_in: 600,
        interval: 5,
      },
    })
    expect(await poll(app, started.body)).toMatchObject({ status: 400, body: { error: 'authorization_pending' } })
    const approved = await answerInBrowser(app, cookie, { user_code: started.body.user_code, decision: 'approve' })
    expect(approved.status).toBe(204)
    const answer = await poll(app, started.body)
    expect(answer).toMatchObject({
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        access_token: expect.stringMatching(/^shw_at_[0-9A-Za-z]{49}$/),
        refresh_token: expect.stringMatching(/^shw_rt_[0-9A-Za-z]{49}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        scope: 'read',
      },
    })
    expect(answer.body).not.toHaveProperty('id_token')
    expect(await listServers(answer.body)).toMatchObject({ status: 200, body: [expect.anything()] })
    const refused = await app.call('POST', '/api/servers', {
      as: { token: answer.body.access_token },
      body: { name: 'New', hostname: 'new.example.com' },
    })
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    expect(await actions()).toMatchObject([{ action: 'oauth.approved', user_id: user.id, fields: '["read"]' }])
  })

  test('a device that asks too often is asked to slow down, until it has its answer', async () => {
    const { body: device } = await startDevice(app)
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
    app.moveClock(10)
    expect((await poll(app, device)).body.error).toBe('slow_down')
    app.moveClock(4 * SECOND)
    expect((await poll(app, device)).body.error).toBe('slow_down')
    app.moveClock(5 * SECOND)
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
    await answerInBrowser(app, cookie, { user_code: device.user_code, decision: 'approve' })
    expect(await poll(app, device)).toMatchObject({ status: 200, body: { scope: 'read' } })
  })

  test('a refused device gets nothing', async () => {
    const { body: device } = await startDevice(app, 'admin')
    const answer = await answerInBrowser(app, cookie, { user_code: device.user_code, decision: 'deny' })
    expect(answer.status).toBe(204)
    expect(await poll(app, device)).toMatchObject({ status: 400, body: { error: 'access_denied' } })
    expect(await poll(app, device)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await actions()).toMatchObject([{ action: 'oauth.denied', user_id: user.id }])
  })

  test('a code without an answer expires, for the device and for the browser', async () => {
    const { body: device } = await startDevice(app)
    app.moveClock(600 * SECOND)
    expect(await poll(app, device)).toMatchObject({ status: 400, body: { error: 'expired_token' } })
    const asked = await app.call('GET', `/api/device-requests/${device.user_code}`, { headers: { cookie } })
    expect(asked.status).toBe(404)
  })

  test('a device code that was used ends the sign-in when it comes back', async () => {
    const { body: device } = await startDevice(app)
    await answerInBrowser(app, cookie, { user_code: device.user_code, decision: 'approve' })
    const { body: tokens } = await poll(app, device)
    expect(await poll(app, device)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await listServers(tokens)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(await actions()).toMatchObject([{ action: 'oauth.approved' }, { action: 'oauth.reuse_detected' }])
  })

  test('a refresh token is good for one new pair, and the old access token lives on', async () => {
    const first = await signInOnDevice(app, user, 'read deploy')
    app.moveClock(3600 * SECOND)
    expect(await listServers(first)).toMatchObject({ status: 401, body: { code: 'token_expired' } })
    const second = await refresh(app, first)
    expect(second).toMatchObject({ status: 200, body: { scope: 'read deploy', expires_in: 3600 } })
    expect(second.body.refresh_token).not.toBe(first.refresh_token)
    const third = await refresh(app, second.body, 'read')
    expect(third).toMatchObject({ status: 200, body: { scope: 'read' } })
    expect(await refresh(app, third.body, 'admin')).toMatchObject({ status: 400, body: { error: 'invalid_scope' } })
    expect(await listServers(second.body)).toMatchObject({ status: 200 })
    expect(await listServers(third.body)).toMatchObject({ status: 200 })
  })

  test('a refresh token that was used already ends the whole sign-in', async () => {
    const first = await signInOnDevice(app, user)
    const other = await signInOnDevice(app, user)
    const { body: second } = await refresh(app, first)
    expect(await refresh(app, first)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await listServers(first)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(await listServers(second)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(await refresh(app, second)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await listServers(other)).toMatchObject({ status: 200 })
    const events = await actions()
    expect(events.filter(({ action }) => action === 'oauth.reuse_detected')).toMatchObject([{ user_id: user.id }])
  })

  test('of five refreshes at once exactly one is answered, and the reuse ends the sign-in', async () => {
    const tokens = await signInOnDevice(app, user)
    const answers = await Promise.all(Array.from({ length: 5 }, () => refresh(app, tokens)))
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
    for (const { body } of answers.filter(({ status }) => status === 400)) expect(body.error).toBe('invalid_grant')
    const winner = answers.find(({ status }) => status === 200)
    expect(await listServers(winner?.body)).toMatchObject({ status: 401 })
    expect((await actions()).map(({ action }) => action)).toEqual(['oauth.approved', 'oauth.reuse_detected'])
    const { body: device } = await startDevice(app)
    await answerInBrowser(app, cookie, { user_code: device.user_code, decision: 'approve' })
    const polls = await Promise.all(Array.from({ length: 5 }, () => poll(app, device)))
    expect(polls.map(({ status }) => status).sort()).toEqual([200, 400, 400, 400, 400])
  })

  test('two processes cannot both renew one token, and what either handed out is void', async () => {
    const tokens = await signInOnDevice(app, user)
    const second = await buildApp(app.ctx)
    const renew = (instance: typeof second, token: string) =>
      instance.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: { host: 'ship.example.com', 'content-type': 'application/x-www-form-urlencoded' },
        payload: `client_id=shipway-cli&grant_type=refresh_token&refresh_token=${token}`,
      })
    // The first request of a process is slow; both are to be in step.
    await renew(second, 'unknown')
    const both = [app.app, second, app.app, second, app.app, second]
    const answers = await Promise.all(both.map((instance) => renew(instance, tokens.refresh_token)))
    await second.close()
    expect(answers.filter(({ statusCode }) => statusCode === 200).length).toBeLessThanOrEqual(1)
    expect(answers.filter(({ statusCode }) => statusCode === 400).length).toBeGreaterThanOrEqual(5)
    expect(await app.ctx.db.selectFrom('oauth_records').selectAll().execute()).toEqual([])
    expect((await actions()).map(({ action }) => action)).toEqual(['oauth.approved', 'oauth.reuse_detected'])
  })

  test('a sign-in ends after thirty days without use, and after ninety in any case', async () => {
    const idle = await signInOnDevice(app, user)
    let tokens = await signInOnDevice(app, user)
    for (let days = 0; days < 80; days += 20) {
      app.moveClock(20 * DAY)
      tokens = (await refresh(app, tokens)).body
    }
    expect(await refresh(app, idle)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect(await listServers(tokens)).toMatchObject({ status: 200 })
    app.moveClock(10 * DAY)
    expect(await refresh(app, tokens)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
  })

  test.each(['access_token', 'refresh_token'] as const)('revoking the %s ends the sign-in', async (kind) => {
    const tokens = await signInOnDevice(app, user)
    const revoke = (token: string) => postForm(app, '/oauth/revocation', { client_id: 'shipway-cli', token })
    expect(await revoke('shw_at_unknown')).toMatchObject({ status: 200 })
    expect(await listServers(tokens)).toMatchObject({ status: 200 })
    expect(await revoke(tokens[kind])).toMatchObject({ status: 200, text: '' })
    expect(await listServers(tokens)).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    expect(await refresh(app, tokens)).toMatchObject({ status: 400, body: { error: 'invalid_grant' } })
    expect((await actions()).at(-1)).toMatchObject({ action: 'oauth.revoked', user_id: user.id })
    expect(await app.ctx.db.selectFrom('oauth_records').selectAll().execute()).toEqual([])
  })

  test('no token and no code stands in the database or in the log', async () => {
    const { body: waiting } = await startDevice(app)
    const first = await signInOnDevice(app, user)
    const { body: second } = await refresh(app, first)
    const secrets = [first, second].flatMap((tokens) => [tokens.access_token, tokens.refresh_token])
    const codes = [waiting.device_code, waiting.user_code, waiting.user_code.replace('-', '')]
    const dump = JSON.stringify([
      await app.ctx.db.selectFrom('oauth_records').selectAll().execute(),
      await app.ctx.db.selectFrom('audit_events').selectAll().execute(),
      app.logLines,
    ])
    expect(dump).toContain('DeviceCode')
    for (const secret of [...secrets, ...codes]) expect(dump).not.toContain(secret)
  })

  test('what has expired is swept away', async () => {
    await startDevice(app)
    app.moveClock(2 * 3600 * SECOND)
    await startDevice(app)
    const rows = await app.ctx.db.selectFrom('oauth_records').select('created_at').execute()
    expect(rows).toEqual([{ created_at: app.ctx.clock() }])
  })
})
