// Tasks in the database: which moves their status makes, and which it refuses.
import { TaskStatus } from '@shipway/api/tasks'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildTask, buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { isFinal, LEGAL_PREDECESSORS } from '../../domain/tasks/task.ts'
import { violatedUnique } from '../database.ts'
import { finishTask, insertTask, startTask } from './task-states.ts'
import { findActiveTask } from './tasks.ts'

describe.each(databases)('tasks on $name', (source) => {
  const app = stageApp(source)
  let userId: number
  let newEnvironment: () => Promise<number>

  beforeAll(async () => {
    const user = await buildUser(app.ctx)
    userId = user.id
    const { id: organizationId } = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const project = await buildProject(app.ctx, { organizationId, ownerId: user.id })
    newEnvironment = async () => (await buildEnvironment(app.ctx, project)).id
  })

  const statusOf = async (id: number) =>
    (await app.ctx.db.selectFrom('tasks').where('id', '=', id).select('status').executeTakeFirstOrThrow()).status

  const move = (id: number, status: TaskStatus) =>
    status === 'running' || status === 'queued'
      ? app.ctx.change(PLATFORM, (tx) => startTask(tx, id, 5))
      : app.ctx.change(PLATFORM, (tx) => finishTask(tx, id, { status, at: 9 }))

  test('a task is queued, runs and succeeds', async () => {
    const environment_id = await newEnvironment()
    const cause = 'system'
    const task = await app.ctx.change(PLATFORM, (tx) =>
      insertTask(tx, {
        environment_id,
        kind: 'remove',
        cause,
        started_by: userId,
        created_at: 1,
      }),
    )
    expect(task).toMatchObject({
      environmentId: environment_id,
      kind: 'remove',
      status: 'queued',
      startedBy: { id: userId },
    })
    expect(await app.ctx.change(PLATFORM, (tx) => startTask(tx, task.id, 2))).toBe(true)
    expect(await app.ctx.change(PLATFORM, (tx) => finishTask(tx, task.id, { status: 'succeeded', at: 3 }))).toBe(true)
    const row = await app.ctx.db.selectFrom('tasks').where('id', '=', task.id).selectAll().executeTakeFirstOrThrow()
    expect(row).toMatchObject({ status: 'succeeded', reason: null, created_at: 1, started_at: 2, finished_at: 3 })
  })

  const reachable = TaskStatus.options.filter((status) => LEGAL_PREDECESSORS[status].length > 0)
  const moves = TaskStatus.options.flatMap((from) => reachable.map((to) => ({ from, to })))
  test.each(moves)('from $from to $to only where the drawing has it', async ({ from, to }) => {
    const task = await buildTask(app.ctx, await newEnvironment(), {
      status: from,
      finished_at: isFinal(from) ? 4 : null,
    })
    const isLegal = LEGAL_PREDECESSORS[to].includes(from)
    expect(await move(task.id, to)).toBe(isLegal)
    expect(await statusOf(task.id)).toBe(isLegal ? to : from)
  })

  test('of two that finish one task, one does', async () => {
    const task = await buildTask(app.ctx, await newEnvironment(), { status: 'running', started_at: 1 })
    const finished = await Promise.all([move(task.id, 'failed'), move(task.id, 'canceled')])
    expect(finished.toSorted()).toEqual([false, true])
  })

  test('an environment has one queued task', async () => {
    const environment_id = await newEnvironment()
    const task = { environment_id, kind: 'deploy', cause: 'push', created_at: 1 } as const
    await app.ctx.change(PLATFORM, (tx) => insertTask(tx, task))
    const second = await app.ctx.change(PLATFORM, (tx) => insertTask(tx, task)).catch(violatedUnique)
    expect(second).toBe('tasks(environment_id)')
  })

  test('the active task is the one that came first, and none once all have ended', async () => {
    const environmentId = await newEnvironment()
    const running = await buildTask(app.ctx, environmentId, { status: 'running', started_at: 1 })
    const queued = await buildTask(app.ctx, environmentId)
    expect(await findActiveTask(app.ctx.db, environmentId)).toMatchObject({ id: running.id, status: 'running' })
    await move(running.id, 'failed')
    expect(await findActiveTask(app.ctx.db, environmentId)).toMatchObject({ id: queued.id, status: 'queued' })
    await move(queued.id, 'canceled')
    expect(await findActiveTask(app.ctx.db, environmentId)).toBeUndefined()
  })
})
