// Queues the removal of an environment from its server; one that was never there is gone at once, and so is one whose server is given up.
import type { TaskCause } from '@shipway/api/tasks'
import type { Kysely } from 'kysely'
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import type { Actor, Automatic } from '../../domain/people/actor.ts'
import { deleteDomains } from '../../store/environments/domains.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import {
  hasFailedRemoval,
  lockEnvironment,
  mayBeOnServer,
  updateEnvironment,
} from '../../store/environments/environments.ts'
import { deletePorts } from '../../store/environments/ports.ts'
import { insertOutboxTask } from '../../store/repository-events/outbox.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { dropQueuedTask, finishTask, insertTask, startTask } from '../../store/tasks/tasks.ts'
import { audit } from '../audit.ts'

type Removal = {
  readonly by: Actor | Automatic
  readonly cause: TaskCause
  /** Where a removal has failed: ends it in the records alone, and leaves whatever the server has of it. */
  readonly abandon?: boolean
}

/**
 * In the caller's transaction; the caller has decided that it may, and announces the queue and the slots after it. Answers with the
 * id of the task, if one was made.
 */
export async function removeEnvironment(
  ctx: Context,
  db: Kysely<Tables>,
  environment: Environment,
  { by, cause, abandon = false }: Removal,
): Promise<number | undefined> {
  const { id, tasks } = environment
  await lockEnvironment(db, id)
  if (isBeingRemoved(tasks)) return undefined
  const at = ctx.clock()
  // One that runs is left to end, with the removal queued behind it.
  if (tasks.queued) await dropQueuedTask(db, tasks.queued.id, { reason: 'superseded', at })
  const isAbandoned = abandon && (await hasFailedRemoval(db, id))
  const isOnServer = !isAbandoned && (await mayBeOnServer(db, id))
  const task = await insertTask(db, {
    environment_id: id,
    kind: 'remove',
    cause,
    started_by: by.userId,
    branch: environment.branch,
    created_at: at,
  })
  await insertOutboxTask(db, { projectId: environment.projectId, taskId: task.id, at })
  await audit(ctx, db, by, {
    organizationId: environment.organizationId,
    action: isAbandoned ? 'environment.abandoned' : 'environment.removed',
    target: { kind: 'environment', id, name: environment.name },
  })
  if (!isOnServer) {
    await startTask(db, task.id, at)
    await finishTask(db, task.id, { status: 'succeeded', at })
    await updateEnvironment(db, id, { removed_at: at, updated_at: at })
    await deleteDomains(db, id)
    // Something may still listen on those of one that was given up.
    if (!isAbandoned) await deletePorts(db, { environmentId: id, serverId: environment.server.id })
  }
  return task.id
}
