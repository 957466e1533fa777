// Actions over HTTP: which there are, who may run one when, and that a run is no deployment.
import { beforeEach, describe, expect, test } from 'vitest'
import { buildAction } from '../../../test/action-records.ts'
import { databases } from '../../../test/databases.ts'
import { takeNext } from '../../../test/deployments.ts'
import {
  buildEnvironment,
  buildForkEnvironment,
  buildOrganization,
  buildProject,
  buildTask,
  buildUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'

describe.each(databases)('actions on $name', (source) => {
  const app = stageApp(source)
  const { member, owner, project } = stageProject(app, { owner: 'owner', member: 'member' })
  let id: number
  let deployedId: number

  beforeEach(async () => {
    await app.ctx.db
      .updateTable('tasks')
      .set({ status: 'canceled', finished_at: 1 })
      .where('finished_at', 'is', null)
      .execute()
    id = (await buildEnvironment(app.ctx, project)).id
    deployedId = await deployed(id)
    await buildAction(app.ctx, id, { name: 'dump', task_id: deployedId })
    await buildAction(app.ctx, id, { name: 'seed', place: 1, service: 'db', artifact_paths: '[]', task_id: deployedId })
    const disabled = { run: null, artifact_paths: '[]', disabled_reason: 'Use artifacts' }
    await buildAction(app.ctx, id, { name: 'old', place: 2, ...disabled, task_id: deployedId })
  })

  const deployed = async (environmentId: number) => {
    const at = app.ctx.clock()
    const ended = { status: 'succeeded', commit_sha: 'a'.repeat(40), started_at: at, finished_at: at } as const
    return (await buildTask(app.ctx, environmentId, ended)).id
  }
  const run = (name: string, more: { as?: { token: string }; headers?: Record<string, string>; id?: number } = {}) =>
    app.call('POST', `/api/environments/${more.id ?? id}/actions/${name}/tasks`, { as: member, ...more })
  const environment = async () => (await app.call('GET', `/api/environments/${id}`, { as: member })).body

  test('are listed in the order of the file, without what they run', async () => {
    const { status, body } = await app.call('GET', `/api/environments/${id}/actions`, { as: member })
    const without = {
      schedule: null,
      timezone: null,
      catch_up: false,
      next_run_at: null,
      last_run: null,
      schedule_history: [],
    }
    expect({ status, body }).toEqual({
      status: 200,
      body: [
        { name: 'dump', service: null, artifact_paths: ['dump*.sql'], disabled_reason: null, ...without },
        { name: 'seed', service: 'db', artifact_paths: [], disabled_reason: null, ...without },
        { name: 'old', service: null, artifact_paths: [], disabled_reason: 'Use artifacts', ...without },
      ],
    })
  })

  test('are run by a task, which is stored, announced and audited', async () => {
    const { status, headers, body } = await run('dump')
    expect(status).toBe(201)
    expect(headers.location).toBe(`/api/tasks/${body.id}`)
    expect(body).toMatchObject({ kind: 'action', action: 'dump', status: 'queued', environment_id: id, cause: 'api' })
    expect(body.commit.sha).toBe('a'.repeat(40))
    const audited = await app.ctx.db
      .selectFrom('audit_events')
      .where('action', '=', 'action.started')
      .where('target_id', '=', id)
      .selectAll()
      .execute()
    expect(audited).toHaveLength(1)
  })

  test('are no deployment: nothing is locked, and nothing of the environment changes but its last task', async () => {
    const before = await environment()
    await run('dump')
    const last = await run('seed')
    const lease = await takeNext(app.ctx)
    const last_task = { id: last.body.id, status: 'queued', finished_at: null }
    expect(await environment()).toEqual({ ...before, last_task })
    expect(before).toMatchObject({ status: 'running', locked: false, active_task: null, last_task: { id: deployedId } })
    const diagnostics = await app.call('GET', `/api/environments/${id}/diagnostics`, { as: member })
    expect(diagnostics.body.latest_task.id).toBe(deployedId)
    const started = await app.call('POST', `/api/environments/${id}/tasks`, { as: member })
    expect(started.status).toBe(201)
    // And the other way round: a deployment that waits locks no action.
    const { body } = await app.call('POST', `/api/tasks/${lease.taskId}/cancel`, { as: member })
    expect(body.kind).toBe('action')
    expect((await environment()).active_task).toMatchObject({ id: started.body.id, kind: 'deploy' })
  })

  test('have one run at a time, by themselves', async () => {
    const first = await run('dump')
    const second = await run('dump')
    expect(second).toMatchObject({
      status: 409,
      body: { code: 'deployment_in_progress', active_task: { id: first.body.id, kind: 'action' } },
    })
    expect((await run('seed')).status).toBe(201)
    await app.call('POST', `/api/tasks/${first.body.id}/cancel`, { as: member })
    expect((await run('dump')).status).toBe(201)
    const values = {
      environment_id: id,
      kind: 'action',
      action: 'seed',
      status: 'queued',
      cause: 'api',
      created_at: 1,
    } as const
    await expect(app.ctx.db.insertInto('tasks').values(values).execute()).rejects.toThrow()
  })

  test('answer a repeated request with the same run', async () => {
    const headers = { 'idempotency-key': 'one-and-the-same' }
    const [first, second] = [await run('dump', { headers }), await run('dump', { headers })]
    expect([first.status, second.status]).toEqual([201, 201])
    expect(second.body.id).toBe(first.body.id)
  })

  test('are refused with the reason', async () => {
    expect(await run('old')).toMatchObject({
      status: 409,
      body: { code: 'file_action_disabled', detail: 'Use artifacts' },
    })
    expect(await run('none')).toMatchObject({ status: 404, body: { code: 'not_found' } })
    for (const name of ['..%2f..%2fetc', '%00', 'a'.repeat(101), '$(id)', '%27;drop'])
      expect([404, 422, 400]).toContain((await run(name)).status)
    const fresh = (await buildEnvironment(app.ctx, project)).id
    await buildAction(app.ctx, fresh, { task_id: deployedId })
    expect(await run('dump', { id: fresh })).toMatchObject({ status: 409, body: { code: 'nothing_deployed' } })
    const fork = await buildForkEnvironment(app.ctx, project, { number: 9, headSha: 'b'.repeat(40) })
    await buildAction(app.ctx, fork.id, { task_id: deployedId })
    expect(await run('dump', { id: fork.id })).toMatchObject({ status: 409, body: { code: 'approval_required' } })
    await app.ctx.db
      .updateTable('environments')
      .set({ is_protected: 1, owner_id: owner.id })
      .where('id', '=', id)
      .execute()
    expect(await run('dump')).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
    expect((await run('dump', { as: owner })).status).toBe(201)
  })

  test('end with the environment: those that wait at once, those that run as soon as they can', async () => {
    const running = await run('dump')
    const lease = await takeNext(app.ctx)
    expect(lease.taskId).toBe(running.body.id)
    const waiting = await run('seed')
    const removal = await app.call('DELETE', `/api/environments/${id}`, { as: member })
    expect(removal.status).toBe(202)
    expect(await run('seed')).toMatchObject({ status: 409, body: { code: 'environment_removing' } })
    const statusOf = async (taskId: number) =>
      (await app.call('GET', `/api/tasks/${taskId}`, { as: member })).body.status
    expect(await statusOf(waiting.body.id)).toBe('canceled')
    // The removal does not begin while something of the environment still runs.
    await expect(takeNext(app.ctx)).rejects.toThrow('no task')
    await app.ctx.db
      .updateTable('tasks')
      .set({ status: 'canceled', finished_at: 1 })
      .where('id', '=', running.body.id)
      .execute()
    expect((await takeNext(app.ctx)).taskId).toBe(removal.body.id)
  })

  test('do not begin while everything is taken away', async () => {
    const reset = await app.call('POST', `/api/environments/${id}/reset`, { as: member })
    expect(reset.status).toBe(201)
    const action = await run('dump')
    expect((await takeNext(app.ctx)).taskId).toBe(reset.body.id)
    await expect(takeNext(app.ctx)).rejects.toThrow('no task')
    await app.ctx.db
      .updateTable('tasks')
      .set({ status: 'succeeded', finished_at: 1 })
      .where('id', '=', reset.body.id)
      .execute()
    expect((await takeNext(app.ctx)).taskId).toBe(action.body.id)
  })

  test('of another organization are not there', async () => {
    const stranger = await buildUser(app.ctx)
    const { id: organizationId } = await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    const own = await buildEnvironment(app.ctx, await buildProject(app.ctx, { organizationId, ownerId: stranger.id }))
    expect(await run('dump', { as: stranger })).toMatchObject({ status: 404 })
    // One that only another environment has is no action of one's own.
    await deployed(own.id)
    expect(await run('dump', { as: stranger, id: own.id })).toMatchObject({ status: 404 })
  })
})
