// A push: deploys every environment that follows the branch, unless its settings forbid it.
import type { Context } from '../../context.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { NO_COMMIT, type Push } from '../../domain/repository/repository-event.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { listEnvironmentsOfBranch } from '../../store/environments/environments.ts'
import { type Project, updateProject } from '../../store/projects/projects.ts'
import { findPullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'
import { findHead, hasPointedAt, insertPush, isKnownPush } from '../../store/repository-events/pushes.ts'
import { decideAdmission } from './decide-admission.ts'
import { deployAutomatically } from './deploy-automatically.ts'
import type { GatheredFacts } from './gather-facts.ts'
import { type EventOutcome, ignored, outcomeOf } from './outcome.ts'

type PushToHandle = {
  readonly project: Project
  readonly push: Push
  readonly by: Automatic
  readonly facts: GatheredFacts
  /** The same delivery arrived before and had no effect. */
  readonly isSentAgain: boolean
}

export async function handlePush(ctx: Context, tx: Change, input: PushToHandle): Promise<EventOutcome> {
  const { project, push, by } = input
  const { branch, sha } = push
  const order = await relationOf(tx, input)
  await insertPush(tx, { projectId: project.id, push, isLate: order === 'late', at: ctx.clock() })
  if (order === 'late') return ignored('outdated')
  // Its `.service.yml` may have other rules about pull requests now: the next comparison reads and applies them.
  if (branch === project.defaultBranch && project.fileRules.sha !== sha)
    await updateProject(tx, project.id, { is_file_rules_stale: 1, reconciled_at: 0 })
  if (push.isDeleted) return ignored('branch_deleted')
  // The branch of a fork is in another repository, even if its name is the same.
  const following = await listEnvironmentsOfBranch(tx, project.id, branch)
  if (order === 'next') for (const environment of following) await recordHead(tx, environment, sha)
  const [first] = following
  if (push.isSkipped) return { ...ignored('skip_requested'), environmentId: first?.id ?? null }
  const outcomes: EventOutcome[] = []
  for (const environment of following) {
    const event = { by, cause: 'push', sha: order === 'next' ? sha : null, reportedSha: sha } as const
    const refused = await decide(ctx, tx, environment, input)
    const outcome = refused ?? (await deployAutomatically(ctx, tx, environment, event))
    outcomes.push({ ...outcome, environmentId: environment.id })
  }
  return outcomes.length === 0 ? ignored('no_environment') : outcomeOf(outcomes)
}

/**
 * How a push relates to the known pushes of its branch. Pushes arrive in any order, repeatedly, or never.
 *
 * `next`: it moves the branch on from its current commit, or back. `late`: it moves to a commit that the branch has had already,
 * and it is known, or not forced by the git host's word. `unsure`: anything else, such as a
 * forced push after a lost one; then the deployment reads the branch from the repository.
 * A push without effect that is sent again while the branch is still at its commit is handled as if it were the first.
 */
async function relationOf(
  tx: Change,
  { project, push, isSentAgain }: PushToHandle,
): Promise<'next' | 'late' | 'unsure'> {
  const { branch, before, sha, isForced } = push
  const projectId = project.id
  const head = await findHead(tx, { projectId, branch })
  if (head === sha) return isSentAgain ? 'next' : 'late'
  if (head === undefined || head === before || sha === NO_COMMIT) return 'next'
  if (!(await hasPointedAt(tx, { projectId, branch, sha }))) return 'unsure'
  const mayLeadBack = isForced !== false && before !== NO_COMMIT
  return mayLeadBack && !(await isKnownPush(tx, { projectId, branch, before, sha })) ? 'unsure' : 'late'
}

/** The same commit also arrives as an event of the pull request. */
async function recordHead(tx: Change, { projectId, pullRequest }: Environment, sha: string): Promise<void> {
  if (pullRequest) await updatePullRequest(tx, { projectId, number: pullRequest.number }, { head_sha: sha })
}

/** An environment of a pull request follows the rules about pull requests as well. */
async function decide(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { project, push, by, facts }: PushToHandle,
): Promise<EventOutcome | undefined> {
  const { projectId } = environment
  const pullRequest = environment.pullRequest && (await findPullRequest(tx, projectId, environment.pullRequest.number))
  if (pullRequest?.state !== 'open') return undefined
  const pushed = { ...pullRequest, headSha: push.sha }
  return decideAdmission(ctx, tx, { project, pullRequest: pushed, environment, by, facts })
}
