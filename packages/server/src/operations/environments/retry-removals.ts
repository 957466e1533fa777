// Retries failed removals, so that nothing stays on a server that was unreachable for a while.
import type { Context } from '../../context.ts'
import { activeTaskOf } from '../../domain/environment.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { exponentialBackOff } from '../../scheduling/back-off.ts'
import {
  type FailedRemoval,
  findEnvironmentAnywhere,
  listFailedRemovals,
  lockEnvironment,
} from '../../store/environments/environments.ts'
import { deleteProjectIfDrained, listDeletingProjects, lockProject } from '../../store/projects/projects.ts'
import { removeEnvironment } from './remove-environment.ts'

/** Between two attempts. */
const PAUSES = { firstMs: 60_000, mostMs: 30 * 60_000 }

/** Only environments that must go: of a deleted project, of an ended pull request, or expired. */
export async function retryRemovals(ctx: Context): Promise<void> {
  for (const { failures, lastFailedAt, ...failed } of await listFailedRemovals(ctx.db)) {
    if (ctx.clock() - lastFailedAt >= exponentialBackOff(failures, PAUSES)) await retry(ctx, failed)
  }
  for (const projectId of await listDeletingProjects(ctx.db)) {
    await ctx.change(PLATFORM, (tx) => deleteProjectIfDrained(tx, projectId))
  }
}

type RemovalToRetry = Omit<FailedRemoval, 'failures' | 'lastFailedAt'>

async function retry(ctx: Context, { environmentId, projectId, isExpiry, because }: RemovalToRetry): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    await lockProject(tx, projectId)
    await lockEnvironment(tx, environmentId)
    const environment = await findEnvironmentAnywhere(tx, environmentId)
    if (!environment || activeTaskOf(environment.tasks)) return
    await removeEnvironment(ctx, tx, environment, { by: PLATFORM, cause: 'system', isExpiry, because })
  })
}
