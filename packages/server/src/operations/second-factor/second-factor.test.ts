// Two-factor codes over HTTP: turning them on and off, signing in with them, and what a code is worth.
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { sameOrigin, signInOnDevice } from '../../../test/device-flow.ts'
import { buildSession, buildUser, type TestUser } from '../../../test/factories.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { Secret } from '../../secrets/secret.ts'
import { codeAt, STEP_MS } from '../../secrets/sign-in/totp.ts'

const password = 'seven green bicycles'
const PATH = '/api/me/second-factor'

describe.each(databases)('two-factor codes on $name', (source) => {
  const app = stageApp(source)
  let passwordHash: string
  let user: TestUser
  let headers: Record<string, string>

  beforeAll(async () => {
    passwordHash = weakPasswordHash(password)
  })
  beforeEach(async () => {
    user = await buildUser(app.ctx, { password_hash: passwordHash })
    headers = { ...sameOrigin, ...(await buildSession(app.ctx, user.id)) }
  })
  // Another window for guessing, and another code.
  afterEach(() => app.moveClock(11 * 60_000))

  const codeOf = (secret: string, away = 0) => codeAt(new Secret(secret), Math.floor(app.ctx.clock() / STEP_MS) + away)
  const signIn = (otp?: string, given = password) =>
    app.call('POST', '/api/session', {
      body: { email: user.email, password: given, ...(otp !== undefined && { otp }) },
    })
  const start = () => app.call('POST', PATH, { headers, body: { password } })
  const confirm = (otp: string) => app.call('POST', `${PATH}/confirmation`, { headers, body: { otp } })
  const stop = (otp: string, given = password) => app.call('DELETE', PATH, { headers, body: { password: given, otp } })
  const state = async () => (await app.call('GET', PATH, { headers })).body
  const actionsAbout = async (id: number) =>
    (
      await app.ctx.db.selectFrom('audit_events').where('target_id', '=', id).select('action').orderBy('id').execute()
    ).map(({ action }) => action)

  /** Turned on; the next code is a new one. */
  async function turnOn(): Promise<{ secret: string; recovery: string[] }> {
    const { secret } = (await start()).body
    const { recovery_codes } = (await confirm(codeOf(secret))).body
    app.moveClock(2 * STEP_MS)
    return { secret, recovery: recovery_codes }
  }

  test('nothing is asked for until a code has confirmed the secret, which is kept sealed and shown once', async () => {
    const begun = await start()
    const { secret, uri } = begun.body
    expect(begun.status).toBe(201)
    expect(uri).toBe(
      `otpauth://totp/Shipway%20ship.example.com:${encodeURIComponent(user.email)}?secret=${secret}` +
        '&issuer=Shipway%20ship.example.com&algorithm=SHA1&digits=6&period=30',
    )
    expect((await signIn()).status).toBe(201)
    expect(await confirm('000000')).toMatchObject({ status: 401, body: { code: 'invalid_otp' } })
    expect(await state()).toEqual({ is_on: false, on_since: null, recovery_codes_left: 0 })
    const confirmed = await confirm(codeOf(secret))
    expect(confirmed).toMatchObject({ status: 200, body: { recovery_codes: expect.any(Array) } })
    expect(await state()).toMatchObject({ is_on: true, recovery_codes_left: 10 })
    const kept = JSON.stringify([
      await app.ctx.db.selectFrom('second_factors').selectAll().execute(),
      await app.ctx.db.selectFrom('recovery_codes').selectAll().execute(),
      await app.ctx.db.selectFrom('audit_events').selectAll().execute(),
      app.logLines,
    ])
    for (const text of [secret, ...confirmed.body.recovery_codes]) expect(kept).not.toContain(text)
    expect(await start()).toMatchObject({ status: 409, body: { code: 'second_factor_on' } })
    expect(await confirm(codeOf(secret, 1))).toMatchObject({ status: 409, body: { code: 'second_factor_on' } })
  })

  test('with the first code, sign-ins that needed none end everywhere else, and the user gets a mail', async () => {
    const thief = await buildSession(app.ctx, user.id)
    const program = await signInOnDevice(app, user)
    const statusOf = async (with_: Record<string, string>) =>
      (await app.call('GET', '/api/me', { headers: with_ })).status
    const { secret } = (await start()).body
    expect((await confirm('000000')).status).toBe(401)
    expect(await statusOf(thief)).toBe(200)
    const confirmed = await confirm(codeOf(secret))
    // That of the test's own user on the device is one, too.
    expect(confirmed.body.ended_sessions).toBeGreaterThan(0)
    const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
    expect([
      await statusOf(headers),
      await statusOf(thief),
      await statusOf(bearer(program.access_token)),
      await statusOf(bearer(user.token)),
    ]).toEqual([200, 401, 401, 200])
    await app.finished()
    expect(app.mails.at(-1)).toMatchObject({
      to: user.email,
      subject: 'Two-factor codes were turned on for your Shipway account',
    })
    expect(JSON.stringify(app.mails)).not.toContain(secret)
  })

  test('a secret cannot be made without the password, nor be confirmed after its hour', async () => {
    const refused = await app.call('POST', PATH, { headers, body: { password: 'wrong' } })
    expect(refused).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    expect(await confirm('123456')).toMatchObject({ status: 409, body: { code: 'second_factor_off' } })
    const { secret } = (await start()).body
    app.moveClock(60 * 60_000)
    expect(await confirm(codeOf(secret))).toMatchObject({ status: 409, body: { code: 'second_factor_off' } })
    // A new one takes its place.
    expect(await confirm(codeOf((await start()).body.secret))).toMatchObject({ status: 200 })
  })

  test('signing in takes a code after the right password, and says so after no other', async () => {
    const { secret } = await turnOn()
    expect(await signIn()).toMatchObject({ status: 401, body: { code: 'otp_required' } })
    for (const otp of [undefined, codeOf(secret)]) {
      expect(await signIn(otp, 'wrong')).toMatchObject({ status: 401, body: { code: 'invalid_credentials' } })
    }
    const code = codeOf(secret)
    const answer = await signIn(`${code.slice(0, 3)} ${code.slice(3)}`)
    expect(answer).toMatchObject({ status: 201, body: { id: user.id } })
    expect(answer.headers['set-cookie']).toBeDefined()
  })

  test('a code works once, and no older one after it', async () => {
    const { secret } = await turnOn()
    expect((await signIn(codeOf(secret))).status).toBe(201)
    for (const away of [0, -1]) {
      expect(await signIn(codeOf(secret, away))).toMatchObject({ status: 401, body: { code: 'invalid_otp' } })
    }
    expect((await signIn(codeOf(secret, 1))).status).toBe(201)
    expect((await signIn(codeOf(secret, 2))).status).toBe(401)
  })

  test('of sign-ins that come with one code at once, one gets in', async () => {
    const { secret, recovery } = await turnOn()
    for (const otp of [codeOf(secret), String(recovery[0])]) {
      const answers = await Promise.all(Array.from({ length: 5 }, () => signIn(otp)))
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 401, 401, 401, 401])
    }
  })

  test('each recovery code works once, and new ones take the place of all', async () => {
    const { secret, recovery } = await turnOn()
    const [first = '', second = ''] = recovery
    expect((await signIn(first.toLowerCase())).status).toBe(201)
    expect((await signIn(first)).status).toBe(401)
    // A refusal is recorded after its answer.
    await app.finished()
    expect(await state()).toMatchObject({ recovery_codes_left: 9 })
    const body = { password, otp: codeOf(secret) }
    const renewed = await app.call('POST', `${PATH}/recovery-codes`, { headers, body })
    expect(renewed).toMatchObject({ status: 201 })
    expect((await signIn(second)).status).toBe(401)
    await app.finished()
    expect((await signIn(renewed.body.recovery_codes[9])).status).toBe(201)
    await app.finished()
    expect(await actionsAbout(user.id)).toEqual([
      'second_factor.enabled',
      'second_factor.recovery_code_used',
      'second_factor.refused',
      'second_factor.recovery_codes_renewed',
      'second_factor.refused',
      'second_factor.recovery_code_used',
    ])
  })

  test('wrong codes are guesses: after ten even a right one waits, and those at once are counted first', async () => {
    const { secret } = await turnOn()
    const answers = await Promise.all(Array.from({ length: 20 }, () => signIn('000000')))
    expect(answers.filter(({ body }) => body.code === 'invalid_otp')).toHaveLength(10)
    expect(await signIn(codeOf(secret))).toMatchObject({ status: 429, body: { code: 'rate_limited' } })
    app.moveClock(5 * 60_000)
    expect((await signIn(codeOf(secret))).status).toBe(201)
  })

  test.each(['', '12345', '1'.repeat(41), '\0', "' or 1=1 --", '１２３４５６', '\ud800'])(
    '%j is no code',
    async (otp) => {
      await turnOn()
      expect([401, 422]).toContain((await signIn(otp)).status)
    },
  )

  test('turning off takes the password and a code; then the password is enough', async () => {
    const { secret } = await turnOn()
    expect(await stop('000000')).toMatchObject({ status: 401, body: { code: 'invalid_otp' } })
    expect(await stop(codeOf(secret), 'wrong')).toMatchObject({ body: { code: 'invalid_credentials' } })
    expect((await stop(codeOf(secret))).status).toBe(204)
    expect((await signIn()).status).toBe(201)
    expect(await stop(codeOf(secret, 1))).toMatchObject({ status: 409, body: { code: 'second_factor_off' } })
    const left = await app.ctx.db.selectFrom('recovery_codes').where('user_id', '=', user.id).selectAll().execute()
    expect(left).toEqual([])
  })

  test('a new password by mail leaves the codes on', async () => {
    const { secret } = await turnOn()
    await app.call('POST', '/api/password-resets', { body: { email: user.email } })
    await app.finished()
    const token = /#token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1]
    const next = 'nine orange tricycles'
    const redeemed = await app.call('POST', '/api/password-resets/redemption', { body: { token, password: next } })
    expect(redeemed.status).toBe(204)
    expect(await signIn(undefined, next)).toMatchObject({ status: 401, body: { code: 'otp_required' } })
    expect((await signIn(codeOf(secret), next)).status).toBe(201)
  })

  test('only a platform administrator turns them off for another user, who gets a mail', async () => {
    await turnOn()
    const remove = async (who: TestUser, email = user.email) =>
      app.call('POST', '/api/second-factor-removals', {
        headers: { ...sameOrigin, ...(await buildSession(app.ctx, who.id)) },
        body: { email },
      })
    const [other, administrator] = [await buildUser(app.ctx), await buildUser(app.ctx, { is_platform_admin: 1 })]
    for (const who of [other, user]) {
      expect(await remove(who)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    }
    expect((await remove(administrator, user.email.toUpperCase())).status).toBe(204)
    await app.finished()
    expect(app.mails.at(-1)).toMatchObject({ to: user.email, subject: expect.stringContaining('Two-factor codes') })
    expect((await signIn()).status).toBe(201)
    expect((await actionsAbout(user.id)).at(-1)).toBe('second_factor.removed')
    for (const email of [user.email, 'nobody@example.com']) {
      expect(await remove(administrator, email)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    }
  })
})
