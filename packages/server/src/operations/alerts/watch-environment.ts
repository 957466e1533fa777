// Watches an environment: the caller gets mails when its deployments fail.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { deleteWatch, findWatch, insertWatch } from '../../store/alerts/watches.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { findEnvironmentForUpdate } from '../environments/find-environment-for-update.ts'
import { orNotFound } from '../or-not-found.ts'

type WatchRequest = { readonly environmentId: number; readonly isWatched: boolean }

export async function watchEnvironment(
  ctx: Context,
  actor: Actor,
  { environmentId, isWatched }: WatchRequest,
): Promise<void> {
  await ctx.change(actor, async (tx) => {
    const environment = await findEnvironmentForUpdate(tx, actor, { id: environmentId })
    demand(actor, 'read', environment.organizationId)
    const watcher = { environmentId, userId: actor.userId }
    const isChanged = isWatched ? await insertWatch(tx, watcher) : await deleteWatch(tx, watcher)
    if (!isChanged) return
    await tx.audit({
      organizationId: environment.organizationId,
      action: isWatched ? 'environment.watched' : 'environment.unwatched',
      target: { kind: 'environment', id: environmentId, name: environment.name },
    })
  })
}

export async function isEnvironmentWatched(ctx: Context, actor: Actor, environmentId: number): Promise<boolean> {
  orNotFound(await findEnvironment(ctx.db, actor, environmentId), 'environment')
  return findWatch(ctx.db, { environmentId, userId: actor.userId })
}
