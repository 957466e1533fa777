// Lets an automatic deployment wait for the checks of its commit, if the project says so. A deployment that a user starts never waits.
import type { Context } from '../../context.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findDeployAfter, replaceWait } from '../../store/repository-events/check-waits.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'

type CheckedDeployment = { readonly cause: 'push' | 'pull_request'; readonly sha: string }

/** The caller has locked the project. False if the project deploys at once. */
export async function awaitChecks(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { cause, sha }: CheckedDeployment,
): Promise<boolean> {
  const { id: environmentId, projectId, pullRequest } = environment
  const deployAfter = await findDeployAfter(tx, projectId)
  if (!deployAfter) return false
  const { names, minutes } = deployAfter
  const at = ctx.clock()
  const wait = { projectId, environmentId, sha, cause, names, since: at, deadlineAt: at + minutes * 60_000 }
  await replaceWait(tx, wait)
  // Its comment says what it waits for.
  if (pullRequest) await insertOutboxPullRequest(tx, { projectId, number: pullRequest.number, at })
  tx.notify({ about: 'queue' })
  return true
}
