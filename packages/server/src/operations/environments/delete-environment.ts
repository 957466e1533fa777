// Removes an environment from its server, then from the list. Refused while a task is active.
import type { Context } from '../../context.ts'
import { activeTaskOf, isBeingRemoved } from '../../domain/environment.ts'
import {
  DeploymentInProgress,
  EnvironmentProtected,
  EnvironmentRemoving,
  ProjectDeleting,
} from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, demandAbandonment, mayChangeProtected } from '../../domain/people/permissions.ts'
import { causeOf } from '../../domain/tasks/cause.ts'
import { deleteProjectIfDrained, findProject } from '../../store/projects/projects.ts'
import { findTask, type Task } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'
import { findEnvironmentForUpdate } from './find-environment-for-update.ts'
import { removeEnvironment } from './remove-environment.ts'

type Deletion = { readonly id: number; readonly abandonServer?: boolean }

export async function deleteEnvironment(
  ctx: Context,
  actor: Actor,
  { id, abandonServer = false }: Deletion,
): Promise<Task> {
  const task = await ctx.change(actor, async (tx) => {
    const environment = await findEnvironmentForUpdate(tx, actor, { id })
    demand(actor, 'deploy', environment.organizationId)
    if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
    if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
    if (abandonServer)
      demandAbandonment(actor, orNotFound(await findProject(tx, actor, environment.projectId), 'project'))
    else if (environment.isProjectDeleting) throw ProjectDeleting()
    const active = activeTaskOf(environment.tasks)
    if (active) throw DeploymentInProgress(active)
    const taskId = await removeEnvironment(ctx, tx, environment, {
      by: actor,
      cause: causeOf(actor),
      abandon: abandonServer,
    })
    return orNotFound(taskId === undefined ? undefined : await findTask(tx, actor, taskId), 'task')
  })
  if (abandonServer) await ctx.change(actor, (tx) => deleteProjectIfDrained(tx, task.projectId))
  return task
}
