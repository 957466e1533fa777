// A forgotten password over HTTP: the mail, its link, and what the link does once.
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOauthToken, buildUser, type TestUser } from '../../../test/factories.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { deviceCookieOf } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import type { Mailer } from '../../mail/mailer.ts'
import { createGuessLimits } from '../../secrets/guess-limits.ts'
import { newToken } from '../../secrets/token.ts'
import { sendDueMails } from '../mails/send-due-mails.ts'
import { createSession } from './create-session.ts'
import { requestPasswordReset } from './request-password-reset.ts'

const password = 'seven green bicycles'
const newPassword = 'nine orange tricycles'
const HOUR = 3_600_000
const never = new AbortController().signal
const origin = { address: '127.0.0.1', requestId: 'test' }

describe.each(databases)('a password reset on $name', (source) => {
  const app = stageApp(source)
  let passwordHash: string

  let originalSend: Mailer['send']

  beforeAll(async () => {
    originalSend = app.ctx.mail.send
    passwordHash = weakPasswordHash(password)
  })
  afterEach(() => app.moveClock(61_000))

  const newUser = () => buildUser(app.ctx, { password_hash: passwordHash })
  async function request(email: string, headers = {}) {
    const answer = await app.call('POST', '/api/password-resets', { body: { email }, headers })
    await app.finished()
    return answer
  }
  const mailsTo = ({ email }: { email: string }) => app.mails.filter(({ to }) => to === email)
  const tokenFor = (user: TestUser) => /#token=(\S+)/.exec(mailsTo(user).at(-1)?.text ?? '')?.[1] ?? ''
  const redeem = (token: string, text = newPassword) =>
    app.call('POST', '/api/password-resets/redemption', { body: { token, password: text } })
  const signIn = (user: TestUser, text: string) =>
    app.call('POST', '/api/session', { body: { email: user.email, password: text } })

  test('a known and an unknown e-mail get the same answer, and one of them a mail', async () => {
    const user = await newUser()
    const before = app.mails.length
    const answers = [await request(user.email.toUpperCase()), await request('nobody@example.com')]
    for (const answer of answers) expect(answer).toMatchObject({ status: 202, text: '' })
    expect(app.mails.slice(before)).toEqual([
      {
        to: user.email,
        subject: 'Choose a new password',
        text: expect.stringMatching(/^https:\/\/ship\.example\.com\/password-reset#token=shw_reset_\w{49}$/m),
        html: expect.stringMatching(/<a href="https:\/\/ship\.example\.com\/password-reset#token=shw_reset_\w{49}">/),
      },
    ])
  })

  test('neither the log nor the database holds the token', async () => {
    const user = await newUser()
    await request(user.email)
    const rows = await app.ctx.db.selectFrom('password_resets').selectAll().execute()
    const events = await app.ctx.db.selectFrom('audit_events').selectAll().execute()
    expect(JSON.stringify([rows, events, app.logLines])).not.toContain(tokenFor(user))
  })

  test('the link sets a password once and ends every session and OAuth sign-in', async () => {
    const user = await newUser()
    const caller = { origin, userAgent: null }
    const session = await app.ctx.change(PLATFORM, (tx) => createSession(app.ctx, tx, { user, caller }))
    const oauth = await buildOauthToken(app.ctx, user.id)
    await request(user.email)
    expect(await redeem(tokenFor(user))).toMatchObject({ status: 204, text: '' })
    const cookie = `__Host-shipway_session=${session.token.reveal()}`
    expect((await app.call('GET', '/api/me', { headers: { cookie } })).status).toBe(401)
    expect((await app.call('GET', '/api/me', { as: { token: oauth } })).status).toBe(401)
    expect((await app.call('GET', '/api/me', { as: user })).status).toBe(200)
    expect([(await signIn(user, password)).status, (await signIn(user, newPassword)).status]).toEqual([401, 201])
    expect(await redeem(tokenFor(user))).toMatchObject({ status: 410, body: { code: 'link_expired' } })
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', user.id)
      .where('action', 'like', 'password_reset.%')
      .select(['action', 'fields'])
      .orderBy('id')
      .execute()
    expect(events).toEqual([
      { action: 'password_reset.requested', fields: '[]' },
      { action: 'password_reset.redeemed', fields: '["password"]' },
    ])
  })

  test('a link that is used several times at once works once', async () => {
    const user = await newUser()
    await request(user.email)
    const token = tokenFor(user)
    const answers = await Promise.all([1, 2, 3, 4].map((number) => redeem(token, `${newPassword} ${number}`)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 410, 410, 410])
  })

  test('a link ends after an hour, and when a later one is sent', async () => {
    const [late, twice] = [await newUser(), await newUser()]
    await request(late.email)
    await request(twice.email)
    const earlier = tokenFor(twice)
    await request(twice.email)
    expect((await redeem(earlier)).status).toBe(410)
    expect((await redeem(tokenFor(twice))).status).toBe(204)
    app.moveClock(HOUR)
    expect((await redeem(tokenFor(late))).status).toBe(410)
  })

  test('a weak password leaves the link as it is', async () => {
    const user = await newUser()
    await request(user.email)
    const refused = await redeem(tokenFor(user), 'short')
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/password', code: 'weak_password' }] } })
    expect((await redeem(tokenFor(user))).status).toBe(204)
  })

  test.each(['x', newToken('shw_reset_').token.reveal(), "' or 1=1 --"])('the token %s is no link', async (token) => {
    expect(await redeem(token)).toMatchObject({ status: 410, body: { code: 'link_expired' } })
  })

  test('earlier guesses at the old password do not lock its owner out', async () => {
    const user = await newUser()
    for (let count = 0; count < 11; count++) await signIn(user, 'wrong')
    await request(user.email)
    await redeem(tokenFor(user))
    expect((await signIn(user, newPassword)).status).toBe(201)
  })

  test('repeated requests cannot flood a mailbox', async () => {
    const user = await newUser()
    for (let count = 0; count < 8; count++) expect((await request(user.email)).status).toBe(202)
    expect(mailsTo(user)).toHaveLength(3)
    app.moveClock(HOUR)
    await request(user.email)
    expect(mailsTo(user)).toHaveLength(4)
  })

  test('one mailbox gets at most ten links a day, from however many addresses and processes', async () => {
    const user = await newUser()
    for (let hour = 0; hour < 6; hour++) {
      for (let count = 0; count < 4; count++) {
        await request(user.email, { 'x-forwarded-for': `203.0.113.${hour * 4 + count}` })
      }
      // Another process counts in the same place.
      requestPasswordReset(
        { ...app.ctx, guessLimits: createGuessLimits() },
        { email: user.email.toUpperCase(), origin },
      )
      await app.finished()
      app.moveClock(HOUR)
    }
    expect(mailsTo(user)).toHaveLength(10)
  })

  test('of requests at once as many mails go out as one after the other', async () => {
    const user = await newUser()
    for (let count = 0; count < 12; count++) requestPasswordReset(app.ctx, { email: user.email, origin })
    await app.finished()
    expect(mailsTo(user)).toHaveLength(3)
  })

  test('others who use up the mails of an account leave those that its own browser asks for', async () => {
    const user = await newUser()
    const cookie = deviceCookieOf(await signIn(user, password))
    for (let count = 0; count < 5; count++) await request(user.email)
    await request(user.email, { cookie })
    expect(mailsTo(user)).toHaveLength(4)
    const other = await newUser()
    for (let count = 0; count < 5; count++) await request(other.email)
    await request(other.email, { cookie })
    expect(mailsTo(other)).toHaveLength(3)
  })

  test('an address without an account is counted like one, and is not written down', async () => {
    const keys = async () => (await app.ctx.db.selectFrom('counters').select(['key', 'count']).execute()).length
    const before = await keys()
    await request('nobody-here@example.com')
    await request((await newUser()).email)
    expect(await keys()).toBe(before + 4)
    const rows = await app.ctx.db.selectFrom('counters').selectAll().execute()
    expect(JSON.stringify(rows)).not.toContain('nobody')
  })

  test('counts are forgotten a day later', async () => {
    app.moveClock(25 * HOUR)
    await request((await newUser()).email)
    expect(await app.ctx.db.selectFrom('counters').selectAll().execute()).toHaveLength(2)
  })

  test.each([
    { 'x-forwarded-host': 'evil.example' },
    { forwarded: 'host=evil.example;proto=http' },
    { 'x-forwarded-host': 'ship.example.com:80@evil.example', 'x-forwarded-proto': 'http' },
    { host: 'localhost:7878', referer: 'http://evil.example/' },
  ])('with %j the link stays on the base address', async (headers) => {
    const user = await newUser()
    expect((await request(user.email, headers)).status).toBe(202)
    expect(mailsTo(user)).toHaveLength(1)
    expect(mailsTo(user)[0]?.text).toContain('\nhttps://ship.example.com/password-reset#token=')
    expect(mailsTo(user)[0]?.text).not.toContain('evil.example')
  })

  test('a page of another origin is refused, and no mail goes out', async () => {
    const user = await newUser()
    expect((await request(user.email, { origin: 'http://evil.example' })).status).toBe(403)
    expect(mailsTo(user)).toHaveLength(0)
  })

  test.each(['evil.example', 'evil.example:443', 'ship.example.com:80@evil.example', 'ship.example.com, evil.example'])(
    'the host %s is refused, and no mail goes out',
    async (host) => {
      const user = await newUser()
      expect((await request(user.email, { host })).status).toBe(421)
      expect(mailsTo(user)).toHaveLength(0)
    },
  )

  test.each([
    'a@b.example\r\nBcc: eve@example.com',
    'a@b.example, eve@example.com',
    '"a\r\nX: y"@b.example',
    '<script>@b.example',
    'ａ@b.example',
    'a@b.example\0',
    `${'x'.repeat(65)}@b.example`,
  ])('%j is no e-mail', async (email) => {
    expect(await request(email)).toMatchObject({ status: 422, body: { errors: [{ code: 'invalid_email' }] } })
  })

  test('a mail that cannot be sent is logged without its link, and tried again', async () => {
    const user = await newUser()
    const links: string[] = []
    const { mail } = app.ctx
    const send = async ({ text }: { text: string }) => {
      const [link = ''] = /#token=\S+/.exec(text) ?? []
      links.push(link.slice(7))
      throw new Error(`The mail server hung up at ${link}`)
    }
    Object.assign(mail, { send })
    const rows = app.ctx.db.selectFrom('mails')
    try {
      await request(user.email)
    } finally {
      Object.assign(mail, { send: originalSend })
    }
    expect(links).toEqual([expect.stringMatching(/^shw_reset_/)])
    expect(app.logLines.at(-1)).toContain('The mail server hung up')
    const waiting = JSON.stringify(await rows.selectAll().execute())
    for (const text of [app.logLines.join(''), waiting]) expect(text).not.toContain(links[0])
    await app.ctx.db.updateTable('mails').set({ next_at: 0 }).execute()
    await sendDueMails(app.ctx, { signal: never, cut: never })
    expect(tokenFor(user)).toBe(links[0])
    expect(await rows.selectAll().execute()).toEqual([])
  })

  test('without mail the log says so, and no link is made', async () => {
    const user = await newUser()
    const mail = { isSetUp: false, hasMailbox: false, send: () => Promise.reject(new Error('unreachable')) }
    requestPasswordReset({ ...app.ctx, mail }, { email: user.email, origin })
    await app.finished()
    expect(app.logLines.at(-1)).toContain('Set SHIPWAY_SMTP_URL')
    const rows = await app.ctx.db.selectFrom('password_resets').where('user_id', '=', user.id).selectAll().execute()
    expect(rows).toEqual([])
  })
})
