// Actions have places of their own in the runner: none keeps a deployment waiting, nor the other way round.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { buildOwnedProject } from '../../../test/owned-project.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { countRunningOn, takeTask } from './task-queue.ts'

describe.each(databases)('the places of actions on $name', (source) => {
  let app: TestApp
  let project: Awaited<ReturnType<typeof buildOwnedProject>>

  beforeEach(async () => {
    app = await openTestApp(source)
    project = await buildOwnedProject(app.ctx)
  })
  afterEach(() => app.close())

  const environment = async () => (await buildEnvironment(app.ctx, project)).id
  const action = async (environmentId: number, name = 'dump') =>
    (await buildTask(app.ctx, environmentId, { kind: 'action', action: name })).id
  const takeAll = async (limits: { mostInAll?: number; mostPerServer?: number } = {}) => {
    const taken: number[] = []
    for (;;) {
      const all = { worker: 'a', mostInAll: 10, mostPerServer: 10, ...limits }
      const task = await app.ctx.change(PLATFORM, (tx) => takeTask(tx, all))
      if (!task) return taken
      taken.push(task.taskId)
    }
  }

  test('are as many as those of deployments, on each server and in all', async () => {
    const actions = [
      await action(await environment()),
      await action(await environment()),
      await action(await environment()),
    ]
    expect(await takeAll({ mostPerServer: 2 })).toEqual(actions.slice(0, 2))
    const deployments = [await environment(), await environment(), await environment()]
    const ids = await Promise.all(deployments.map(async (id) => (await buildTask(app.ctx, id)).id))
    expect(await takeAll({ mostPerServer: 2 })).toHaveLength(2)
    expect(await takeAll({ mostInAll: 4, mostPerServer: 10 })).toHaveLength(2)
    expect(ids).toHaveLength(3)
    expect(await countRunningOn(app.ctx.db, project.serverId)).toBe(3)
  })

  test('several of one environment run at once, beside its deployment', async () => {
    const id = await environment()
    const ids = [await action(id, 'dump'), (await buildTask(app.ctx, id)).id, await action(id, 'seed')]
    expect((await takeAll()).sort()).toEqual(ids.sort())
  })

  test('an action runs where the environment serves, as it was deployed there', async () => {
    const id = await environment()
    const ended = { status: 'succeeded', started_at: 1, finished_at: 2, recipe: 'manual' } as const
    const served = await buildTask(app.ctx, id, ended)
    const other = await buildOwnedProject(app.ctx)
    const moved = { server_id: other.serverId, recipe: 'docker' } as const
    await app.ctx.db.updateTable('environments').set(moved).where('id', '=', id).execute()
    const taskId = await action(id)
    await takeAll()
    const row = await app.ctx.db.selectFrom('tasks').where('id', '=', taskId).selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ server_id: served.server_id, recipe: 'manual', status: 'running' })
  })
})
