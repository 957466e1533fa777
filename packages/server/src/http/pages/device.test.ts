import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { answerInBrowser, poll, postForm, sameOrigin, startDevice } from '../../../test/device-flow.ts'
import { buildSession, buildUser, type TestUser } from '../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'

describe.each(databases)('the device page on $name', (source) => {
  let app: TestApp
  let user: TestUser
  let cookie: string

  beforeEach(async () => {
    app = await openTestApp(source)
    user = await buildUser(app.ctx, { name: '<img src=x onerror=alert(1)>' })
    cookie = (await buildSession(app.ctx, user.id)).cookie
  })
  afterEach(() => app.close())

  const open = (query: string) => app.call('GET', `/device${query}`, { headers: { cookie } })
  const formTokenOf = (text: string) => /name="form_token" value="([^"]+)"/.exec(text)?.[1] ?? ''

  test('a guest signs in first and comes back with the code', async () => {
    const answer = await app.call('GET', '/device?user_code=BCDF-GHJK')
    expect(answer).toMatchObject({
      status: 303,
      headers: { location: '/sign-in?next=%2Fdevice%3Fuser_code%3DBCDF-GHJK' },
    })
    const signIn = await app.call('GET', String(answer.headers.location))
    expect(signIn.text).toContain('data-next="/device?user_code=BCDF-GHJK"')
  })

  test('the question names the client, the address, the time and the scopes in plain words', async () => {
    const { body: device } = await startDevice(app, 'read vars:write')
    const page = await open(`?user_code=${device.user_code.toLowerCase().replace('-', '')}`)
    expect(page.status).toBe(200)
    for (const word of [
      'Shipway command line',
      '127.0.0.1',
      '2026-01-02 03:04:05 UTC',
      'change the variables',
      device.user_code,
    ]) {
      expect(page.text).toContain(word)
    }
    expect(page.text).not.toContain('administer')
    expect(page.text).not.toContain('<img')
  })

  test('a bearer token cannot approve, whatever its scopes', async () => {
    const { body: device } = await startDevice(app, 'admin')
    const headers = { ...sameOrigin, authorization: `Bearer ${user.token}` }
    const fields = { user_code: device.user_code, decision: 'approve', form_token: '' }
    expect(await postForm(app, '/device', fields, headers)).toMatchObject({ status: 303 })
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
  })

  test.each([
    ['another site', { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }],
    ['a neighbouring site', { origin: 'https://x.example.com', 'sec-fetch-site': 'same-site' }],
    ['a page that hides where it is', { origin: 'null' }],
    ['nobody says where', {}],
  ])('an approval that comes from %s is refused', async (_what, headers) => {
    const { body: device } = await startDevice(app)
    const form_token = formTokenOf((await open(`?user_code=${device.user_code}`)).text)
    const fields = { user_code: device.user_code, decision: 'approve', form_token }
    expect(await postForm(app, '/device', fields, { cookie, ...headers })).toMatchObject({ status: 403 })
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
  })

  test('an approval without the form token of this session is refused', async () => {
    const { body: device } = await startDevice(app)
    const other = await buildSession(app.ctx, (await buildUser(app.ctx)).id)
    const page = await app.call('GET', `/device?user_code=${device.user_code}`, { headers: other })
    for (const form_token of ['', 'x', formTokenOf(page.text)]) {
      const fields = { user_code: device.user_code, decision: 'approve', form_token }
      expect(await postForm(app, '/device', fields, { cookie, ...sameOrigin })).toMatchObject({ status: 400 })
    }
    expect((await poll(app, device)).body.error).toBe('authorization_pending')
  })

  test('a code is answered once', async () => {
    const { body: device } = await startDevice(app)
    const form_token = formTokenOf((await open(`?user_code=${device.user_code}`)).text)
    const answer = (decision: string) =>
      postForm(app, '/device', { user_code: device.user_code, decision, form_token }, { cookie, ...sameOrigin })
    const answers = await Promise.all([answer('approve'), answer('approve'), answer('approve')])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 404, 404])
    expect(await answer('deny')).toMatchObject({ status: 404 })
    expect(await poll(app, device)).toMatchObject({ status: 200 })
  })

  test('after five wrong codes even the right one has to wait', async () => {
    const { body: device } = await startDevice(app)
    for (const code of ['BCDF-GHJK', 'x', '', 'BCDFGHJKL', 'ZZZZ-ZZZZ']) {
      const page = await open(`?user_code=${code}`)
      expect(page).toMatchObject({ status: 404 })
      expect(page.text).toContain('role="alert"')
    }
    const waiting = await open(`?user_code=${device.user_code}`)
    expect(waiting).toMatchObject({ status: 429, headers: { 'retry-after': '600' } })
    // A colleague at the same address does not wait for somebody else's mistakes.
    const fresh = await buildSession(app.ctx, (await buildUser(app.ctx)).id)
    const seen = await app.call('GET', `/device?user_code=${device.user_code}`, { headers: fresh })
    expect(seen.status).toBe(200)
    app.moveClock(600_000)
    const { body: next } = await startDevice(app)
    expect(await open(`?user_code=${next.user_code}`)).toMatchObject({ status: 200 })
  })

  test('codes at once are counted before they are looked up, and those of one address together', async () => {
    const codes = Array.from({ length: 12 }, () => open('?user_code=ZZZZ-ZZZZ'))
    const statuses = (await Promise.all(codes)).map(({ status }) => status)
    expect(statuses.filter((status) => status === 404)).toHaveLength(5)
    for (let person = 0; person < 9; person++) {
      const other = await buildSession(app.ctx, (await buildUser(app.ctx)).id)
      for (let count = 0; count < 5; count++) {
        const page = await app.call('GET', '/device?user_code=ZZZZ-ZZZZ', { headers: other })
        expect(page.status).toBe(404)
      }
    }
    const last = await buildSession(app.ctx, (await buildUser(app.ctx)).id)
    expect((await app.call('GET', '/device?user_code=ZZZZ-ZZZZ', { headers: last })).status).toBe(429)
  })

  test('a neighbour\u2019s page that has codes looked up in passing uses up nobody\u2019s tries', async () => {
    const { body: device } = await startDevice(app)
    const passing = { cookie, 'sec-fetch-site': 'same-site', 'sec-fetch-dest': 'image' }
    for (let count = 0; count < 8; count++) {
      const page = await app.call('GET', '/device?user_code=ZZZZ-ZZZZ', { headers: passing })
      expect(page.status).toBe(303)
    }
    expect(await open(`?user_code=${device.user_code}`)).toMatchObject({ status: 200 })
  })

  test('the question says when the request comes from elsewhere than the person who is asked', async () => {
    const behind = await openTestApp(source, { trustedProxies: ['127.0.0.1'] })
    try {
      const headers = await buildSession(behind.ctx, (await buildUser(behind.ctx)).id)
      const ask = async (address: string) => {
        const fields = { client_id: 'shipway-cli' }
        const from = { 'x-forwarded-for': address }
        const { body } = await postForm(behind, '/oauth/device_authorization', fields, from)
        const at = { ...headers, 'x-forwarded-for': '2001:db8:1:1::1' }
        return (await behind.call('GET', `/device?user_code=${body.user_code}`, { headers: at })).text
      }
      expect(await ask('203.0.113.9')).toContain('started at another address')
      expect(await ask('2001:db8:1:1::2')).not.toContain('another address')
    } finally {
      await behind.close()
    }
  })

  test('an ended session approves nothing', async () => {
    const { body: device } = await startDevice(app)
    await app.ctx.db.deleteFrom('sessions').execute()
    const answer = await answerInBrowser(app, cookie, { user_code: device.user_code, decision: 'approve' })
    expect(answer).toMatchObject({ status: 303 })
  })
})
