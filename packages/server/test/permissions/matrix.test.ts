// Every route as everybody, on records of their own, foreign ones, and ones that are not there.
import { type RouteName, routes } from '@shipway/api/routes'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { handlers } from '../../src/http/handlers/handlers.ts'
import { willingHosts } from '../connections/willing-hosts.ts'
import { databases } from '../databases.ts'
import { buildToken } from '../factories.ts'
import { byTurns } from '../stage/by-turns.ts'
import { openTestApp, type TestAnswer, type TestApp } from '../test-app.ts'
import {
  type ArrangeOptions,
  arrange,
  CALLERS,
  type Caller,
  everyRecord,
  type PermissionTarget,
  type Situation,
  TARGETS,
} from './callers.ts'
import { asksProtection, expectedAnswer } from './expectation.ts'
import { namesRecord, requestFor, wantedBy } from './requests.ts'

/**
 * Tested below and in sessions.test.ts, since tokens and sessions belong to a user and not to an organization; and in
 * ssh-access.test.ts, since what it takes depends on what is asked for; and in delete-user.test.ts, since the caller is gone afterwards;
 * and in github-app.test.ts, since GitHub takes part.
 */
const apart: readonly RouteName[] = [
  ...(['deleteToken', 'deleteSession', 'issueSshCertificate', 'deleteUser'] as const),
  ...(['listUserSessions', 'deleteUserSession', 'deleteUserSessions', 'deleteUserTokens'] as const),
  ...(['startAppSetup', 'redeemAppCode', 'redeemAppInstallation'] as const),
]
const bound = Object.keys(routes).filter((name): name is RouteName => Object.hasOwn(handlers, name))
const names = bound.filter((name) => !apart.includes(name))

describe.each(databases)('permissions on $name', (source) => {
  let app: TestApp
  const kept = new Map<string, Situation>()

  beforeAll(async () => {
    app = await openTestApp(source, {}, willingHosts())
  })
  afterAll(() => app.close())

  // In one transaction, since there are hundreds of them.
  const arrangeNow = (caller: Caller, target: PermissionTarget, options: ArrangeOptions): Promise<Situation> =>
    app.ctx.db.transaction().execute((db) => arrange({ db, clock: app.ctx.clock }, caller, target, options))

  /** A request that reads or is refused leaves the records as they are, so all such requests of a caller share them. */
  async function situationOf(caller: Caller, target: PermissionTarget, isProtected: boolean): Promise<Situation> {
    const key = `${caller}, ${target}, ${isProtected}`
    const situation = kept.get(key) ?? (await arrangeNow(caller, target, { isProtected, wanted: everyRecord }))
    kept.set(key, situation)
    return situation
  }

  async function answerOf(
    name: RouteName,
    caller: Caller,
    target: PermissionTarget,
    isProtected = false,
  ): Promise<TestAnswer> {
    const changes = routes[name].method !== 'GET' && expectedAnswer(name, caller, target, isProtected).status < 400
    const options = { isProtected, wanted: wantedBy(name) }
    const situation = changes
      ? await arrangeNow(caller, target, options)
      : await situationOf(caller, target, isProtected)
    const { url, body, headers } = requestFor(name, situation.ids)
    // Past the window in which guesses are counted: this is not what is asked here.
    app.moveClock(60_000)
    return app.call(routes[name].method, url, {
      as: situation.caller,
      body,
      headers: { ...headers, 'x-request-id': 'the-same-id' },
    })
  }

  describe.each(names)('%s', (name) => {
    // Each route is asked on both databases by half of the callers, neighbors in rank on different ones.
    test.each(byTurns(source, CALLERS, names.indexOf(name)))('as %s', async (caller) => {
      for (const isProtected of asksProtection(name) ? [false, true] : [false]) {
        const answers = new Map<PermissionTarget, TestAnswer>()
        for (const target of TARGETS) {
          const { status, code } = expectedAnswer(name, caller, target, isProtected)
          const answer = await answerOf(name, caller, target, isProtected)
          const situation = `${target}${isProtected ? ', protected' : ''}: ${answer.text}`
          expect(answer.status, situation).toBe(status)
          if (code !== undefined) expect(answer.body.code, situation).toBe(code)
          answers.set(target, answer)
        }
        if (namesRecord(name)) expectNothingRevealed(answers.get('foreign'), answers.get('absent'))
      }
    })
  })

  test('a token is revoked by its user alone', async () => {
    const own = await arrange(app.ctx, 'owner', 'own', { isProtected: false, wanted: new Set() })
    const other = await arrange(app.ctx, 'owner', 'own', { isProtected: false, wanted: new Set() })
    if (!own.caller || !other.caller) throw new Error('An owner has an account')
    await buildToken(app.ctx, own.caller.id)
    const mine = await app.call('GET', '/api/tokens', { as: own.caller })
    const url = `/api/tokens/${mine.body[0].id}`
    const headers = { 'x-request-id': 'the-same-id' }
    const foreign = await app.call('DELETE', url, { as: other.caller, headers })
    const absent = await app.call('DELETE', '/api/tokens/987654321', { as: other.caller, headers })
    expect(foreign).toMatchObject({ status: 404, text: absent.text })
    expect(await app.call('DELETE', url, {})).toMatchObject({ status: 401 })
    expect(await app.call('DELETE', url, { as: own.caller })).toMatchObject({ status: 204 })
  })
})

/** A caller must not learn whether a foreign record exists. */
function expectNothingRevealed(foreign: TestAnswer | undefined, absent: TestAnswer | undefined): void {
  if (!foreign || !absent) throw new Error('Both are asked for')
  expect(foreign.text).toBe(absent.text)
  expect(comparableHeaders(foreign)).toEqual(comparableHeaders(absent))
}

/** Headers that say something of the record: not the date, and not how many requests are left. */
function comparableHeaders({ headers }: TestAnswer): Record<string, unknown> {
  const { date: _, ratelimit: __, ...rest } = headers
  return rest
}
