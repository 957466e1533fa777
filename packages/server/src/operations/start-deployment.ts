// The one door to a deployment: button, API, client, tools and webhooks all come through here.
import type { TaskCause } from '@shipway/api/tasks'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'
import { activeTaskOf, isBeingRemoved } from '../domain/environment.ts'
import {
  AppError,
  DeploymentInProgress,
  EnvironmentProtected,
  EnvironmentRemoving,
  ProjectDeleting,
  TaskNotCreated,
} from '../domain/errors.ts'
import { demand, mayChangeProtected } from '../domain/permissions.ts'
import { insertTask, type Task } from '../store/tasks.ts'
import { audit } from './audit.ts'
import { holdEnvironment } from './hold-environment.ts'

type Start = { readonly cause: TaskCause; readonly commit?: string | undefined }

/** Answers with a task only when the task is stored; what cannot be stored is said. */
export async function startDeployment(ctx: Context, actor: Actor, environmentId: number, start: Start): Promise<Task> {
  try {
    const task = await queueDeployment(ctx, actor, environmentId, start)
    ctx.bus.announce({ about: 'queue' })
    return task
  } catch (error) {
    if (error instanceof AppError) throw error
    ctx.log.error({ err: error }, 'a task could not be stored')
    throw TaskNotCreated(error)
  }
}

function queueDeployment(ctx: Context, actor: Actor, environmentId: number, { cause, commit }: Start): Promise<Task> {
  return ctx.db.transaction().execute(async (db) => {
    const environment = await holdEnvironment(db, actor, { id: environmentId })
    demand(actor, 'deploy', environment.organizationId)
    if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
    if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
    if (environment.isProjectDeleting) throw ProjectDeleting()
    const active = activeTaskOf(environment.tasks)
    if (active) throw DeploymentInProgress(active)
    const task = await insertTask(db, {
      environment_id: environmentId,
      kind: 'deploy',
      cause,
      started_by: actor.userId,
      branch: environment.branch,
      commit_sha: commit ?? null,
      created_at: ctx.clock(),
    })
    await audit(ctx, db, actor, {
      organizationId: environment.organizationId,
      action: 'deployment.started',
      target: { kind: 'environment', id: environmentId, name: environment.name },
    })
    return task
  })
}
