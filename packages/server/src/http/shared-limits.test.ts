// Several platform processes on one PostgreSQL count requests and guesses together, and pay next to nothing for it.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { buildUser } from '../../test/factories.ts'
import { postgresOnly } from '../../test/postgres-only.ts'
import { weakPasswordHash } from '../../test/sign-in/weak-password-hash.ts'
import { buildTestApp, type TestApp } from '../../test/test-app.ts'
import { anonymous } from '../domain/people/actor.ts'
import { createLink } from '../operations/credentials/request-password-reset.ts'
import type { SharedCounts } from '../scheduling/shared-counts.ts'
import { createBox } from '../secrets/box.ts'
import { Secret } from '../secrets/secret.ts'
import { createSharedCounts, deleteOldCounts } from '../store/credentials/shared-counts.ts'
import { type Database, openDatabase } from '../store/database.ts'
import { findAccount } from '../store/people/users.ts'

const password = 'seven green bicycles'

describe.each(postgresOnly)('limits of two processes on $name', (source) => {
  /** Each has connections, limiters and a clock of its own; only the database and the master key are shared. */
  let processes: readonly { readonly app: TestApp; readonly shared: SharedCounts; readonly database: Database }[]
  let drop: () => Promise<void>

  beforeAll(async () => {
    const first = await source.open()
    const box = createBox(new Secret(new Uint8Array(32).fill(7)))
    const start = async (database: Database) => {
      const shared = createSharedCounts({ db: database.db, box })
      const settings = { apiRequestsPerMinute: 40 }
      const app = await buildTestApp({ ...database, drop: database.close }, settings, { box, sharedCounts: shared })
      return { app, shared, database }
    }
    processes = [await start(await openDatabase(first.address)), await start(await openDatabase(first.address))]
    drop = first.drop
  })
  afterAll(async () => {
    for (const { app } of processes) await app.close()
    await drop()
  })
  // Windows of an hour at most.
  beforeEach(() => {
    for (const { app } of processes) app.moveClock(61 * 60_000)
  })

  const both = () => {
    const [one, other] = processes
    if (!one || !other) throw new Error('There are two processes')
    return { one, other }
  }
  const exchange = async () => {
    for (const { app, shared } of processes) await shared.exchangeAll(app.ctx.clock())
  }
  const rows = async () => (await both().one.app.ctx.db.selectFrom('counters').selectAll().execute()).filter(isRate)
  const isRate = ({ key }: { key: string }): boolean => key.startsWith('rate ')

  test('wrong passwords are counted before they are checked, wherever they are sent: ten in all', async () => {
    const { one, other } = both()
    const user = await buildUser(one.app.ctx, { password_hash: weakPasswordHash(password) })
    const guess = (at: { app: TestApp }, given = 'wrong') =>
      at.app.call('POST', '/api/session', { body: { email: user.email, password: given } })
    const answers = await Promise.all(Array.from({ length: 24 }, (_, index) => guess(index % 2 ? one : other)))
    // Of attempts at once that are too many together, some refuse each other; never do more than ten get through.
    let checked = answers.filter(({ status }) => status === 401).length
    expect(checked).toBeLessThanOrEqual(10)
    // What was given back is known to the other process within a second.
    await exchange()
    await exchange()
    for (let round = 0; (await guess(round % 2 ? one : other)).status === 401; round++) checked++
    expect(checked).toBe(10)
    for (const at of [one, other]) expect((await guess(at, password)).status).toBe(429)
    for (const { app } of processes) app.moveClock(5 * 60_000)
    for (const at of [one, other, one]) expect((await guess(at, password)).status).toBe(201)
    // A right password is given back everywhere: twenty more of them are no guesses.
    for (let round = 0; round < 10; round++) expect((await guess(round % 2 ? one : other, password)).status).toBe(201)
    const stored = JSON.stringify(await rows())
    for (const text of [user.email, 'wrong', '127.0.0.1']) expect(stored).not.toContain(text)
  })

  test('a password reset ends a lock-out by guesses in both, also where the process never saw them', async () => {
    const { one, other } = both()
    const user = await buildUser(one.app.ctx, { password_hash: weakPasswordHash(password) })
    const signIn = (at: { app: TestApp }, given: string) =>
      at.app.call('POST', '/api/session', { body: { email: user.email, password: given } })
    while ((await signIn(one, 'wrong')).status === 401);
    const account = await findAccount(other.app.ctx.db, user.id)
    if (!account) throw new Error('The account is there')
    const { ctx } = other.app
    const link = await ctx.change(anonymous({ address: '', requestId: '' }), (tx) => createLink(ctx, tx, account))
    const token = new URL(link.reveal()).hash.replace('#token=', '')
    const chosen = 'eight red tricycles'
    const body = { token, password: chosen }
    const redeemed = await other.app.call('POST', '/api/password-resets/redemption', { body })
    expect(redeemed.status, redeemed.text).toBe(204)
    expect([(await signIn(other, chosen)).status, (await signIn(one, chosen)).status]).toEqual([201, 201])
  })

  test('requests of a user are added up each second, and the sum stands in the headers', async () => {
    const { one, other } = both()
    const user = await buildUser(one.app.ctx)
    const ask = async (at: { app: TestApp }) => (await at.app.call('GET', '/api/me', { as: user })).status
    for (let count = 0; count < 25; count++) expect(await ask(one)).toBe(200)
    for (let count = 0; count < 10; count++) expect(await ask(other)).toBe(200)
    await exchange()
    await exchange()
    const { headers } = await other.app.call('GET', '/api/me', { as: user })
    expect(headers.ratelimit).toMatch(/r=4;/)
    for (let count = 0; count < 4; count++) expect(await ask(other)).toBe(200)
    expect(await ask(other)).toBe(429)
    // The other process learns of it with the next exchange after a request.
    await exchange()
    expect(await ask(one)).toBe(200)
    await exchange()
    expect(await ask(one)).toBe(429)
    for (const { app } of processes) app.moveClock(60_000)
    expect([await ask(one), await ask(other)]).toEqual([200, 200])
  })

  test('thousands of addresses with a request each cost no query and leave no row', async () => {
    const { one } = both()
    const before = (await rows()).length
    const inject = (address: string) =>
      one.app.app.inject({ method: 'GET', url: '/api/openapi.json', remoteAddress: address })
    for (let number = 0; number < 300; number++) await inject(`198.51.${number % 100}.${Math.floor(number / 100)}`)
    await exchange()
    expect((await rows()).length).toBe(before)
  })

  test('a database that is away leaves each process its own counts, and nothing is lost', async () => {
    const { one } = both()
    const user = await buildUser(one.app.ctx)
    for (let count = 0; count < 5; count++) await one.app.call('GET', '/api/me', { as: user })
    const broken = createSharedCounts({
      db: one.database.db.withSchema('nowhere'),
      box: { fingerprint: () => '\0' },
    })
    const limiter = (await import('../scheduling/rate-limiter.ts')).RateLimiter
    const counted = broken.share('test', new limiter({ name: 'test', most: 10, windowMs: 60_000 }))
    counted.count('a', 0, 4)
    await expect(broken.exchangeAll(0)).rejects.toThrow()
    expect(counted.count('a', 0, 0).left).toBe(6)
    expect(counted.takeUnsent(10)).toEqual([{ key: 'a', count: 4, startedAt: 0 }])
  })

  test('old counts are deleted', async () => {
    await deleteOldCounts(both().one.database.db, Number.MAX_SAFE_INTEGER)
    expect(await rows()).toEqual([])
  })
})
