// Environments of pull requests go when nothing was deployed for as long as their project says, and come back with the next commit.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildEnvironment, buildStep, buildTask } from '../../../test/factories.ts'
import {
  buildHookedProject,
  commit,
  deliver,
  type HookedProject,
  pullRequest,
  stateOf,
} from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { endTask } from '../../progress/progress.ts'
import { listExpiredEnvironments } from '../../store/environments/expired-environments.ts'
import { expireEnvironments } from './expire-environments.ts'
import { retryRemovals } from './retry-removals.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

describe.each(databases)('expiry on $name', (source) => {
  const app = stageApp(source)
  let project: HookedProject

  beforeEach(async () => {
    await endAllTasks(app.ctx)
    await app.ctx.db.updateTable('projects').set({ expire_after_hours: null }).execute()
    project = await buildHookedProject(app.ctx)
    expect(await limit('72h')).toMatchObject({ status: 200, body: { expire_after: '3d' } })
    app.moveClock(2 * DAY)
  })

  const limit = (value: unknown) =>
    app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: { expire_after: value } })
  const build = (overrides: Parameters<typeof buildEnvironment>[2] = {}) =>
    buildEnvironment(app.ctx, project, { type: 'pull_request', pull_request_number: 7, name: 'pr-7', ...overrides })
  const deployed = (environmentId: number) => {
    const at = app.ctx.clock()
    return buildTask(app.ctx, environmentId, { status: 'succeeded', started_at: at, finished_at: at })
  }
  const tasks = async () => (await stateOf(app.ctx, project.id)).tasks
  const shown = async (id: number) => (await app.call('GET', `/api/environments/${id}`, { as: project.owner })).body
  const finish = async (status: 'succeeded' | 'failed' | 'canceled' = 'succeeded') => {
    const lease = await takeNext(app.ctx)
    await buildStep(app.ctx, lease.taskId, { phase: 'Start', status: 'succeeded' })
    await endTask(app.ctx, lease, { status, ...(status === 'failed' && { reason: 'server_unreachable' }) })
  }

  test('its time starts again when a user extends it, who may deploy it', async () => {
    const environment = await build()
    await deployed(environment.id)
    app.moveClock(3 * DAY - 1)
    const extend = (as = project.owner) => app.call('POST', `/api/environments/${environment.id}/extend`, { as })
    const until = new Date(app.ctx.clock() + 3 * DAY).toISOString()
    expect(await extend()).toMatchObject({ status: 200, body: { id: environment.id, expires_at: until } })
    expect(await shown(environment.id)).toMatchObject({ expires_at: until })
    app.moveClock(3 * DAY - 1)
    await expireEnvironments(app.ctx)
    expect(await tasks()).toEqual(['pr-7 deploy succeeded '])
    const [event] = (
      await app.call('GET', `/api/organizations/${project.organization_id}/audit`, { as: project.owner })
    ).body
    expect(event).toMatchObject({ action: 'environment.extended', target: { name: 'pr-7' } })
    app.moveClock(1)
    await expireEnvironments(app.ctx)
    expect(await extend()).toMatchObject({ status: 409, body: { code: 'too_late' } })
  })

  test('one goes when its time is over, not before, and the records say why', async () => {
    const environment = await build()
    await deployed(environment.id)
    expect(await shown(environment.id)).toMatchObject({ expires_at: new Date(app.ctx.clock() + 3 * DAY).toISOString() })
    app.moveClock(3 * DAY - 1)
    await expireEnvironments(app.ctx)
    expect(await tasks()).toEqual(['pr-7 deploy succeeded '])
    app.moveClock(1)
    await expireEnvironments(app.ctx)
    await expireEnvironments(app.ctx)
    expect(await tasks()).toEqual(['pr-7 deploy succeeded ', 'pr-7 remove queued '])
    const { active_task, expires_at } = await shown(environment.id)
    expect(expires_at).toBe(null)
    const task = await app.call('GET', `/api/tasks/${active_task.id}`, { as: project.owner })
    expect(task.body).toMatchObject({ kind: 'remove', reason: 'expired', cause: 'system', started_by: null })
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', environment.id)
      .selectAll()
      .execute()
    expect(events.filter(({ target_kind }) => target_kind === 'environment')).toMatchObject([
      { action: 'environment.expired', user_name: 'Shipway' },
    ])
  })

  test('a deployment renews it, whether it succeeds or not', async () => {
    const environment = await build()
    await deployed(environment.id)
    app.moveClock(3 * DAY - HOUR)
    await buildTask(app.ctx, environment.id)
    await finish('failed')
    app.moveClock(2 * HOUR)
    await expireEnvironments(app.ctx)
    expect((await tasks()).length).toBe(2)
    expect(Date.parse((await shown(environment.id)).expires_at)).toBe(app.ctx.clock() + 3 * DAY - 2 * HOUR)
  })

  test.each(['queued', 'running'] as const)(
    'one whose deployment is %s stays, also where it came in the last moment',
    async (status) => {
      const environment = await build()
      await deployed(environment.id)
      app.moveClock(30 * DAY)
      const [found] = await listExpiredEnvironments(app.ctx.db, { now: app.ctx.clock(), most: 10 })
      expect(found).toEqual({ environmentId: environment.id, projectId: project.id })
      await buildTask(app.ctx, environment.id, {
        status,
        ...(status === 'running' && { started_at: app.ctx.clock(), worker: 'test', epoch: 1 }),
      })
      await expireEnvironments(app.ctx)
      expect(await tasks()).toEqual(['pr-7 deploy succeeded ', `pr-7 deploy ${status} `])
    },
  )

  test('deployments and expiry at the same moment leave one of the two', async () => {
    const environment = await build()
    await deployed(environment.id)
    app.moveClock(30 * DAY)
    const [answer] = await Promise.all([
      app.call('POST', `/api/environments/${environment.id}/tasks`, { as: project.owner }),
      expireEnvironments(app.ctx),
      expireEnvironments(app.ctx),
    ])
    const left = (await tasks()).slice(1)
    expect(left).toEqual([answer.status === 201 ? 'pr-7 deploy queued ' : 'pr-7 remove queued '])
    expect([201, 409]).toContain(answer.status)
  })

  test('sticky, protected and manual ones stay, and those of projects without a lifetime', async () => {
    await build({ is_sticky: 1 })
    await build({ name: 'pr-8', pull_request_number: 8, is_protected: 1 })
    await build({ name: 'manual', pull_request_number: null, type: 'manual' })
    app.moveClock(30 * DAY)
    await expireEnvironments(app.ctx)
    expect(await limit(null)).toMatchObject({ status: 200, body: { expire_after: null } })
    await build({ name: 'pr-9', pull_request_number: 9, created_at: 0, updated_at: 0 })
    app.moveClock(2 * DAY)
    await expireEnvironments(app.ctx)
    expect(await tasks()).toEqual([])
  })

  test('a shorter lifetime, and a protection that is taken off, give a day', async () => {
    const environment = await build({ is_protected: 1 })
    await deployed(environment.id)
    app.moveClock(30 * DAY)
    const body = { protected: false }
    expect(
      (await app.call('PATCH', `/api/environments/${environment.id}`, { as: project.owner, body })).body,
    ).toMatchObject({
      expires_at: new Date(app.ctx.clock() + DAY).toISOString(),
    })
    app.moveClock(DAY - 1)
    await limit('1h')
    app.moveClock(DAY - 1)
    await expireEnvironments(app.ctx)
    // Said once more, it is no other.
    await limit('1h')
    expect((await tasks()).length).toBe(1)
    app.moveClock(1)
    await expireEnvironments(app.ctx)
    expect((await tasks()).length).toBe(2)
  })

  test('a failed removal is retried, and a canceled one is not', async () => {
    const environment = await build()
    await deployed(environment.id)
    app.moveClock(30 * DAY)
    await expireEnvironments(app.ctx)
    await finish('failed')
    await expireEnvironments(app.ctx)
    expect((await tasks()).length).toBe(2)
    app.moveClock(2 * 60_000)
    await retryRemovals(app.ctx)
    expect((await tasks()).length).toBe(3)
    await finish('canceled')
    app.moveClock(DAY)
    await retryRemovals(app.ctx)
    await expireEnvironments(app.ctx)
    expect((await tasks()).length).toBe(3)
  })

  test('the next commit brings it back, and nothing else does', async () => {
    await deliver(app, project, 'pull_request', pullRequest('opened'))
    await finish()
    app.moveClock(30 * DAY)
    await expireEnvironments(app.ctx)
    const [environment] = (await stateOf(app.ctx, project.id)).rows.environments
    const at = app.ctx.clock()
    await app.ctx.db
      .updateTable('environments')
      .set({ removed_at: at })
      .where('id', '=', environment?.id ?? 0)
      .execute()
    await app.ctx.db
      .deleteFrom('domains')
      .where('environment_id', '=', environment?.id ?? 0)
      .execute()
    await endAllTasks(app.ctx)
    const deliverEvent = async (event: object) => (await deliver(app, project, 'pull_request', event)).body
    expect(await deliverEvent(pullRequest('edited', { at: 5, title: 'Other' }))).toEqual({
      verdict: 'ignored',
      reason: 'environment_expired',
    })
    expect(await deliverEvent(pullRequest('synchronize', { at: 6, sha: commit('b') }))).toMatchObject({
      verdict: 'accepted',
    })
    expect((await tasks()).at(-1)).toBe('pr-7 deploy queued b')
  })

  test('a commit that comes while it is still to be removed keeps it', async () => {
    await deliver(app, project, 'pull_request', pullRequest('opened'))
    await finish()
    app.moveClock(30 * DAY)
    await expireEnvironments(app.ctx)
    await deliver(app, project, 'pull_request', pullRequest('synchronize', { at: 6, sha: commit('b') }))
    expect(await tasks()).toEqual(['pr-7 deploy succeeded a', 'pr-7 remove canceled ', 'pr-7 deploy queued b'])
  })

  test.each([0, -1, 72, true, '', '0h', '-1d', '1', '366d', '9999d', '99999999h', '1.5d', '7 d', 'never', {}, []])(
    '%j is no lifetime',
    async (value) => {
      expect(await limit(value)).toMatchObject({ status: 422, body: { errors: [{ pointer: '/expire_after' }] } })
    },
  )
})
