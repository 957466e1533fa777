// What should be gone and could not be removed is tried again, and a project on its way out says why it is still there.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildEnvironment, buildStep, buildTask } from '../../../test/factories.ts'
import { buildHookedProject, deliver, type HookedProject, pullRequest, stateOf } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { endTask } from '../../progress/progress.ts'
import { retryRemovals } from './retry-removals.ts'

describe.each(databases)('removals on $name', (source) => {
  const app = stageApp(source)
  let project: HookedProject

  beforeEach(async () => {
    await endAllTasks(app.ctx)
    project = await buildHookedProject(app.ctx)
  })

  const tasks = async () => (await stateOf(app.ctx, project.id)).tasks
  const get = () => app.call('GET', `/api/projects/${project.id}`, { as: project.owner })
  const fail = async () => {
    const lease = await takeNext(app.ctx)
    await buildStep(app.ctx, lease.taskId, { status: 'failed', message: 'Server 1 cannot be reached' })
    await endTask(app.ctx, lease, { status: 'failed', reason: 'server_unreachable' })
  }
  const running = async (overrides = {}) => {
    const environment = await buildEnvironment(app.ctx, project, overrides)
    await buildTask(app.ctx, environment.id, { status: 'succeeded', started_at: 1, finished_at: 2 })
    return environment
  }

  test('a project stays until its last environment is off its server, and says what keeps it', async () => {
    const { name } = await running()
    const deleted = await app.call('DELETE', `/api/projects/${project.id}`, { as: project.owner })
    expect(deleted.body).toMatchObject({ status: 'deleting', status_reason: null })
    await fail()
    expect((await get()).body).toMatchObject({ status: 'deleting', status_reason: 'Server 1 cannot be reached' })
    await retryRemovals(app.ctx)
    expect((await tasks()).length).toBe(2)
    app.moveClock(61_000)
    await retryRemovals(app.ctx)
    await retryRemovals(app.ctx)
    expect(await tasks()).toEqual([`${name} deploy succeeded `, `${name} remove failed `, `${name} remove queued `])
    await fail()
    app.moveClock(61_000)
    await retryRemovals(app.ctx)
    expect((await tasks()).length).toBe(3)
    app.moveClock(61_000)
    await retryRemovals(app.ctx)
    expect((await tasks()).length).toBe(4)
  })

  test('the project goes when nothing of it is left', async () => {
    await app.ctx.db.updateTable('projects').set({ deleting_since: 1 }).where('id', '=', project.id).execute()
    await retryRemovals(app.ctx)
    expect((await get()).status).toBe(404)
  })

  test('the environment of a merged pull request is tried again, also a protected one of a project on its way out', async () => {
    await deliver(app, project, 'pull_request', pullRequest('opened'))
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    await deliver(app, project, 'pull_request', pullRequest('closed', { isMerged: true, at: 5 }))
    await fail()
    app.moveClock(61_000)
    await retryRemovals(app.ctx)
    expect((await tasks()).at(-1)).toBe('pr-7 remove queued ')
  })

  test('a failed removal that a user requested is not retried automatically', async () => {
    const environment = await running()
    await app.call('DELETE', `/api/environments/${environment.id}`, { as: project.owner })
    await fail()
    app.moveClock(3_600_000)
    await retryRemovals(app.ctx)
    expect((await tasks()).length).toBe(2)
  })
})
