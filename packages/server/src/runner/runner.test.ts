// The runner on real records, with a server and a repository that are not there.
import { describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildDeployment, fakeParts, takeNext } from '../../test/deployments.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { releaseLease, updateCancelRequested } from '../store/tasks/task-queue.ts'
import { createRunner } from './runner.ts'

describe.each(databases)('the runner on $name', (source) => {
  const app = stageApp(source)

  const ended = (taskId: number) =>
    new Promise<string>((resolve) => {
      const end = app.ctx.bus.listen(async () => {
        const row = app.ctx.db.selectFrom('tasks').where('id', '=', taskId).where('finished_at', 'is not', null)
        const task = await row.select('status').executeTakeFirst()
        if (!task) return
        end()
        resolve(task.status)
      })
    })

  test('takes over a task that was canceled while its process died, and begins nothing more of it', async () => {
    const { taskId } = await buildDeployment(app.ctx)
    const lease = await takeNext(app.ctx)
    await app.ctx.change(PLATFORM, (tx) => updateCancelRequested(tx, taskId, app.ctx.clock()))
    await releaseLease(app.ctx.db, lease)
    const lines: string[] = []
    const runner = createRunner(app.ctx, fakeParts({}, lines))
    const status = ended(taskId)
    runner.start()
    expect(await status).toBe('canceled')
    await runner.stop()
    expect(lines).toEqual([])
  })

  test.each([
    ['has had all its time begins nothing more', 60, 'failed', 'timed_out'],
    ['has time left goes on', 59, 'succeeded', null],
  ])('a task that %s under the process that takes it over', async (_, minutes, status, reason) => {
    const { taskId } = await buildDeployment(app.ctx)
    const lease = await takeNext(app.ctx)
    const started = app.ctx.db.selectFrom('tasks').where('id', '=', taskId).select('started_at')
    const { started_at: startedAt } = await started.executeTakeFirstOrThrow()
    await app.ctx.db
      .updateTable('tasks')
      .set({ started_at: (startedAt ?? 0) - minutes * 60_000 })
      .where('id', '=', taskId)
      .execute()
    await releaseLease(app.ctx.db, lease)
    const lines: string[] = []
    const runner = createRunner(app.ctx, fakeParts({}, lines))
    const end = ended(taskId)
    runner.start()
    expect(await end).toBe(status)
    await runner.stop()
    const task = app.ctx.db.selectFrom('tasks').where('id', '=', taskId).select('reason')
    expect(await task.executeTakeFirst()).toEqual({ reason })
    expect(lines.length > 0).toBe(status === 'succeeded')
  })
})
