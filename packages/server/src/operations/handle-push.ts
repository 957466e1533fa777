// A push: every environment that follows the branch is deployed again, unless it says otherwise.
import type { Kysely } from 'kysely'
import type { Context } from '../context.ts'
import type { Automatic } from '../domain/actor.ts'
import { NO_COMMIT, type Push } from '../domain/repository-event.ts'
import type { Environment } from '../store/environment-row.ts'
import { listEnvironmentsOfBranch } from '../store/environments.ts'
import type { Project } from '../store/projects.ts'
import { updatePullRequest } from '../store/pull-requests.ts'
import { findHead, hasStoodAt, insertPush } from '../store/pushes.ts'
import type { Tables } from '../store/tables.ts'
import { deployAutomatically } from './deploy-automatically.ts'
import { ignored, type Outcome, outcomeOf } from './outcome.ts'

type Happened = { readonly project: Project; readonly push: Push; readonly by: Automatic }

export async function handlePush(ctx: Context, db: Kysely<Tables>, { project, push, by }: Happened): Promise<Outcome> {
  const { branch, sha } = push
  const isLate = await comesLate(db, project.id, push)
  await insertPush(db, { projectId: project.id, push, isLate, at: ctx.clock() })
  if (isLate) return ignored('outdated')
  if (push.isDeleted) return ignored('branch_deleted')
  // The branch of a stranger's pull request is in another repository, whatever it is called.
  const following = await listEnvironmentsOfBranch(db, project.id, branch)
  for (const environment of following) await noteHead(db, environment, sha)
  if (push.isSkipped) return ignored('skip_requested')
  const outcomes: Outcome[] = []
  for (const environment of following) {
    outcomes.push(await deployAutomatically(ctx, db, environment, { by, cause: 'push', sha }))
  }
  return outcomes.length === 0 ? ignored('no_environment') : outcomeOf(outcomes)
}

/**
 * Pushes arrive in any order and more than once. One that leads on from where the branch stands is the next, also where it leads
 * back; one that leads to where the branch has stood already, from somewhere else, comes late.
 */
async function comesLate(db: Kysely<Tables>, projectId: number, { branch, before, sha }: Push): Promise<boolean> {
  const head = await findHead(db, { projectId, branch })
  if (head === undefined || head === before || sha === NO_COMMIT) return head === sha
  return hasStoodAt(db, { projectId, branch, sha })
}

/** The same commit comes once more as news of the pull request. */
async function noteHead(db: Kysely<Tables>, { projectId, pullRequest }: Environment, sha: string): Promise<void> {
  if (pullRequest) await updatePullRequest(db, { projectId, number: pullRequest.number }, { head_sha: sha })
}
