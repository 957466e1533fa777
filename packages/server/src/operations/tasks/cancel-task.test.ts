// Canceling: at once where nothing runs yet, by asking where something does, and never after the end.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildRunningTask, buildTask, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import type { ChangeEvent } from '../../domain/change-event.ts'
import { beginStep } from '../../progress/progress.ts'
import { isCancelRequested } from '../../store/tasks/task-queue.ts'

describe.each(databases)('canceling a task on $name', (source) => {
  const app = stageApp(source)
  const { member, owner, project } = stageProject(app, { member: 'member', owner: 'member' })
  let environmentId: number

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })

  const cancel = (id: number, as: TestUser = member) => app.call('POST', `/api/tasks/${id}/cancel`, { as })
  const statusOf = async (id: number) => (await app.call('GET', `/api/tasks/${id}`, { as: member })).body.status
  const auditOf = (id: number) =>
    app.ctx.db
      .selectFrom('audit_events')
      .where('action', '=', 'task.canceled')
      .where('target_id', '=', id)
      .selectAll()
      .execute()

  test('a queued task is over at once', async () => {
    const { id } = await buildTask(app.ctx, environmentId)
    const answer = await cancel(id)
    expect(answer).toMatchObject({ status: 202, body: { id, status: 'canceled', reason: 'canceled_by_user' } })
    expect(answer.body.finished_at).toBe('2026-01-02T03:04:05.678Z')
    expect(await auditOf(id)).toHaveLength(1)
    const again = await app.call('POST', `/api/environments/${environmentId}/tasks`, { as: member })
    expect(again.status).toBe(201)
  })

  test('a running task is asked to stop, and its worker gets an event', async () => {
    const lease = await buildRunningTask(app.ctx, environmentId)
    await beginStep(app.ctx, lease, { position: 1, phase: 'Build', key: 'Build images', name: 'Build image' })
    const heard: ChangeEvent[] = []
    const end = app.ctx.bus.listen((event) => heard.push(event))
    const answer = await cancel(lease.taskId)
    end()
    expect(answer).toMatchObject({
      status: 202,
      body: { status: 'running', reason: null, finished_at: null, phases: [{ name: 'Build' }] },
    })
    expect(await isCancelRequested(app.ctx.db, lease.taskId)).toBe(true)
    expect(heard).toContainEqual({ about: 'cancel', id: lease.taskId })
  })

  test('asking twice changes nothing more', async () => {
    const { taskId } = await buildRunningTask(app.ctx, environmentId)
    await cancel(taskId)
    expect(await cancel(taskId)).toMatchObject({ status: 202, body: { status: 'running' } })
    expect(await auditOf(taskId)).toHaveLength(1)
  })

  test.each(['succeeded', 'failed', 'canceled'] as const)('a task that has %s stays so', async (status) => {
    const { id } = await buildTask(app.ctx, environmentId, { status, started_at: 1, finished_at: 2 })
    expect(await cancel(id)).toMatchObject({ status: 409, body: { code: 'too_late' } })
    expect(await statusOf(id)).toBe(status)
    expect(await auditOf(id)).toEqual([])
  })

  test('of a protected environment only the owner cancels', async () => {
    environmentId = (await buildEnvironment(app.ctx, project, { owner_id: owner.id, is_protected: 1 })).id
    const { id } = await buildTask(app.ctx, environmentId)
    expect(await cancel(id)).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
    expect(await statusOf(id)).toBe('queued')
    expect(await cancel(id, owner)).toMatchObject({ status: 202, body: { status: 'canceled' } })
  })
})
