// Finds a run whose artifacts somebody wants to see.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findTask, type Task } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'

/** The names of files may tell as much as what they hold. */
export async function findRun(ctx: Context, actor: Actor, taskId: number): Promise<Task> {
  const task = orNotFound(await findTask(ctx.db, actor, taskId), 'task')
  demand(actor, 'deploy', task.organizationId)
  return task
}
