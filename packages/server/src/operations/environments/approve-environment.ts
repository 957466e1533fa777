// Approves one commit of a fork's pull request for deployment, by an administrator or the project's owner.
import type { TaskCause } from '@shipway/api/tasks'
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import { EnvironmentRemoving, LimitReached, TooLate } from '../../domain/errors.ts'
import type { Actor, Automatic } from '../../domain/people/actor.ts'
import { demand, ownsProject } from '../../domain/people/permissions.ts'
import { isSameCommit } from '../../domain/repository/repository-event.ts'
import { causeOf } from '../../domain/tasks/cause.ts'
import type { Change } from '../../store/change.ts'
import { insertApproval } from '../../store/environments/approvals.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findSlots, hasStartedTask, updateEnvironment } from '../../store/environments/environments.ts'
import { findProject } from '../../store/projects/projects.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'
import { queueDeployment } from '../tasks/start-deployment.ts'
import { storeTask } from '../tasks/store-task.ts'
import { findEnvironmentForUpdate } from './find-environment-for-update.ts'

type Approval = { readonly id: number; readonly commit: string }

export async function approveEnvironment(ctx: Context, actor: Actor, { id, commit }: Approval): Promise<Task> {
  return storeTask(ctx, () => ctx.change(actor, (tx) => approve(ctx, tx, actor, { id, commit })))
}

async function approve(ctx: Context, tx: Change, actor: Actor, { id, commit }: Approval): Promise<Task> {
  const environment = await findEnvironmentForUpdate(tx, actor, { id })
  const project = orNotFound(await findProject(tx, actor, environment.projectId), 'project')
  if (!ownsProject(actor, project)) demand(actor, 'administer', project.organizationId)
  return approveCommit(ctx, tx, environment, { by: actor, cause: causeOf(actor), commit })
}

type CommitApproval = { readonly by: Actor | Automatic; readonly cause: TaskCause; readonly commit: string }

/** The caller has locked the environment and checked that this actor may approve. */
export async function approveCommit(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { by, cause, commit }: CommitApproval,
): Promise<Task> {
  const { id, organizationId } = environment
  if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
  refuseOther(environment, commit)
  await refuseWithoutSlot(tx, environment)
  const at = ctx.clock()
  await insertApproval(tx, { environment_id: id, commit_sha: commit, approved_by: by.userId, approved_at: at })
  await updateEnvironment(tx, id, { awaits_approval: 0, updated_at: at })
  await tx.audit(
    {
      organizationId,
      action: 'environment.approved',
      target: { kind: 'environment', id, name: environment.name },
      fields: ['commit_sha'],
    },
    by,
  )
  return queueDeployment(ctx, tx, environment, { by, cause, commit })
}

/** Only the newest commit can be approved: the one that the reviewer saw. */
function refuseOther({ isFork, awaitsApproval, pullRequest }: Environment, commit: string): void {
  const head = pullRequest?.headSha
  if (!isFork || !awaitsApproval || !head) throw TooLate('Nothing of this environment awaits approval')
  if (!isSameCommit(head, commit)) {
    throw TooLate(`The pull request has moved on to commit ${head}. Look at that one, then approve it`)
  }
}

/** It takes a slot from here on, unless an earlier commit did. */
async function refuseWithoutSlot(tx: Change, { id, projectId }: Environment): Promise<void> {
  if (await hasStartedTask(tx, id)) return
  const { used, limit } = orNotFound(await findSlots(tx, projectId), 'project')
  if (used >= limit) throw LimitReached(used, limit)
}
