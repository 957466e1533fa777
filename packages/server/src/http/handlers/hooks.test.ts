// Webhooks over HTTP: who may make them, where they may go, and what is kept of what was sent.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildHook, buildHookDelivery } from '../../../test/hooks/hook-records.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { deleteOldHookDeliveries } from '../../store/hooks/hook-deliveries.ts'

const DAY = 86_400_000

describe.each(databases)('webhooks over HTTP on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>

  beforeAll(async () => {
    project = await buildOwnedProject(app.ctx)
  })

  const create = (body: object, of = project) =>
    app.call('POST', `/api/projects/${of.id}/hooks`, { as: of.owner, body })

  test('a secret is shown once, stored sealed, and never shown again', async () => {
    const { status, body, headers } = await create({ url: 'https://hooks.example.com/x' })
    expect([status, headers.location]).toEqual([201, `/api/hooks/${body.id}`])
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/)
    expect(body.events.length).toBe(4)
    const row = await app.ctx.db.selectFrom('hooks').where('id', '=', body.id).selectAll().executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toContain(body.secret.slice(6))
    for (const path of [`/api/hooks/${body.id}`, `/api/projects/${project.id}/hooks`])
      expect((await app.call('GET', path, { as: project.owner })).text).not.toContain('whsec_')
    expect(app.logLines.join()).not.toContain(body.secret)
  })

  test.each([
    [{}, '/url', 'required'],
    [{ url: 'ftp://x.example.com/' }, '/url', 'invalid_url'],
    [{ url: 'http://169.254.169.254/' }, '/url', 'network_not_allowed'],
    [{ url: 'http://localhost:5432/' }, '/url', 'network_not_allowed'],
    [{ url: 'https://a:b@x.example.com/' }, '/url', 'invalid_url'],
    [{ url: 'https://x.example.com/', events: [] }, '/events', 'too_small'],
    [{ url: 'https://x.example.com/', events: ['hook.test'] }, '/events/0', 'invalid_value'],
    [{ url: 'https://x.example.com/', secret: 'mine' }, '/secret', 'unknown_field'],
  ])('%j is refused by name', async (body, pointer, code) => {
    const answer = await create(body)
    expect([answer.status, answer.body.errors?.[0]]).toMatchObject([422, { pointer, code }])
  })

  test('a webhook moves to no private address either', async () => {
    const { body } = await create({ url: 'https://hooks.example.com/x' })
    const patch = (changes: object) => app.call('PATCH', `/api/hooks/${body.id}`, { as: project.owner, body: changes })
    expect((await patch({ url: 'http://10.0.0.1/' })).status).toBe(422)
    const changed = await patch({
      url: 'https://other.example.com/',
      events: ['deployment.failed', 'deployment.failed'],
    })
    expect(changed.body).toMatchObject({ url: 'https://other.example.com/', events: ['deployment.failed'] })
  })

  test('a project has twenty at most', async () => {
    const other = await buildOwnedProject(app.ctx)
    for (let count = 0; count < 20; count++) await buildHook(app.ctx, other.id)
    expect(await create({ url: 'https://hooks.example.com/x' }, other)).toMatchObject({
      status: 409,
      body: { code: 'in_use', detail: expect.stringContaining('Delete one first') },
    })
  })

  test('what a person sends by hand is counted', async () => {
    const other = await buildOwnedProject(app.ctx)
    const { id } = await buildHook(app.ctx, other.id)
    const statuses = new Set<number>()
    for (let count = 0; count < 61; count++)
      statuses.add((await app.call('POST', `/api/hooks/${id}/test`, { as: other.owner })).status)
    expect([...statuses]).toEqual([201, 429])
  })

  test('a delivery is sent again through its own webhook alone', async () => {
    const [mine, others] = [await buildHook(app.ctx, project.id), await buildHook(app.ctx, project.id)]
    const delivery = await buildHookDelivery(app.ctx, mine, { status: 'failed', attempts: 10 })
    const redeliver = (hookId: number) =>
      app.call('POST', `/api/hooks/${hookId}/deliveries/${delivery.id}/redelivery`, { as: project.owner })
    expect((await redeliver(others.id)).status).toBe(404)
    expect(await redeliver(mine.id)).toMatchObject({ status: 202, body: { status: 'pending', attempts: 0 } })
  })

  test('deliveries are listed newest first, a page at a time', async () => {
    const hook = await buildHook(app.ctx, project.id)
    const ids = []
    for (let count = 0; count < 3; count++) ids.push((await buildHookDelivery(app.ctx, hook)).id)
    const first = await app.call('GET', `/api/hooks/${hook.id}/deliveries?limit=2`, { as: project.owner })
    expect(first.body.map(({ id }: { id: number }) => id)).toEqual([ids[2], ids[1]])
    const next = /<([^>]+)>/.exec(String(first.headers.link))?.[1] ?? ''
    expect((await app.call('GET', next, { as: project.owner })).body).toMatchObject([{ id: ids[0] }])
  })

  test('old deliveries go, those that wait stay, and so many of them', async () => {
    const other = await buildOwnedProject(app.ctx)
    const hook = await buildHook(app.ctx, other.id)
    const now = app.ctx.clock()
    const ended = { status: 'succeeded', attempts: 1 } as const
    await buildHookDelivery(app.ctx, hook, { ...ended, created_at: now - 31 * DAY })
    const waiting = await buildHookDelivery(app.ctx, hook, { created_at: now - 31 * DAY })
    for (let count = 0; count < 205; count++) await buildHookDelivery(app.ctx, hook, ended)
    while (await deleteOldHookDeliveries(app.ctx.db, now));
    const left = await app.ctx.db.selectFrom('hook_deliveries').where('hook_id', '=', hook.id).selectAll().execute()
    expect([left.length, left.some(({ id }) => id === waiting.id)]).toEqual([201, true])
    const messages = app.ctx.db.selectFrom('hook_messages').where('project_id', '=', other.id).selectAll()
    expect((await messages.execute()).length).toBe(201)
  })
})
