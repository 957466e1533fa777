// Tasks that are under way, over HTTP.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildStep,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('active tasks on $name', (source) => {
  const app = stageApp(source)
  const now = () => app.ctx.clock()

  async function stage() {
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: user.id })
    return { user, organization, project }
  }
  const list = async (as: TestUser, headers: Record<string, string> = {}) =>
    app.call('GET', '/api/tasks', { as, headers })
  const idsOf = async (as: TestUser, headers = {}) =>
    (await list(as, headers)).body.map((task: { id: number }) => task.id)

  test('are those that are queued or running, newest first, each as it is by itself', async () => {
    const { user, project } = await stage()
    const [one, two] = [await buildEnvironment(app.ctx, project), await buildEnvironment(app.ctx, project)]
    expect(await list(user)).toMatchObject({ status: 200, body: [] })
    for (const status of ['succeeded', 'failed', 'canceled'] as const)
      await buildTask(app.ctx, one.id, { status, started_at: 1, finished_at: now() })
    const queued = await buildTask(app.ctx, one.id, { started_by: user.id })
    const running = await buildTask(app.ctx, two.id, { status: 'running', started_at: now() - 700 })
    await buildStep(app.ctx, running.id, { status: 'running', started_at: now() - 700, output_from: 3 })
    const behind = await buildTask(app.ctx, two.id, { kind: 'remove' })
    const alone = async (id: number) => (await app.call('GET', `/api/tasks/${id}`, { as: user })).body
    const beside = (environment: { id: number; name: string }) => ({
      environment: { id: environment.id, name: environment.name },
      project: { id: project.id, name: project.name },
    })
    expect((await list(user)).body).toEqual([
      { ...(await alone(behind.id)), ...beside(two) },
      { ...(await alone(running.id)), ...beside(two) },
      { ...(await alone(queued.id)), ...beside(one) },
    ])
  })

  test('are fifty at most, the newest ones', async () => {
    const { user, project } = await stage()
    const ids: number[] = []
    for (let count = 0; count < 52; count++) {
      const { id } = await buildEnvironment(app.ctx, project)
      const state = count % 2 === 0 ? { status: 'running' as const, started_at: now() } : {}
      ids.unshift((await buildTask(app.ctx, id, state)).id)
    }
    expect(await idsOf(user)).toEqual(ids.slice(0, 50))
  })

  test('are visible to members alone, and the header narrows', async () => {
    const [own, foreign] = [await stage(), await stage()]
    const activeIn = async (project: typeof own.project) =>
      (await buildTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)).id
    const mine = await activeIn(own.project)
    const hidden = await activeIn(foreign.project)
    const second = await buildOrganization(app.ctx, [{ user: own.user, role: 'owner' }])
    const other = await activeIn(await buildProject(app.ctx, { organizationId: second.id, ownerId: own.user.id }))
    expect(await idsOf(own.user)).toEqual([other, mine])
    expect(await idsOf(own.user, { 'x-service-organization': String(own.organization.id) })).toEqual([mine])
    expect(await idsOf(foreign.user)).toEqual([hidden])
    const refused = { 'x-service-organization': String(foreign.organization.id) }
    expect(await list(own.user, refused)).toMatchObject({ status: 404 })
    expect(await idsOf(await buildUser(app.ctx))).toEqual([])
  })

  test('are gone from the list as soon as they end', async () => {
    const { user, project } = await stage()
    const { id } = await buildTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
    expect([await idsOf(user), await idsOf(user)]).toEqual([[id], [id]])
    const canceled = { status: 'canceled', finished_at: now() } as const
    await app.ctx.db.updateTable('tasks').set(canceled).where('id', '=', id).execute()
    expect(await idsOf(user)).toEqual([])
  })
})
