// Queues the removal of an environment from its server; one that was never there is gone at once.
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { Actor } from '../domain/actor.ts'
import { isBeingRemoved } from '../domain/environment.ts'
import { deleteDomains } from '../store/domains.ts'
import type { Environment } from '../store/environment-row.ts'
import { hasStartedTask, lockEnvironment, updateEnvironment } from '../store/environments.ts'
import type { Tables } from '../store/tables.ts'
import { finishTask, insertTask, startTask } from '../store/tasks.ts'
import { audit } from './audit.ts'

/** In the caller's transaction; the caller has decided that it may. Answers with the id of the task, if one was made. */
export async function removeEnvironment(
  ctx: Context,
  db: Kysely<Tables>,
  actor: Actor,
  environment: Environment,
): Promise<number | undefined> {
  const { id, tasks } = environment
  await lockEnvironment(db, id)
  if (isBeingRemoved(tasks)) return undefined
  const at = ctx.clock()
  // One that runs is left to end, with the removal queued behind it.
  if (tasks.queued) await finishTask(db, tasks.queued.id, { status: 'canceled', reason: 'superseded', at })
  const isOnServer = await hasStartedTask(db, id)
  const task = await insertTask(db, {
    environment_id: id,
    kind: 'remove',
    cause: actor.credential.kind === 'session' ? 'dashboard' : 'api',
    started_by: actor.userId,
    branch: environment.branch,
    created_at: at,
  })
  await audit(ctx, db, actor, {
    organizationId: environment.organizationId,
    action: 'environment.removed',
    target: { kind: 'environment', id, name: environment.name },
  })
  if (!isOnServer) {
    await startTask(db, task.id, at)
    await finishTask(db, task.id, { status: 'succeeded', at })
    await updateEnvironment(db, id, { removed_at: at, updated_at: at })
    await deleteDomains(db, id)
  }
  return task.id
}
