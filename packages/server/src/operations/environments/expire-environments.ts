// Removes expired environments of pull requests and of uploads. A queued or running task keeps its environment.
import type { Context } from '../../context.ts'
import { expiryOf } from '../../domain/expiry.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { AFTER_UPLOAD, afterLifetime } from '../../domain/repository/removal-reason.ts'
import { findEnvironmentAnywhere, lockEnvironment } from '../../store/environments/environments.ts'
import { type ExpiredEnvironment, listExpiredEnvironments } from '../../store/environments/expired-environments.ts'
import { lockProject } from '../../store/projects/projects.ts'
import { removeEnvironment } from './remove-environment.ts'

/** At most this many at once; the rest follows with the next run. */
const MOST = 100

export async function expireEnvironments(ctx: Context): Promise<void> {
  for (const found of await listExpiredEnvironments(ctx.db, { now: ctx.clock(), most: MOST })) {
    await expire(ctx, found).catch((error: unknown) => {
      ctx.log.error({ err: error, environment: found.environmentId }, 'could not remove an expired environment')
    })
  }
}

async function expire(ctx: Context, { environmentId, projectId }: ExpiredEnvironment): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    await lockProject(tx, projectId)
    await lockEnvironment(tx, environmentId)
    const environment = await findEnvironmentAnywhere(tx, environmentId)
    const expiresAt = environment ? expiryOf(environment) : null
    if (!environment || expiresAt === null || expiresAt > ctx.clock()) return
    const because =
      environment.lifetime && !environment.upload ? afterLifetime(environment.lifetime.hours) : AFTER_UPLOAD
    await removeEnvironment(ctx, tx, environment, { by: PLATFORM, cause: 'system', isExpiry: true, because })
  })
}
