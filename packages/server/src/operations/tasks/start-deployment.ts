// Starts a deployment. Dashboard, API, client, tools and webhooks all use this.
import type { TaskCause } from '@shipway/api/tasks'
import type { Context } from '../../context.ts'
import { activeTaskOf, isBeingRemoved } from '../../domain/environment.ts'
import {
  ApprovalRequired,
  DeploymentInProgress,
  EnvironmentProtected,
  EnvironmentRemoving,
  InvalidField,
  ProjectDeleting,
  ProtectedFromReset,
} from '../../domain/errors.ts'
import { type Actor, type Automatic, isAutomatic } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import type { Change } from '../../store/change.ts'
import { findApprovedCommit, hasApproval } from '../../store/environments/approvals.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findUpload } from '../../store/environments/uploads.ts'
import { deleteWait } from '../../store/repository-events/check-waits.ts'
import { insertOutboxTask } from '../../store/repository-events/outbox.ts'
import { dropQueuedTask, insertTask } from '../../store/tasks/task-states.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { endActions } from '../actions/end-actions.ts'
import { findEnvironmentForUpdate } from '../environments/find-environment-for-update.ts'
import { storeTask } from './store-task.ts'

type DeploymentRequest = {
  readonly cause: TaskCause
  readonly commit?: string | undefined
  /** Instead of the environment's branch, for this deployment alone. */
  readonly branch?: string | undefined
  /** A reset clears the environment first. */
  readonly kind?: 'deploy' | 'reset'
  /** The earlier deployment whose commit and images are deployed again. */
  readonly rollbackTo?: number
}

/** Returns once the task is stored; fails if it cannot be stored. */
export async function startDeployment(
  ctx: Context,
  actor: Actor,
  environmentId: number,
  start: DeploymentRequest,
): Promise<Task> {
  return storeTask(ctx, () =>
    ctx.change(actor, async (tx) => {
      const environment = await findEnvironmentForUpdate(tx, actor, { id: environmentId })
      demand(actor, 'deploy', environment.organizationId)
      return queueDeployment(ctx, tx, environment, { by: actor, ...start })
    }),
  )
}

type QueuedDeployment = DeploymentRequest & { readonly by: Actor | Automatic }

/**
 * The caller has locked the environment. Users get an error while a task is active;
 * an event of the git host queues one more task, which replaces the queued one.
 */
export async function queueDeployment(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { by, cause, commit, branch, kind = 'deploy', rollbackTo }: QueuedDeployment,
): Promise<Task> {
  const { id, organizationId, projectId, tasks } = environment
  if (!mayChangeProtected(by, environment)) throw EnvironmentProtected()
  if (environment.isProtected && !TASK_KINDS[kind].isAllowedWhileProtected) throw ProtectedFromReset()
  if (isBeingRemoved(tasks)) throw EnvironmentRemoving()
  if (environment.isProjectDeleting) throw ProjectDeleting()
  const active = activeTaskOf(tasks)
  if (active && !isAutomatic(by)) throw DeploymentInProgress(active)
  if (environment.isFork && branch !== undefined) throw InvalidField('/branch', 'fork', FORK_BRANCH)
  if (environment.upload && branch !== undefined) throw InvalidField('/branch', 'upload', UPLOAD_BRANCH)
  const sha = environment.isFork
    ? await approvedCommit(tx, id, commit)
    : environment.upload
      ? await uploadedCommit(tx, id, commit)
      : commit
  const at = ctx.clock()
  if (TASK_KINDS[kind].clearsEnvironment) await endActions(ctx, tx, id)
  if (tasks.queued) await dropQueuedTask(tx, tasks.queued.id, { reason: 'superseded', at })
  const task = await insertTask(tx, {
    environment_id: id,
    kind,
    cause,
    source_task_id: rollbackTo ?? null,
    started_by: by.userId,
    branch: branch ?? environment.branch,
    commit_sha: sha ?? null,
    created_at: at,
  })
  // A commit that waits for its checks need not wait any more if this deployment has it.
  await deleteWait(tx, id, sha)
  // The git host does not know the commit of an upload.
  if (!environment.upload) await insertOutboxTask(tx, { projectId, taskId: task.id, at })
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

const FORK_BRANCH = 'A pull request of a fork deploys approved commits only. Leave the branch out'

const UPLOAD_BRANCH = 'This environment deploys what shipway up sent. Leave the branch out'

/** The newest upload by default. A commit of the repository would be deployed with the rights of an upload, so none is. */
async function uploadedCommit(tx: Change, environmentId: number, commit: string | undefined): Promise<string> {
  const upload = await findUpload(tx, environmentId, commit)
  if (!upload) throw InvalidField('/commit', 'upload', 'Give a commit that shipway up sent to this environment')
  return upload.commitSha
}

/** A fork's commit is deployed only after that exact commit was approved. */
async function approvedCommit(tx: Change, environmentId: number, commit: string | undefined): Promise<string> {
  const sha = commit ?? (await findApprovedCommit(tx, environmentId))
  if (sha === undefined || !(await hasApproval(tx, environmentId, sha))) throw ApprovalRequired()
  return sha
}
