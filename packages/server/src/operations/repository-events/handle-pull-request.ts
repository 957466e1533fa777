// An event of a pull request: creates its environment when it is opened, deploys its commits, and removes it when it ends.
import { ISOLATED_RECIPE } from '@shipway/api/values/recipe-facts'
import type { Context } from '../../context.ts'
import { isBeingRemoved } from '../../domain/environment.ts'
import type { Automatic } from '../../domain/people/actor.ts'
import { nextState } from '../../domain/repository/pull-request-state.ts'
import { afterPullRequest } from '../../domain/repository/removal-reason.ts'
import {
  type EndedFacts,
  isOpenEvent,
  isSameCommit,
  NO_COMMIT,
  type OpenPullRequestEvent,
  type PullRequestEvent,
  type PullRequestFacts,
} from '../../domain/repository/repository-event.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import type { Change } from '../../store/change.ts'
import { hasApproval } from '../../store/environments/approvals.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findPullRequestEnvironment, updateEnvironment } from '../../store/environments/environments.ts'
import { hasExpired } from '../../store/environments/expired-environments.ts'
import type { Project } from '../../store/projects/projects.ts'
import { deleteWait } from '../../store/repository-events/check-waits.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import {
  findPullRequest,
  type PullRequest,
  updatePullRequest,
  updatePullRequestState,
  writePullRequest,
} from '../../store/repository-events/pull-requests.ts'
import { isSkippedCommit } from '../../store/repository-events/pushes.ts'
import { dropQueuedTask } from '../../store/tasks/task-states.ts'
import { removeEnvironment } from '../environments/remove-environment.ts'
import { admitPullRequest } from './admit-pull-request.ts'
import { decideAdmission } from './decide-admission.ts'
import { deployAutomatically } from './deploy-automatically.ts'
import type { GatheredFacts } from './gather-facts.ts'
import { accepted, type EventOutcome, ignored } from './outcome.ts'

type PullRequestToHandle = {
  readonly project: Project
  readonly event: PullRequestEvent
  readonly by: Automatic
  readonly facts: GatheredFacts
  /** The same delivery arrived before and had no effect. */
  readonly isSentAgain: boolean
}
type KnownPullRequest = Omit<PullRequestToHandle, 'event'> & {
  readonly event: OpenPullRequestEvent
  /** As it was known before. */
  readonly known: PullRequest | undefined
  readonly pullRequest: PullRequest
  readonly environment: Environment | undefined
}

export async function handlePullRequest(ctx: Context, tx: Change, input: PullRequestToHandle): Promise<EventOutcome> {
  const { project, event } = input
  const { number } = event.pullRequest
  const known = await findPullRequest(tx, project.id, number)
  const outcome = await handleEvent(ctx, tx, { ...input, known })
  const environment = await findPullRequestEnvironment(tx, project.id, number)
  return { ...outcome, environmentId: environment?.id ?? known?.environmentId ?? null }
}

async function handleEvent(
  ctx: Context,
  tx: Change,
  { known, ...input }: PullRequestToHandle & Pick<KnownPullRequest, 'known'>,
): Promise<EventOutcome> {
  const { project, event, isSentAgain } = input
  const { action, isCurrent, pullRequest: facts } = event
  const { isNew, ...state } = nextState({ action, updatedAt: facts.updatedAt, isCurrent, isSentAgain }, known)
  if (known && !isNew) {
    await updatePullRequestState(tx, known, state)
    return ignored('outdated')
  }
  const at = ctx.clock()
  const pullRequest = await writePullRequest(tx, { projectId: project.id, state, facts: fullFacts(facts, known), at })
  const environment = await findPullRequestEnvironment(tx, project.id, facts.number)
  if (!isOpenEvent(event)) {
    const because = afterPullRequest({ action: event.action, isCompared: isCurrent === true })
    return handleEnd(ctx, tx, { by: input.by, known, environment, because })
  }
  const all = { ...input, event, known, pullRequest, environment }
  if (!environment && facts.isFork && project.forkPullRequests === 'off') return ignored('fork_pull_requests_off')
  if (environment) await copyFacts(ctx, tx, environment, event.pullRequest)
  const refused = await decideAdmission(ctx, tx, all)
  if (refused) return refused
  if (!environment) return handleWithout(ctx, tx, all)
  if (isBeingRemoved(environment.tasks)) return handleRemoving(ctx, tx, { ...all, environment })
  return follow(ctx, tx, { ...all, environment })
}

/** For an ended pull request, known values replace those that the event no longer has. */
const fullFacts = (facts: PullRequestFacts | EndedFacts, known: PullRequest | undefined): PullRequestFacts => ({
  ...facts,
  branch: facts.branch ?? known?.branch ?? '',
  headSha: facts.headSha ?? known?.headSha ?? NO_COMMIT,
})

/** Merged or closed: removes its environment. A protected one stays for its owner to remove, and shows that its pull request ended. */
async function handleEnd(
  ctx: Context,
  tx: Change,
  {
    known,
    environment,
    by,
    because,
  }: Pick<KnownPullRequest, 'known' | 'environment' | 'by'> & { readonly because: string },
): Promise<EventOutcome> {
  const isWaiting = known !== undefined && (known.waitingSince !== null || known.refusal !== null)
  if (isWaiting || known?.requested) await updatePullRequest(tx, known, NO_WISHES)
  if (environment) await deleteWait(tx, environment.id)
  if (!environment) return isWaiting ? accepted() : ignored('no_environment')
  if (environment.isProtected) return accepted('kept_protected')
  if (isBeingRemoved(environment.tasks)) return ignored('environment_removing')
  await removeEnvironment(ctx, tx, environment, { by, cause: 'pull_request', because })
  const { projectId, pullRequest } = environment
  if (pullRequest) await insertOutboxPullRequest(tx, { projectId, number: pullRequest.number, at: ctx.clock() })
  return accepted()
}

/** A pull request that is opened again starts anew. */
const NO_WISHES = { waiting_since: null, requested: null, refusal: null, refusal_detail: null, refused_at: null }

/** Open without an environment: new, reopened, waiting, or its environment was removed or expired. */
async function handleWithout(
  ctx: Context,
  tx: Change,
  { project, event, known, pullRequest, by }: KnownPullRequest,
): Promise<EventOutcome> {
  const { action, pullRequest: facts } = event
  const isOpenedAgain = action === 'reopened' || known?.state !== 'open'
  if (!isOpenedAgain && known?.environmentId != null) {
    if (!(await hasExpired(tx, known.environmentId))) return ignored('environment_removed_by_hand')
    if (isSameCommit(known.headSha, facts.headSha)) return ignored('environment_expired')
  }
  return admitPullRequest(ctx, tx, { project, pullRequest, by })
}

/** Reopened, or a new commit after expiry, while its environment is being removed: drops a queued removal, else waits for its end. */
async function handleRemoving(
  ctx: Context,
  tx: Change,
  input: KnownPullRequest & { readonly environment: Environment },
): Promise<EventOutcome> {
  const { project, event, known, pullRequest, environment, by } = input
  const isOpenedAgain = event.action === 'reopened' || known?.state !== 'open'
  const isNewCommit = !isSameCommit(known?.headSha ?? NO_COMMIT, event.pullRequest.headSha)
  const isAdmittedAgain = known?.refusal != null
  const isWantedAgain = isOpenedAgain || isAdmittedAgain || (isNewCommit && (await hasExpired(tx, environment.id)))
  if (!isWantedAgain) return ignored('environment_removing')
  const { queued } = environment.tasks
  const at = ctx.clock()
  const isDropped =
    queued !== null &&
    TASK_KINDS[queued.kind].removesEnvironment &&
    (await dropQueuedTask(tx, queued.id, { reason: 'superseded', at }))
  if (!isDropped) return admitPullRequest(ctx, tx, { project, pullRequest, by })
  const kept = await findPullRequestEnvironment(tx, project.id, event.pullRequest.number)
  return kept ? follow(ctx, tx, { ...input, known: undefined, environment: kept }) : ignored('no_environment')
}

/** Its commits moved, or something else about it changed that needs no deployment. */
async function follow(
  ctx: Context,
  tx: Change,
  { project, event, known, environment, by, isSentAgain }: KnownPullRequest & { readonly environment: Environment },
): Promise<EventOutcome> {
  const { headSha: sha, isFork } = event.pullRequest
  // What a rule held back is deployed once the rule admits it.
  const isNew = isSentAgain || known?.state !== 'open' || known.refusal !== null || !isSameCommit(known.headSha, sha)
  if (isFork || environment.isFork) {
    if (project.forkPullRequests === 'off') return ignored('fork_pull_requests_off')
    return isNew ? awaitApproval(ctx, tx, environment, sha) : ignored('nothing_new')
  }
  if (!isNew) return ignored('nothing_new')
  if (await isSkippedCommit(tx, project.id, sha)) return ignored('skip_requested')
  return deployAutomatically(ctx, tx, environment, { by, cause: 'pull_request', sha, reportedSha: sha })
}

/** Each commit of a fork needs a new approval; the approved one keeps serving meanwhile. */
async function awaitApproval(ctx: Context, tx: Change, environment: Environment, sha: string): Promise<EventOutcome> {
  const at = ctx.clock()
  if (await hasApproval(tx, environment.id, sha)) return ignored('nothing_new')
  // Treated as a fork's from the beginning.
  await updateEnvironment(tx, environment.id, {
    awaits_approval: 1,
    is_fork: 1,
    recipe: ISOLATED_RECIPE,
    updated_at: at,
  })
  const { projectId, pullRequest } = environment
  if (pullRequest) await insertOutboxPullRequest(tx, { projectId, number: pullRequest.number, at })
  return accepted('awaiting_approval')
}

async function copyFacts(
  ctx: Context,
  tx: Change,
  environment: Environment,
  { title, url, author, branch }: PullRequestFacts,
): Promise<void> {
  const before = environment.pullRequest
  const isSame = before?.title === title && before.url === url && environment.branch === branch
  if (isSame && (author === null || before.author === author)) return
  await updateEnvironment(tx, environment.id, {
    pull_request_title: title,
    pull_request_url: url,
    ...(author !== null && { pull_request_author: author }),
    branch,
    updated_at: ctx.clock(),
  })
}
