// Deploys an environment because its branch moved: checks protection, then its settings, then whether the commit is new.

import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { isWholeHash } from '../../domain/repository/reported-values.ts'
import { isSameCommit } from '../../domain/repository/repository-event.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findWait } from '../../store/repository-events/check-waits.ts'
import { findLatestDeployment } from '../../store/tasks/tasks.ts'
import { queueDeployment } from '../tasks/start-deployment.ts'
import { awaitChecks } from './await-checks.ts'
import { accepted, type EventOutcome, ignored } from './outcome.ts'

type BranchUpdate = {
  readonly by: Automatic
  readonly cause: 'push' | 'pull_request'
  /** Null: whatever the branch has when the deployment runs. */
  readonly sha: string | null
  /** The commit that the event reports, whatever the branch has by now. */
  readonly reportedSha: string
}

/** The caller has locked the project. */
export async function deployAutomatically(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { by, cause, sha, reportedSha }: BranchUpdate,
): Promise<EventOutcome> {
  if (environment.isProtected) return ignored('environment_protected')
  if (isBeingRemoved(environment.tasks)) return ignored('environment_removing')
  if (!environment.autoDeploy) return ignored('auto_deploy_off')
  // A queued reset deploys the newest commit anyway.
  if (environment.tasks.queued && TASK_KINDS[environment.tasks.queued.kind].clearsEnvironment)
    return ignored('nothing_new')
  if (sha !== null && (await isTakenAlready(tx, environment.id, sha))) return ignored('nothing_new')
  if (await awaitChecks(ctx, tx, environment, { cause, sha: reportedSha })) return accepted('waiting_for_checks')
  const commit = sha !== null && isWholeHash(sha) ? sha : undefined
  await queueDeployment(ctx, tx, environment, { by, cause, commit })
  return accepted()
}

/** Push and pull request report the same commit; the second event finds the task of the first, or what it waits for. */
async function isTakenAlready(tx: Change, environmentId: number, sha: string): Promise<boolean> {
  const wait = await findWait(tx, environmentId)
  if (wait && isSameCommit(wait.sha, sha)) return true
  const newest = await findLatestDeployment(tx, environmentId)
  if (!newest?.commit || !isSameCommit(newest.commit.sha, sha)) return false
  return newest.reason !== 'superseded' && newest.reason !== 'protected'
}
