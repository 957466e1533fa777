// Queues the removal of an environment. One that was never on its server, or whose server is abandoned, is removed at once.
import type { TaskCause } from '@shipway/api/tasks'
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import type { Actor, Automatic } from '../../domain/people/actor.ts'
import { forgetActions } from '../../store/actions/forget-actions.ts'
import type { Change } from '../../store/change.ts'
import { deleteDomains } from '../../store/environments/domains.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import {
  hasFailedRemoval,
  lockEnvironment,
  mayBeOnServer,
  updateEnvironment,
} from '../../store/environments/environments.ts'
import { deletePorts } from '../../store/environments/ports.ts'
import { deleteWait } from '../../store/repository-events/check-waits.ts'
import { insertOutboxTask } from '../../store/repository-events/outbox.ts'
import { dropQueuedTask, finishTask, insertTask, startTask } from '../../store/tasks/task-states.ts'
import { endActions } from '../actions/end-actions.ts'

type Removal = {
  readonly by: Actor | Automatic
  readonly cause: TaskCause
  /** After a failed removal: removes only the records, and leaves whatever is on the server. */
  readonly abandon?: boolean
  /** It expired; no user asked for the removal. */
  readonly isExpiry?: boolean
  /** Why the platform removes it: the end of a sentence that begins with "removed". */
  readonly because?: string | null
}

/**
 * Runs in the caller's transaction, after the caller's permission check. Returns the id of the task, if one was made.
 */
export async function removeEnvironment(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { by, cause, abandon = false, isExpiry = false, because = null }: Removal,
): Promise<number | undefined> {
  const { id, tasks } = environment
  await lockEnvironment(tx, id)
  if (isBeingRemoved(tasks)) return undefined
  const at = ctx.clock()
  // A running task ends first; the removal is queued behind it.
  if (tasks.queued) await dropQueuedTask(tx, tasks.queued.id, { reason: 'superseded', at })
  await endActions(ctx, tx, id)
  const isAbandoned = abandon && (await hasFailedRemoval(tx, id))
  const isOnServer = !isAbandoned && (await mayBeOnServer(tx, id))
  const task = await insertTask(tx, {
    environment_id: id,
    kind: 'remove',
    cause,
    started_by: by.userId,
    branch: environment.branch,
    is_expiry: isExpiry ? 1 : 0,
    because,
    created_at: at,
  })
  await deleteWait(tx, environment.id)
  if (!environment.upload) await insertOutboxTask(tx, { projectId: environment.projectId, taskId: task.id, at })
  await tx.audit(
    {
      organizationId: environment.organizationId,
      action: isAbandoned ? 'environment.abandoned' : isExpiry ? 'environment.expired' : 'environment.removed',
      target: { kind: 'environment', id, name: environment.name },
    },
    by,
  )
  tx.notify({ about: 'slots', id: environment.projectId })
  if (!isOnServer) {
    await startTask(tx, task.id, at)
    await updateEnvironment(tx, id, { removed_at: at, updated_at: at })
    await finishTask(tx, task.id, { status: 'succeeded', at })
    await deleteDomains(tx, id)
    await forgetActions(tx, id, at)
    // Services of an abandoned environment may still listen on its ports.
    if (!isAbandoned) await deletePorts(tx, { environmentId: id, serverId: environment.server.id })
  }
  return task.id
}
