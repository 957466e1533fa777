// The one door to a deployment: button, API, client, tools and webhooks all come through here.

import type { TaskCause } from '@shipway/api/tasks'
import type { Context } from '../../context.ts'
import { activeTaskOf, isBeingRemoved } from '../../domain/environment.ts'
import {
  AppError,
  ApprovalRequired,
  DeploymentInProgress,
  EnvironmentProtected,
  EnvironmentRemoving,
  ProjectDeleting,
  ProtectedFromReset,
  TaskNotCreated,
} from '../../domain/errors.ts'
import { type Actor, type Automatic, isAutomatic } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import type { Change } from '../../store/change.ts'
import { findApprovedCommit, hasApproval } from '../../store/environments/approvals.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { insertOutboxTask } from '../../store/repository-events/outbox.ts'
import { dropQueuedTask, insertTask } from '../../store/tasks/task-states.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { endActions } from '../actions/end-actions.ts'
import { holdEnvironment } from '../environments/hold-environment.ts'

type DeploymentRequest = {
  readonly cause: TaskCause
  readonly commit?: string | undefined
  /** A reset takes everything away first. */
  readonly kind?: 'deploy' | 'reset'
  /** The earlier deployment whose commit and images are taken again. */
  readonly rollbackTo?: number
}

/** Answers with a task only when the task is stored; what cannot be stored is said. */
export async function startDeployment(
  ctx: Context,
  actor: Actor,
  environmentId: number,
  start: DeploymentRequest,
): Promise<Task> {
  try {
    return await ctx.change(actor, async (tx) => {
      const environment = await holdEnvironment(tx, actor, { id: environmentId })
      demand(actor, 'deploy', environment.organizationId)
      return queueDeployment(ctx, tx, environment, { by: actor, ...start })
    })
  } catch (error) {
    if (error instanceof AppError && error.code !== 'unavailable') throw error
    ctx.log.error({ err: error }, 'a task could not be stored')
    throw TaskNotCreated(error)
  }
}

type QueuedDeployment = DeploymentRequest & { readonly by: Actor | Automatic }

/**
 * In the caller's transaction, which holds the environment. People wait for what is under way;
 * an event of the git host queues one more behind it, in place of the one that waits.
 */
export async function queueDeployment(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { by, cause, commit, kind = 'deploy', rollbackTo }: QueuedDeployment,
): Promise<Task> {
  const { id, organizationId, projectId, tasks } = environment
  if (!mayChangeProtected(by, environment)) throw EnvironmentProtected()
  if (environment.isProtected && !TASK_KINDS[kind].isAllowedWhileProtected) throw ProtectedFromReset()
  if (isBeingRemoved(tasks)) throw EnvironmentRemoving()
  if (environment.isProjectDeleting) throw ProjectDeleting()
  const active = activeTaskOf(tasks)
  if (active && !isAutomatic(by)) throw DeploymentInProgress(active)
  const sha = environment.isFork ? await approvedCommit(tx, id, commit) : commit
  const at = ctx.clock()
  if (TASK_KINDS[kind].clearsEnvironment) await endActions(ctx, tx, id)
  if (tasks.queued) await dropQueuedTask(tx, tasks.queued.id, { reason: 'superseded', at })
  const task = await insertTask(tx, {
    environment_id: id,
    kind,
    cause,
    source_task_id: rollbackTo ?? null,
    started_by: by.userId,
    branch: environment.branch,
    commit_sha: sha ?? null,
    created_at: at,
  })
  await insertOutboxTask(tx, { projectId, taskId: task.id, at })
  await tx.audit(
    {
      organizationId,
      action: kind === 'reset' ? 'environment.reset' : 'deployment.started',
      target: { kind: 'environment', id, name: environment.name },
    },
    by,
  )
  return task
}

/** A stranger's commit is deployed when somebody has looked at that very commit, and never another one in its place. */
async function approvedCommit(tx: Change, environmentId: number, commit: string | undefined): Promise<string> {
  const sha = commit ?? (await findApprovedCommit(tx, environmentId))
  if (sha === undefined || !(await hasApproval(tx, environmentId, sha))) throw ApprovalRequired()
  return sha
}
