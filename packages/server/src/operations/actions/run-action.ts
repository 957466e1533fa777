// Runs an action. Dashboard, API and client all use this.
import type { TaskCause } from '@shipway/api/tasks'
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import {
  ActionInProgress,
  ApprovalRequired,
  EnvironmentProtected,
  EnvironmentRemoving,
  FileActionDisabled,
  NothingServes,
  ProjectDeleting,
} from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { type EnvironmentAction, findAction, listActiveActions } from '../../store/actions/environment-actions.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { insertTask } from '../../store/tasks/task-states.ts'
import type { Task } from '../../store/tasks/tasks.ts'
import { findEnvironmentForUpdate } from '../environments/find-environment-for-update.ts'
import { orNotFound } from '../or-not-found.ts'
import { storeTask } from '../tasks/store-task.ts'

type Run = { readonly environmentId: number; readonly name: string; readonly cause: TaskCause }

/** Returns once the task is stored. Running deployments and other actions do not block it. */
export async function runAction(ctx: Context, actor: Actor, { environmentId, name, cause }: Run): Promise<Task> {
  return storeTask(ctx, () =>
    ctx.change(actor, async (tx) => {
      const environment = await findEnvironmentForUpdate(tx, actor, { id: environmentId })
      demand(actor, 'deploy', environment.organizationId)
      const action = await findRunnable(tx, actor, environment, name)
      await tx.audit({
        organizationId: environment.organizationId,
        action: 'action.started',
        target: { kind: 'environment', id: environmentId, name: environment.name },
        fields: [action.name],
      })
      return insertTask(tx, {
        environment_id: environmentId,
        kind: 'action',
        action: action.name,
        cause,
        started_by: actor.userId,
        branch: environment.branch,
        commit_sha: environment.tasks.live?.commitSha ?? null,
        created_at: ctx.clock(),
      })
    }),
  )
}

async function findRunnable(
  tx: Change,
  actor: Actor,
  environment: Environment,
  name: string,
): Promise<EnvironmentAction> {
  if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
  if (isBeingRemoved(environment.tasks)) throw EnvironmentRemoving()
  if (environment.isProjectDeleting) throw ProjectDeleting()
  if (environment.awaitsApproval) throw ApprovalRequired()
  const action = orNotFound(await findAction(tx, environment.id, name), 'action')
  if (action.disabledReason !== null) throw FileActionDisabled(action.disabledReason)
  if (!environment.tasks.live) throw NothingServes()
  const [active] = await listActiveActions(tx, environment.id, name)
  if (active) throw ActionInProgress({ id: active.id, status: active.status, kind: 'action' })
  return action
}
