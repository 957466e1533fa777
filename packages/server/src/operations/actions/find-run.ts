// Finds the run of an action, for its artifacts.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findTask, type Task } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'

/** File names can reveal as much as their content. */
export async function findRun(ctx: Context, actor: Actor, taskId: number): Promise<Task> {
  const task = orNotFound(await findTask(ctx.db, actor, taskId), 'task')
  demand(actor, 'deploy', task.organizationId)
  return task
}
