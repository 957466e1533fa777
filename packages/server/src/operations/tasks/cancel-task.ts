// Cancels a task: a queued one ends at once, a running one is asked to stop.
import type { Context } from '../../context.ts'
import { EnvironmentProtected, TooLate } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { isFinal } from '../../domain/tasks/task.ts'
import { updateCancelRequested } from '../../store/tasks/task-queue.ts'
import { finishTask } from '../../store/tasks/task-states.ts'
import { findTask, findTaskEnvironment, type Task } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'

export async function cancelTask(ctx: Context, actor: Actor, taskId: number): Promise<Task> {
  return ctx.change(actor, async (tx) => {
    const { environmentId } = orNotFound(await findTask(tx, actor, taskId), 'task')
    const environment = orNotFound(await findTaskEnvironment(tx, actor, environmentId), 'environment')
    demand(actor, 'deploy', environment.organizationId)
    if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
    // The write itself shows whether the task is still queued, and locks its row: no worker can take it from here on.
    const asked = await updateCancelRequested(tx, taskId, ctx.clock())
    const task = orNotFound(await findTask(tx, actor, taskId), 'task')
    if (isFinal(task.status)) throw TooLate('This task has ended already')
    if (asked === undefined) {
      // A repeated request may mean that the worker missed the first.
      tx.notify({ about: 'cancel', id: taskId })
      return task
    }
    if (asked === 'queued') {
      await finishTask(tx, taskId, { status: 'canceled', reason: 'canceled_by_user', at: ctx.clock() })
    }
    await tx.audit({
      organizationId: environment.organizationId,
      action: 'task.canceled',
      target: { kind: 'task', id: taskId, name: environment.name },
    })
    return orNotFound(await findTask(tx, actor, taskId), 'task')
  })
}
