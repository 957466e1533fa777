// Connections that fail, are refused or are closed: when the next one is opened, and when no more.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { LivePlatform } from '../../test/live-platform.ts'
import { LiveReader } from '../../test/live-reader.ts'
import { ApiError, NoAnswer } from '../api-error.ts'
import type { ClientOptions } from '../client-request.ts'
import { type Pace, USUAL_PACE } from './pace.ts'
import { pauseMs } from './reconnect-policy.ts'

const HOUR_MS = 3_600_000
let platform: LivePlatform
const readers: LiveReader[] = []

beforeEach(async () => {
  platform = await LivePlatform.start()
})
afterEach(async () => {
  for (const reader of readers.splice(0)) reader.live.close()
  await platform.stop()
})

function read(options: Partial<ClientOptions> = {}, pace: Partial<Pace> = {}): LiveReader {
  const reader = new LiveReader({ baseUrl: platform.baseUrl, ...options }, { topics: ['task:7'] }, pace)
  readers.push(reader)
  return reader
}

/** What it fails with in the end. */
async function failure(reader: LiveReader): Promise<unknown> {
  try {
    while (await reader.next());
  } catch (error) {
    return error
  }
  return undefined
}

const problem = (status: number, code: string) => ({
  status,
  body: { type: 'about:blank', title: code, status, code, detail: code, instance: '/', request_id: 'r' },
})

describe('signing in', () => {
  test('a token is sent in the first message, with the organization, and nothing before the platform has agreed', async () => {
    const reader = read({ token: async () => 'shw_pat_canary', organization: 4 })
    const first = reader.next()
    const connection = await platform.connection()
    expect(await connection.request()).toEqual({
      type: 'authenticate',
      token: 'shw_pat_canary',
      organization_id: 4,
    })
    connection.send('noise')
    connection.send({ type: 'authenticated' })
    expect(await first).toEqual({ type: 'connection', state: 'online' })
    expect(await connection.request()).toMatchObject({ type: 'subscribe' })
    expect(platform.addresses.join()).not.toContain('canary')
    expect(platform.protocols).toEqual([['service.live.v1', 'service.live.authenticate']])
  })

  test('a session sends no token', async () => {
    const connection = await read({ token: () => undefined }).join(platform)
    expect(await connection.request()).toMatchObject({ type: 'subscribe' })
    expect(platform.protocols).toEqual([['service.live.v1']])
  })

  test('a token that is refused is replaced by a fresh one without an error', async () => {
    const tokens = ['old', 'new']
    const reader = read({ token: () => tokens.shift() })
    const first = reader.next()
    const refused = await platform.connection()
    expect(await refused.request()).toMatchObject({ token: 'old' })
    refused.close(4401)
    expect(await first).toEqual({ type: 'connection', state: 'offline', reason: 'sign_in' })
    const online = reader.next()
    const connection = await platform.connection()
    expect(await connection.request()).toMatchObject({ token: 'new' })
    connection.send({ type: 'authenticated' })
    expect(await online).toMatchObject({ state: 'online' })
    await connection.confirm()
    await reader.nextOf('subscribed')
    expect(platform.authorizations).toEqual([])
  })

  test('a token that expires while it is read is replaced', async () => {
    const tokens = ['old', 'new']
    const reader = read({ token: () => tokens.shift() })
    for (const token of [...tokens]) {
      const online = reader.nextOf('connection')
      const connection = await platform.connection()
      expect(await connection.request()).toMatchObject({ token })
      connection.send({ type: 'authenticated' })
      expect(await online).toMatchObject({ state: 'online' })
      await connection.confirm()
      await reader.nextOf('subscribed')
      connection.close(token === 'old' ? 4401 : 1000)
      expect(await reader.next()).toMatchObject({ state: 'offline' })
    }
    expect(platform.authorizations).toEqual([])
  })

  test.each([
    ['a token that is refused twice', { token: () => 'shw_pat_x' }, 2],
    ['a session that has ended', {}, 1],
  ])('%s is an error that says why', async (_, options, connections) => {
    platform.me = problem(401, 'token_expired')
    const failed = failure(read(options))
    for (let count = 0; count < connections; count++) (await platform.connection()).close(4401)
    const error = await failed
    expect(error).toBeInstanceOf(ApiError)
    expect(error).toMatchObject({ status: 401, code: 'token_expired' })
    expect(platform.addresses).toHaveLength(connections)
  })

  test('a refusal that only the channel knows keeps its own words', async () => {
    const failed = failure(read({ token: () => 'shw_pat_x' }))
    for (let count = 0; count < 3; count++) {
      const connection = await platform.connection()
      connection.send({ type: 'error', id: null, code: 'x', detail: 'This is signed in already' })
      await connection.closed
    }
    expect(await failed).toMatchObject({ status: 401, message: 'This is signed in already' })
  })

  test('a token that cannot be had is an error; one that cannot be had now is asked for again', async () => {
    const broken = read({ token: () => Promise.reject(new Error('No keyring')) })
    expect(await failure(broken)).toEqual(new Error('No keyring'))
    expect(await failure(read({ token: () => 'a b' }))).toBeInstanceOf(RangeError)
    const answers = [() => Promise.reject(new NoAnswer('ship.example.com', undefined)), () => 'shw_pat_x']
    const reader = read({ token: async () => answers.shift()?.() })
    expect(await reader.next()).toMatchObject({ state: 'offline', reason: 'lost' })
    const online = reader.next()
    const connection = await platform.connection()
    connection.send({ type: 'authenticated' })
    expect(await online).toMatchObject({ state: 'online' })
  })
})

describe('a platform that cannot be reached', () => {
  test('is given up where it never could', async () => {
    const gone = await LivePlatform.start()
    const { baseUrl } = gone
    await gone.stop()
    let tries = 0
    class Counted extends WebSocket {
      constructor(address: string | URL, protocol?: string | string[]) {
        super(address, protocol)
        tries++
      }
    }
    const reader = read({ baseUrl, webSocket: Counted })
    expect(await reader.next()).toEqual({ type: 'connection', state: 'offline', reason: 'lost' })
    expect(await failure(reader)).toBeInstanceOf(NoAnswer)
    expect(tries).toBe(15)
  })

  test('is waited for where it once was there', async () => {
    const { port } = platform
    const reader = read()
    const connection = await reader.join(platform)
    await connection.confirm()
    await platform.stop()
    expect(await reader.nextOf('connection')).toEqual({ type: 'connection', state: 'offline', reason: 'lost' })
    platform = await LivePlatform.start(port)
    platform.refusesWith = 503
    platform.me = problem(503, 'unavailable')
    const online = reader.next()
    // More than it would try at first.
    for (let tries = 0; tries < 20; tries++) await platform.asked()
    platform.refusesWith = undefined
    const second = await platform.connection()
    expect(await online).toMatchObject({ state: 'online' })
    expect(await second.confirm()).toMatchObject({ since: { epoch: 'e1', seq: 0 } })
  })

  test.each([
    [401, 'authentication_required'],
    [403, 'insufficient_scope'],
  ])('and answers requests with %i is not asked again', async (status, code) => {
    platform.refusesWith = status
    platform.me = problem(status, code)
    const error = await failure(read({ token: () => 'shw_pat_x' }))
    expect(error).toMatchObject({ status, code })
    expect(platform.authorizations).toEqual(['Bearer shw_pat_x'])
  })

  test('behind a proxy that passes no WebSockets is named so', async () => {
    platform.refusesWith = 403
    const error = await failure(read())
    expect(error).toBeInstanceOf(NoAnswer)
    expect(error).toMatchObject({ cause: { message: expect.stringContaining('WebSockets') } })
    expect(platform.authorizations).toHaveLength(15)
  })

  test('while something in front of it answers anything is waited for, but its own refusal counts', async () => {
    const reader = read()
    const connection = await reader.join(platform)
    platform.refusesWith = 404
    platform.me = { status: 404, body: 'default backend' }
    connection.cut()
    const failed = failure(reader)
    // More than it would try at first.
    while (platform.authorizations.length < 20) await platform.asked()
    platform.me = problem(401, 'authentication_required')
    expect(await failed).toMatchObject({ code: 'authentication_required' })
  })
})

describe('the pause before the next connection', () => {
  test('after a restart is short, however long the others are', async () => {
    const reader = read({}, { shortestMs: HOUR_MS, longestMs: HOUR_MS, random: () => 0.9 })
    const connection = await reader.join(platform)
    connection.close(1012)
    expect(await reader.next()).toEqual({ type: 'connection', state: 'offline', reason: 'restart' })
    await reader.join(platform)
  })

  test('is drawn anew each time, up to a bound that doubles', () => {
    const longest = { ...USUAL_PACE, random: () => 1 - Number.EPSILON }
    const bounds = Array.from({ length: 12 }, (_, tries) => Math.round(pauseMs('lost', tries, longest)))
    expect(bounds).toEqual([250, 500, 1000, 2000, 4000, 8000, 15000, 15000, 15000, 15000, 15000, 15000])
    expect(pauseMs('lost', 2_000, longest)).toBeLessThan(15_000)
    for (const tries of [0, 5, 50]) expect(pauseMs('lost', tries, { ...USUAL_PACE, random: () => 0 })).toBe(0)
    expect(pauseMs('lost', 3, { ...USUAL_PACE, random: () => 0.25 })).toBe(500)
  })

  test('after a restart is short once, and long where the platform says that it is too much', () => {
    const half = { ...USUAL_PACE, random: () => 0.5 }
    expect(pauseMs('restart', 0, half)).toBe(250)
    expect(pauseMs('restart', 6, half)).toBe(7_500)
    expect(pauseMs('too_many', 0, { ...USUAL_PACE, random: () => 0 })).toBe(7_500)
  })

  test('grows to a minute where the platform has no place for more', () => {
    const longest = { ...USUAL_PACE, random: () => 1 }
    expect([0, 1, 2, 3, 9].map((tries) => pauseMs('too_many', tries, longest))).toEqual([
      15_000, 30_000, 60_000, 60_000, 60_000,
    ])
    expect([0, 6, 7, 8, 9].map((tries) => pauseMs('refused', tries, longest))).toEqual([
      250, 16_000, 32_000, 60_000, 60_000,
    ])
  })

  test('is no longer that of a restart while connections do not last', async () => {
    const reader = read({}, { steadyMs: HOUR_MS, restartMs: HOUR_MS })
    const first = await reader.join(platform)
    first.cut()
    await reader.next()
    const second = await reader.join(platform)
    second.close(1012)
    expect(await reader.next()).toMatchObject({ reason: 'restart' })
    await reader.join(platform)
  })

  test('is short again after a connection that lasted', async () => {
    const reader = read({}, { steadyMs: 0, shortestMs: HOUR_MS, longestMs: HOUR_MS, random: () => 0.9 })
    for (let count = 0; count < 4; count++) {
      const connection = await reader.join(platform)
      connection.close(1012)
      expect(await reader.next()).toMatchObject({ reason: 'restart' })
    }
  })
})
