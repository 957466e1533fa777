// Rolls back to an earlier deployment: its commit and its images, with the current variables.
import type { Context } from '../../context.ts'
import { EnvironmentProtected, TooLate } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand, mayChangeProtected } from '../../domain/people/permissions.ts'
import { KEPT_RELEASES } from '../../domain/tasks/task-orphans.ts'
import { findEnvironment } from '../../store/environments/environments.ts'
import { listRollbackTargets, type Task } from '../../store/tasks/tasks.ts'
import { orNotFound } from '../or-not-found.ts'
import { startDeployment } from './start-deployment.ts'

type RollbackTarget = { readonly environmentId: number; readonly taskId: number }

/** Only the last few: older releases are deleted from the server, as are those before a reset or a move. */
export async function rollBackEnvironment(
  ctx: Context,
  actor: Actor,
  { environmentId, taskId }: RollbackTarget,
): Promise<Task> {
  const environment = orNotFound(await findEnvironment(ctx.db, actor, environmentId), 'environment')
  const { id, organizationId } = environment
  demand(actor, 'deploy', organizationId)
  if (!mayChangeProtected(actor, environment)) throw EnvironmentProtected()
  const kept = await listRollbackTargets(ctx.db, id, KEPT_RELEASES)
  const task = kept.find((candidate) => candidate.id === taskId)
  if (!task)
    throw TooLate(
      `You can go back only to the last ${KEPT_RELEASES} deployments that succeeded on this server since its last reset. ` +
        'Deploy the commit instead',
    )
  return startDeployment(ctx, actor, id, { cause: 'rollback', commit: task.commit?.sha, rollbackTo: task.id })
}
