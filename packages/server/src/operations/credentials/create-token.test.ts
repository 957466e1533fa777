// Personal tokens over HTTP: none can do more than its user, and users see only their own.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildToken, buildUser } from '../../../test/factories.ts'
import { builtBeforeAll } from '../../../test/stage/built-before.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const DAY = 86_400_000

describe.each(databases)('personal tokens on $name', (source) => {
  const app = stageApp(source)
  const user = builtBeforeAll(() => buildUser(app.ctx))
  let first: number
  let second: number
  let foreign: number
  beforeAll(async () => {
    first = (await buildOrganization(app.ctx, [{ user, role: 'viewer' }])).id
    second = (await buildOrganization(app.ctx, [{ user, role: 'owner' }])).id
    foreign = (await buildOrganization(app.ctx)).id
  })

  const create = (body: Record<string, unknown>, as: { token: string } = user) =>
    app.call('POST', '/api/tokens', { as, body: { name: 'CI', scopes: ['read'], ...body } })
  const list = async (as: { token: string }, query = '') => app.call('GET', `/api/tokens${query}`, { as })

  test('a token is shown this once, works, and is kept as a digest alone', async () => {
    const made = await create({ scopes: ['deploy', 'read', 'read'] })
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'CI',
      token: expect.stringMatching(/^shw_pat_[0-9A-Za-z]{49}$/),
      scopes: ['read', 'deploy'],
      organization_id: null,
      created_at: '2026-01-02T03:04:05.678Z',
      expires_at: '2026-04-02T03:04:05.678Z',
      last_used_at: null,
    })
    expect(await app.call('GET', '/api/me', { as: made.body })).toMatchObject({ body: { id: user.id } })
    const listed = await list(user)
    expect(listed.body[0]).toMatchObject({ id: made.body.id, last_used_at: '2026-01-02T03:04:05.678Z' })
    const rows = await app.ctx.db.selectFrom('personal_tokens').selectAll().execute()
    for (const text of [listed.text, JSON.stringify(rows), app.logLines.join('')]) {
      expect(text).not.toContain(made.body.token)
    }
  })

  test('a token gets no scope that its maker lacks', async () => {
    const token = await buildToken(app.ctx, user.id, { scopes: 'read admin' })
    const refused = await create({ scopes: ['read', 'ssh'] }, { token })
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_scope', scope: 'ssh' } })
    expect((await create({ scopes: ['read', 'admin'] }, { token })).status).toBe(201)
  })

  test('a token is bound only to an organization of its maker', async () => {
    const refused = [await create({ organization_id: foreign }), await create({ organization_id: 999_999 })]
    expect(refused.map(({ status, body }) => [status, body.code, body.detail])).toEqual([
      [404, 'not_found', refused[0]?.body.detail],
      [404, 'not_found', refused[0]?.body.detail],
    ])
    const bound = await create({ organization_id: first })
    expect(bound).toMatchObject({ status: 201, body: { organization_id: first } })
    const headers = { 'x-service-organization': String(second) }
    const elsewhere = await app.call('GET', '/api/servers', { as: { token: bound.body.token }, headers })
    expect(elsewhere.status).toBe(403)
  })

  test('a bound token makes, sees and revokes only tokens that are bound to the same organization', async () => {
    const maker = await buildUser(app.ctx)
    const mine = (await buildOrganization(app.ctx, [{ user: maker, role: 'owner' }])).id
    const other = (await buildOrganization(app.ctx, [{ user: maker, role: 'owner' }])).id
    const bound = { token: await buildToken(app.ctx, maker.id, { organization_id: mine }) }
    const elsewhere = await create({ organization_id: other }, maker)
    const made = await create({}, bound)
    expect(made.body.organization_id).toBe(mine)
    expect((await create({ organization_id: other }, bound)).status).toBe(404)
    expect((await create({ organization_id: mine }, bound)).status).toBe(201)
    const seen = (await list(bound)).body.map((token: { organization_id: number }) => token.organization_id)
    expect(seen).toEqual([mine, mine, mine])
    expect((await app.call('DELETE', `/api/tokens/${elsewhere.body.id}`, { as: bound })).status).toBe(404)
    expect((await app.call('DELETE', `/api/tokens/${made.body.id}`, { as: bound })).status).toBe(204)
  })

  test('the list is the own one, newest first, page by page, without what was revoked', async () => {
    const reader = await buildUser(app.ctx)
    const ids: number[] = []
    for (let count = 0; count < 4; count++) ids.unshift((await create({}, reader)).body.id)
    expect((await app.call('DELETE', `/api/tokens/${ids[1]}`, { as: reader })).status).toBe(204)
    const page = await list(reader, '?limit=2')
    const next = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1] ?? ''
    const rest = await app.call('GET', next, { as: reader })
    const seen = [...page.body, ...rest.body].map(({ id }: { id: number }) => id)
    expect(seen.slice(0, 3)).toEqual([ids[0], ids[2], ids[3]])
    // The fourth is the one that the test itself came with.
    expect(seen).toHaveLength(4)
    expect(rest.headers.link).toBeUndefined()
  })

  test('a revoked token opens nothing, and cannot be revoked again', async () => {
    const made = await create({})
    expect((await app.call('DELETE', `/api/tokens/${made.body.id}`, { as: user })).status).toBe(204)
    expect(await app.call('GET', '/api/me', { as: made.body })).toMatchObject({ body: { code: 'invalid_token' } })
    expect((await app.call('DELETE', `/api/tokens/${made.body.id}`, { as: user })).status).toBe(404)
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', made.body.id)
      .select('action')
      .orderBy('id')
      .execute()
    expect(events.map(({ action }) => action)).toEqual(['token.created', 'token.revoked'])
  })

  test("another's token and one that is not there answer alike", async () => {
    const { body } = await create({}, await buildUser(app.ctx))
    const answers = [body.id, 999_999].map((id) => app.call('DELETE', `/api/tokens/${id}`, { as: user }))
    const [others, absent] = await Promise.all(answers)
    expect(others?.status).toBe(404)
    expect({ ...others?.body, instance: '', request_id: '' }).toEqual({ ...absent?.body, instance: '', request_id: '' })
    expect((await app.call('GET', '/api/me', { as: body })).status).toBe(200)
  })

  test('a hundred live tokens are enough; an expired or revoked one makes room', async () => {
    const hoarder = await buildUser(app.ctx)
    for (let count = 0; count < 98; count++) await buildToken(app.ctx, hoarder.id)
    await buildToken(app.ctx, hoarder.id, { expires_at: app.ctx.clock() })
    await buildToken(app.ctx, hoarder.id, { revoked_at: app.ctx.clock() })
    const answers = await Promise.all([create({}, hoarder), create({}, hoarder), create({}, hoarder)])
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    expect(answers.find(({ status }) => status === 422)?.body.errors).toMatchObject([{ code: 'too_many' }])
  })

  test.each([
    { scopes: [] },
    { scopes: ['root'] },
    { name: '' },
    { expires_in_days: 0 },
    { expires_in_days: 367 },
    { expires_in_days: 1.5 },
    { user_id: 1 },
    { token: 'shw_pat_mine' },
  ])('%j is refused', async (body) => {
    expect(await create(body)).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
  })

  test('a token ends on its day', async () => {
    const { body } = await create({ expires_in_days: 1 })
    app.moveClock(DAY)
    expect(await app.call('GET', '/api/me', { as: body })).toMatchObject({
      status: 401,
      body: { code: 'token_expired' },
    })
  })
})
