// Restarts the time until an environment of a pull request or an upload expires.
import type { Context } from '../../context.ts'
import { EnvironmentProtected, TooLate } from '../../domain/errors.ts'
import { expiryOf } from '../../domain/expiry.ts'
import type { Actor, Automatic } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironment, updateEnvironment } from '../../store/environments/environments.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import { orNotFound } from '../or-not-found.ts'
import { findEnvironmentForUpdate } from './find-environment-for-update.ts'

export function extendEnvironment(ctx: Context, actor: Actor, id: number): Promise<Environment> {
  return ctx.change(actor, async (tx) => {
    const environment = await findEnvironmentForUpdate(tx, actor, { id })
    demand(actor, 'deploy', environment.organizationId)
    if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
    await restartLifetime(ctx, tx, environment, actor)
    return orNotFound(await findEnvironment(tx, actor, id), 'environment')
  })
}

/** The caller has locked the environment and checked that this actor may extend it. */
export async function restartLifetime(
  ctx: Context,
  tx: Change,
  environment: Environment,
  by: Actor | Automatic,
): Promise<void> {
  const { id, projectId, organizationId, name, pullRequest } = environment
  if (expiryOf(environment) === null) throw TooLate('This environment does not expire, or a task of it is active')
  const at = ctx.clock()
  await updateEnvironment(tx, id, { extended_at: at })
  // The pull request's comment says when it expires.
  if (pullRequest) await insertOutboxPullRequest(tx, { projectId, number: pullRequest.number, at })
  await tx.audit({ organizationId, action: 'environment.extended', target: { kind: 'environment', id, name } }, by)
}
