// `Idempotency-Key`, seen through a change of variables: how often did it happen, and what is answered.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildToken,
  buildUser,
  type TestUser,
} from '../../test/factories.ts'
import { stageApp } from '../../test/stage/stage-app.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE

describe.each(databases)('idempotency keys on $name', (source) => {
  const app = stageApp(source)
  let user: TestUser
  let colleague: TestUser
  let project: Awaited<ReturnType<typeof buildProject>>
  let environmentId: number
  let key = 0

  beforeAll(async () => {
    user = await buildUser(app.ctx)
    colleague = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [
      { user, role: 'member' },
      { user: colleague, role: 'member' },
    ])
    project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: user.id })
  })
  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project)).id
    key++
  })

  const change = { set: { A: '1' } }
  const path = () => `/api/environments/${environmentId}/variables`
  const patch = (body: unknown = change, more: { as?: TestUser; headers?: Record<string, string> } = {}) =>
    app.call('PATCH', path(), {
      as: more.as ?? user,
      body,
      headers: { 'idempotency-key': `key-${key}`, ...more.headers },
    })
  /** Each change that happened made the version one more. */
  const timesChanged = async () => (await app.call('GET', path(), { as: user })).body.version
  /** As a process leaves it that dies between the claim and the answer. */
  const forgetAnswer = () =>
    app.ctx.db
      .updateTable('idempotency_keys')
      .set({ answer_body: null, answer_headers: null })
      .where('key', '=', `key-${key}`)
      .execute()

  test('a repeated request gets the first answer and changes nothing', async () => {
    const first = await patch()
    const again = await patch()
    expect(first.headers).not.toHaveProperty('idempotent-replayed')
    expect(again).toMatchObject({
      status: first.status,
      text: first.text,
      headers: { etag: '"v1"', 'idempotent-replayed': 'true', 'content-type': first.headers['content-type'] },
    })
    expect(await timesChanged()).toBe(1)
  })

  test('the first answer is given even when something has changed since', async () => {
    const first = await patch()
    await app.call('PATCH', path(), { as: user, body: { unset: ['A'] } })
    expect((await patch()).text).toBe(first.text)
    expect(await timesChanged()).toBe(2)
  })

  test('without the header every request counts', async () => {
    for (let time = 0; time < 2; time++) await app.call('PATCH', path(), { as: user, body: change })
    expect(await timesChanged()).toBe(2)
  })

  test('the same key for something else is refused', async () => {
    await patch()
    const refused = { status: 409, body: { code: 'idempotency_key_reused' } }
    expect(await patch({ set: { A: '2' } })).toMatchObject(refused)
    expect(await patch(change, { headers: { 'if-match': '"v1"' } })).toMatchObject(refused)
    environmentId = (await buildEnvironment(app.ctx, project)).id
    expect(await patch()).toMatchObject(refused)
    expect(await timesChanged()).toBe(0)
  })

  test('five requests at once with one key change once', async () => {
    const answers = await Promise.all(Array.from({ length: 5 }, () => patch()))
    expect(await timesChanged()).toBe(1)
    const fresh = answers.filter(({ status, headers }) => status === 200 && !headers['idempotent-replayed'])
    expect(fresh).toHaveLength(1)
    for (const answer of answers) {
      if (answer.status === 200) expect(answer.text).toBe(fresh[0]?.text)
      else expect(answer).toMatchObject({ status: 409, body: { code: 'request_in_progress' } })
    }
    expect(await patch()).toMatchObject({ text: fresh[0]?.text, headers: { 'idempotent-replayed': 'true' } })
  })

  test('a request that was refused frees its key', async () => {
    expect(await patch({ set: { SERVICE_DOMAIN: 'x' } })).toMatchObject({ status: 422 })
    expect(await patch()).toMatchObject({ status: 200 })
    expect(await timesChanged()).toBe(1)
  })

  test('a key is held while its first request is being answered, and taken over when that one has died', async () => {
    await patch()
    await forgetAnswer()
    app.moveClock(MINUTE)
    expect(await patch()).toMatchObject({ status: 409, body: { code: 'request_in_progress' } })
    app.moveClock(1)
    const answers = await Promise.all([patch(), patch()])
    expect(answers.filter(({ status, headers }) => status === 200 && !headers['idempotent-replayed'])).toHaveLength(1)
    expect(await timesChanged()).toBe(2)
    expect((await patch()).headers).toMatchObject({ 'idempotent-replayed': 'true' })
  })

  test('a key is remembered for a day', async () => {
    await patch()
    app.moveClock(DAY)
    expect((await patch()).headers).toMatchObject({ 'idempotent-replayed': 'true' })
    app.moveClock(1)
    expect((await patch()).headers).not.toHaveProperty('idempotent-replayed')
    expect(await timesChanged()).toBe(2)
  })

  test('a key is its user\u2019s own', async () => {
    await patch()
    const answer = await patch({ set: { B: '2' } }, { as: colleague })
    expect(answer).toMatchObject({ status: 200, body: { version: 2 } })
    expect(answer.headers).not.toHaveProperty('idempotent-replayed')
  })

  test('a caller that has lost a right since, or has another sign-in, does not get the earlier answer', async () => {
    const first = await patch()
    const members = app.ctx.db.updateTable('memberships').where('user_id', '=', user.id)
    const refused = { status: 409, body: { code: 'idempotency_key_reused' } }
    await members.set({ role: 'viewer' }).execute()
    expect(await patch()).toMatchObject(refused)
    await members.set({ role: 'member' }).execute()
    const another = { ...user, token: await buildToken(app.ctx, user.id) }
    expect(await patch(change, { as: another })).toMatchObject(refused)
    expect((await patch()).text).toBe(first.text)
    expect(await timesChanged()).toBe(1)
  })

  test.each(['', 'with space', 'é', 'x'.repeat(256)])('the key %j is refused', async (bad) => {
    const answer = await patch(change, { headers: { 'idempotency-key': bad } })
    expect(answer).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/headers/idempotency-key', code: 'invalid_idempotency_key' }] },
    })
    expect(await timesChanged()).toBe(0)
  })
})
