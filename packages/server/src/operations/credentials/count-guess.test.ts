// Guesses at a password: the attacker waits, and the owner does not, wherever the guesses come from.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildUser, type TestUser } from '../../../test/factories.ts'
import { weakPasswordHash } from '../../../test/sign-in/weak-password-hash.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { deviceCookieOf } from '../../../test/test-app.ts'
import { AppError } from '../../domain/errors.ts'
import { countGuess } from './count-guess.ts'

const password = 'seven green bicycles'
const HOUR = 3_600_000

describe.each(databases)('guesses at a password on $name', (source) => {
  const app = stageApp(source, { trustedProxies: ['127.0.0.1'] })
  let passwordHash: string
  let owner: TestUser

  beforeAll(async () => {
    passwordHash = weakPasswordHash(password)
  })
  beforeEach(async () => {
    app.moveClock(24 * HOUR)
    owner = await buildUser(app.ctx, { password_hash: passwordHash })
  })

  type From = { readonly address: string; readonly cookie?: string }
  const signIn = async ({ address, cookie }: From, given = password, email = owner.email) => {
    const headers = { 'x-forwarded-for': address, ...(cookie !== undefined && { cookie }) }
    return app.call('POST', '/api/session', { body: { email, password: given }, headers })
  }
  const statusOf = async (...given: Parameters<typeof signIn>) => (await signIn(...given)).status

  /** Guesses that are counted without being checked, which takes long: how many until the first has to wait. */
  const guessUntilRefused = async (email: string, addressOf: (count: number) => string) => {
    const account = await app.ctx.db.selectFrom('users').where('email', '=', email).select('id').executeTakeFirst()
    for (let count = 0; count < 1000; count++) {
      const guess = { emailKey: email, userId: account?.id, address: addressOf(count), device: undefined }
      try {
        await countGuess(app.ctx, guess)
      } catch (error) {
        if (error instanceof AppError && error.code === 'rate_limited') return count
        throw error
      }
    }
    return undefined
  }
  const anywhere = (count: number) => `2001:db8:0:${count.toString(16)}::1`

  test('from one address make only that address wait', async () => {
    expect(await guessUntilRefused(owner.email, () => '203.0.113.1')).toBe(10)
    expect(await statusOf({ address: '203.0.113.1' })).toBe(429)
    expect(await statusOf({ address: '203.0.113.2' })).toBe(201)
  })

  test('from addresses of one IPv6 network are guesses of one', async () => {
    expect(await guessUntilRefused(owner.email, (count) => `2001:db8:1:1::${count}`)).toBe(10)
    expect(await statusOf({ address: '2001:db8:1:1:ffff::1' })).toBe(429)
    expect(await statusOf({ address: '::ffff:203.0.113.3' })).toBe(201)
  })

  test('from everywhere stop unknown clients, but neither the browser nor the address that the owner has used', async () => {
    const cookie = deviceCookieOf(await signIn({ address: '203.0.113.4' }))
    expect(await guessUntilRefused(owner.email, anywhere)).toBe(100)
    expect(await statusOf({ address: '198.51.100.1' })).toBe(429)
    expect(await statusOf({ address: '198.51.100.1', cookie })).toBe(201)
    expect(await statusOf({ address: '203.0.113.4' })).toBe(201)
    app.moveClock(HOUR)
    expect(await statusOf({ address: '198.51.100.2' })).toBe(201)
  })

  test('of an unknown e-mail are counted alike', async () => {
    expect(await guessUntilRefused('nobody@example.com', anywhere)).toBe(100)
    const refused = await signIn({ address: '198.51.100.3' }, password, 'nobody@example.com')
    await guessUntilRefused(owner.email, anywhere)
    const { status, headers, body } = await signIn({ address: '198.51.100.3' })
    expect(refused).toMatchObject({ status, headers: { 'retry-after': headers['retry-after'] } })
    expect(refused.body.detail).toBe(body.detail)
  })

  test('from an address that a known browser shares leave that browser alone, which has few guesses itself', async () => {
    const from = { address: '203.0.113.5' }
    const cookie = deviceCookieOf(await signIn(from))
    for (let count = 0; count < 70; count++) await signIn(from, 'wrong')
    expect(await statusOf(from)).toBe(429)
    expect(await statusOf({ ...from, cookie })).toBe(201)
    for (let count = 0; count < 10; count++) expect(await statusOf({ ...from, cookie }, 'wrong')).toBe(401)
    expect(await statusOf({ ...from, cookie })).toBe(429)
  })

  test('by the browser of another account, an altered cookie or a plain one count as those of an unknown client', async () => {
    const other = await buildUser(app.ctx, { password_hash: passwordHash })
    const foreign = deviceCookieOf(await signIn({ address: '203.0.113.6' }, password, other.email))
    const own = deviceCookieOf(await signIn({ address: '203.0.113.7' }))
    await guessUntilRefused(owner.email, anywhere)
    const altered = own.replace(/=shw_device_(.)/, (_, first) => `=shw_device_${first === 'A' ? 'B' : 'A'}`)
    for (const cookie of [foreign, altered, own.replace('__Host-', '')]) {
      expect(await statusOf({ address: '198.51.100.4', cookie })).toBe(429)
    }
    expect(await statusOf({ address: '198.51.100.4', cookie: own })).toBe(201)
  })

  test('at many accounts from one address make that address wait', async () => {
    let count = 0
    for (; count < 500; count++) {
      const refusals = await guessUntilRefused(`nobody-${count}@example.com`, () => '203.0.113.9')
      if (refusals === 0) break
    }
    expect(count).toBe(30)
    expect(await statusOf({ address: '203.0.113.9' })).toBe(429)
    expect(await statusOf({ address: '203.0.113.10' })).toBe(201)
  })

  test('are forgotten once the owner has chosen a new password by mail', async () => {
    await guessUntilRefused(owner.email, anywhere)
    await app.call('POST', '/api/password-resets', { body: { email: owner.email } })
    await app.finished()
    const token = /#token=(\S+)/.exec(app.mails.at(-1)?.text ?? '')?.[1]
    const changed = { token, password: 'nine orange tricycles' }
    expect((await app.call('POST', '/api/password-resets/redemption', { body: changed })).status).toBe(204)
    expect(await statusOf({ address: '198.51.100.5' }, 'nine orange tricycles')).toBe(201)
  })

  test('a browser that is known keeps what it is known by', async () => {
    const cookie = deviceCookieOf(await signIn({ address: '203.0.113.8' }))
    const again = await signIn({ address: '203.0.113.8', cookie })
    expect(again.headers['set-cookie']).toMatch(/^__Host-shipway_session=/)
  })
})
