// A command in a comment of a pull request: `/preview`, `/preview stop`, `/preview redeploy`. Only people with write access may command.
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { effectiveRules } from '../../domain/repository/pull-request-rules.ts'
import type { CommentEvent, EventReason } from '../../domain/repository/repository-event.ts'
import type { Change } from '../../store/change.ts'
import { findPullRequestEnvironment } from '../../store/environments/environments.ts'
import type { Project } from '../../store/projects/projects.ts'
import { deleteEarlierCommentRequests, insertCommentRequest } from '../../store/repository-events/comment-requests.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import { findPullRequest, type PullRequest, updatePullRequest } from '../../store/repository-events/pull-requests.ts'
import { queueDeployment } from '../tasks/start-deployment.ts'
import { admitPullRequest } from './admit-pull-request.ts'
import { decideAdmission } from './decide-admission.ts'
import type { GatheredFacts } from './gather-facts.ts'
import { accepted, type EventOutcome, ignored } from './outcome.ts'

type CommentToHandle = {
  readonly project: Project
  readonly event: CommentEvent
  readonly by: Automatic
  readonly facts: GatheredFacts
  readonly deliveryId: number | null
  /** The row that it waited in for an answer of the git host. */
  readonly requestId?: number
}

export async function handleComment(ctx: Context, tx: Change, input: CommentToHandle): Promise<EventOutcome> {
  const { project, event, facts, deliveryId, requestId: before } = input
  const known = await findPullRequest(tx, project.id, event.number)
  const refused = refuseCommand(input, known)
  if (refused || !known) return refused ?? refuse('pull_request_unknown', '')
  if (facts.accessOf(event.author) === 'unreachable') {
    await insertCommentRequest(tx, { projectId: project.id, event, deliveryId, at: ctx.clock() })
    const detail = `The git host did not answer whether ${event.author.name} has write access. It is asked again`
    return { ...accepted('checking_permission'), detail }
  }
  await deleteEarlierCommentRequests(tx, { projectId: project.id, number: event.number, before })
  const requested = event.command === 'stop' ? 'stop' : 'start'
  await updatePullRequest(tx, known, { requested })
  const outcome = await applyCommand(ctx, tx, { ...input, pullRequest: { ...known, requested } })
  const environment = await findPullRequestEnvironment(tx, project.id, event.number)
  await insertOutboxPullRequest(tx, { projectId: project.id, number: event.number, at: ctx.clock() })
  return { ...outcome, environmentId: environment?.id ?? null }
}

function refuseCommand(
  { project, event, facts }: CommentToHandle,
  known: PullRequest | undefined,
): EventOutcome | undefined {
  const { name } = event.author
  if (!effectiveRules(project.pullRequestRules, project.fileRules.rules).comments)
    return refuse('comments_off', 'Commands in comments are off: set pull_requests.comments to true')
  const access = facts.accessOf(event.author)
  if (access === 'none') return refuse('no_write_access', `${name} has no write access to the repository`)
  if (access === 'unknown')
    return refuse(
      'write_access_unknown',
      `The git host did not say whether ${name} has write access. Give the project a connection or a host token that may ask`,
    )
  if (!known) return refuse('pull_request_unknown', 'No event of this pull request has arrived yet. Push to it first')
  if (known.state !== 'open') return refuse('pull_request_closed', 'The pull request is not open')
  return undefined
}

const refuse = (reason: EventReason, detail: string): EventOutcome => ({ ...ignored(reason), detail })

async function applyCommand(
  ctx: Context,
  tx: Change,
  { project, event, by, facts, pullRequest }: CommentToHandle & { readonly pullRequest: PullRequest },
): Promise<EventOutcome> {
  const { projectId, number, isFork } = pullRequest
  if (isFork && project.forkPullRequests === 'off') return ignored('fork_pull_requests_off')
  const environment = await findPullRequestEnvironment(tx, projectId, number)
  const refused = await decideAdmission(ctx, tx, { project, pullRequest, environment, by, facts })
  // Only `/preview stop` is refused here: that is what it asks for.
  if (refused) return environment ? refused : { ...accepted(refused.reason), detail: refused.detail ?? null }
  if (!environment || isBeingRemoved(environment.tasks)) return admitPullRequest(ctx, tx, { project, pullRequest, by })
  if (environment.isProtected) return refuse('environment_protected', 'Its environment is protected')
  // Commits of forks are deployed by approval alone.
  if (isFork || environment.isFork) return accepted('awaiting_approval')
  const isHeldBack = pullRequest.refusal !== null
  if (event.command !== 'redeploy' && !isHeldBack) return ignored('nothing_new')
  const commit = /^[0-9a-f]{40}$/.test(pullRequest.headSha) ? pullRequest.headSha : undefined
  await queueDeployment(ctx, tx, environment, { by, cause: 'pull_request', commit })
  return accepted()
}
