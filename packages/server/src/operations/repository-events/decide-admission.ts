// Applies the decision about a pull request: records it, takes it out of the queue, and removes its environment where the rule says so.
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import {
  type Decision,
  decidePullRequest,
  keepsEnvironment,
  matchesPaths,
} from '../../domain/repository/decide-pull-request.ts'
import { effectiveRules } from '../../domain/repository/pull-request-rules.ts'
import { byRule } from '../../domain/repository/removal-reason.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import type { Project } from '../../store/projects/projects.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import { type PullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'
import { removeEnvironment } from '../environments/remove-environment.ts'
import { findComparison, type GatheredFacts } from './gather-facts.ts'
import { accepted, type EventOutcome, ignored } from './outcome.ts'

export type AdmissionRequest = {
  readonly project: Project
  readonly pullRequest: PullRequest
  readonly environment: Environment | undefined
  readonly by: Automatic
  readonly facts: GatheredFacts
}

/** The caller has locked the project. Undefined if the rules admit it; then nothing is left of an earlier refusal. */
export async function decideAdmission(
  ctx: Context,
  tx: Change,
  request: AdmissionRequest,
): Promise<EventOutcome | undefined> {
  const { pullRequest } = request
  const decision = await decide(tx, request)
  if (!decision.isAdmitted) return refuse(ctx, tx, { ...request, decision })
  if (pullRequest.refusal) {
    await updatePullRequest(tx, pullRequest, { refusal: null, refusal_detail: null, refused_at: null })
    await report(ctx, tx, request)
  }
  return undefined
}

type Decided = Pick<AdmissionRequest, 'project' | 'pullRequest' | 'facts'>

/** Whether the rules decide otherwise than when they were last applied. */
export function isDecidedOtherwise(request: Decided): boolean {
  const { decision } = decisionOf(request)
  return (decision.isAdmitted ? undefined : decision.code) !== request.pullRequest.refusal?.code
}

/** Stores the result of a comparison with its commit and target branch: an event that changes something else compares nothing again. */
async function decide(tx: Change, request: AdmissionRequest): Promise<Decision> {
  const { decision, compared } = decisionOf(request)
  if (compared) {
    const { headSha, targetBranch } = request.pullRequest
    await updatePullRequest(tx, request.pullRequest, {
      compared_sha: headSha,
      compared_target: targetBranch,
      compared_match: compared.isMatch ? 1 : 0,
    })
  }
  return decision
}

function decisionOf({ project, pullRequest, facts }: Decided) {
  const rules = effectiveRules(project.pullRequestRules, project.fileRules.rules)
  const files = facts.filesOf(pullRequest)
  const compared = files && { isMatch: matchesPaths({ files }, rules.paths) }
  const before = findComparison(pullRequest, pullRequest)
  return { decision: decidePullRequest(pullRequest, rules, compared ?? before), compared }
}

type Refused = AdmissionRequest & { readonly decision: Extract<Decision, { isAdmitted: false }> }

async function refuse(ctx: Context, tx: Change, refused: Refused): Promise<EventOutcome> {
  const { pullRequest, environment, by, decision } = refused
  const { code, sentence } = decision
  const isRemoved = environment !== undefined && !keepsEnvironment(code) && !environment.isProtected
  const { refusal, waitingSince } = pullRequest
  const isNew = refusal?.code !== code || refusal.sentence !== sentence
  if (isNew || waitingSince !== null || isRemoved) {
    await updatePullRequest(tx, pullRequest, {
      refusal: code,
      refusal_detail: sentence,
      refused_at: refusal?.since ?? ctx.clock(),
      waiting_since: null,
      // Removed by a rule, not by hand: it comes back when the rule admits it.
      ...(isRemoved && { environment_id: null }),
    })
    await report(ctx, tx, refused)
  }
  const detail = environment?.isProtected && !keepsEnvironment(code) ? `${sentence}. ${KEPT}` : sentence
  if (!isRemoved || isBeingRemoved(environment.tasks)) return { ...ignored(code), detail }
  await removeEnvironment(ctx, tx, environment, { by, cause: 'pull_request', because: byRule(sentence) })
  return { ...accepted(code), detail }
}

const KEPT = 'Its environment is protected and stays'

/** The comment says it where there is one. */
async function report(ctx: Context, tx: Change, { pullRequest, environment }: AdmissionRequest): Promise<void> {
  if (pullRequest.commentId === null && !environment) return
  const { projectId, number } = pullRequest
  await insertOutboxPullRequest(tx, { projectId, number, at: ctx.clock() })
}
