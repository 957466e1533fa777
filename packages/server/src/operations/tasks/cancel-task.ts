// Cancels a task: one that waits is over at once, one that runs is asked to stop.
import type { Context } from '../../context.ts'
import { EnvironmentProtected, TooLate } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { isFinal } from '../../domain/tasks/task.ts'
import { updateCancelRequested } from '../../store/tasks/task-queue.ts'
import { findTask, findTaskEnvironment, finishTask, type Task } from '../../store/tasks/tasks.ts'
import { audit } from '../audit.ts'
import { required } from '../required.ts'

export async function cancelTask(ctx: Context, actor: Actor, taskId: number): Promise<Task> {
  const task = await ctx.db.transaction().execute(async (db) => {
    const { environmentId } = required(await findTask(db, actor, taskId), 'task')
    const environment = required(await findTaskEnvironment(db, actor, environmentId), 'environment')
    demand(actor, 'deploy', environment.organizationId)
    if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
    // The write itself tells whether the task still waits, and holds its row: no worker can take it from here on.
    const asked = await updateCancelRequested(db, taskId, ctx.clock())
    const task = required(await findTask(db, actor, taskId), 'task')
    if (isFinal(task.status)) throw TooLate('This task has ended already')
    if (asked === undefined) return task
    if (asked === 'queued') {
      await finishTask(db, taskId, { status: 'canceled', reason: 'canceled_by_user', at: ctx.clock() })
    }
    await audit(ctx, db, actor, {
      organizationId: environment.organizationId,
      action: 'task.canceled',
      target: { kind: 'task', id: taskId, name: environment.name },
    })
    return required(await findTask(db, actor, taskId), 'task')
  })
  ctx.bus.announce({ about: 'cancel', taskId })
  ctx.bus.announce({ about: 'task', taskId })
  return task
}
