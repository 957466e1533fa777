// Reconciles the known pull requests of a project with its git host.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import type { PullRequestEvent, PullRequestFacts } from '../../domain/repository/repository-event.ts'
import type { Change } from '../../store/change.ts'
import { findProjectAnywhere, lockProject } from '../../store/projects/projects.ts'
import {
  findPullRequest,
  listOpenPullRequests,
  type PullRequest,
  updatePullRequest,
} from '../../store/repository-events/pull-requests.ts'
import { isDecidedOtherwise } from './decide-admission.ts'
import { gatherFacts } from './gather-facts.ts'
import { handleRepositoryEvent } from './handle-repository-event.ts'
import { refreshFileRules } from './refresh-file-rules.ts'

/** The open pull requests by the git host: with their facts, or just the numbers that the repository has refs for. */
export type OpenNow =
  | { readonly kind: 'facts'; readonly numbers: ReadonlySet<number>; readonly facts: readonly PullRequestFacts[] }
  | { readonly kind: 'refs'; readonly numbers: ReadonlySet<number> }

type Comparison = { readonly projectId: number; readonly open: OpenNow; readonly askedAt: number }

/** A git host needs a moment to create the ref of a new pull request. */
const REF_DELAY_MS = 2 * 60_000

/** Also decides about every pull request by the current rules, which may have changed since its last event. */
export async function reconcilePullRequests(ctx: Context, { projectId, open, askedAt }: Comparison): Promise<void> {
  const pullRequests = open.kind === 'facts' ? open.facts : (await listOpenPullRequests(ctx.db, projectId)).map(factsOf)
  if (pullRequests.length > 0) await refreshFileRules(ctx, projectId, { isAnyway: true })
  const facts = await gatherFacts(ctx, projectId, pullRequests.map(reported))
  await ctx.change(PLATFORM, async (tx) => {
    await lockProject(tx, projectId)
    const project = await findProjectAnywhere(tx, projectId)
    if (!project) return
    const known = await listOpenPullRequests(tx, projectId)
    const events =
      open.kind === 'facts'
        ? await eventsOf(tx, known, open, { projectId, askedAt })
        : [
            ...(await vanished(tx, known, open, askedAt)),
            ...known
              .filter((pullRequest) => isDecidedOtherwise({ project, pullRequest, facts }))
              .map(factsOf)
              .map(reported),
          ]
    for (const event of events) {
      const outcome = await handleRepositoryEvent(ctx, tx, { project, event, by: PLATFORM, facts })
      if (outcome.isAccepted) tx.notify({ about: 'slots', id: projectId })
    }
  })
}

/** Events since the request are newer than the git host's response. */
async function eventsOf(
  tx: Change,
  known: readonly PullRequest[],
  { numbers, facts }: Extract<OpenNow, { kind: 'facts' }>,
  { projectId, askedAt }: Pick<Comparison, 'projectId' | 'askedAt'>,
): Promise<readonly PullRequestEvent[]> {
  const gone = known.filter(({ number, changedAt }) => !numbers.has(number) && changedAt < askedAt)
  const event: PullRequestEvent[] = []
  for (const pullRequest of facts) {
    const before = await findPullRequest(tx, projectId, pullRequest.number)
    const isCurrent = before === undefined || before.changedAt < askedAt
    event.push({ kind: 'pull_request', action: 'updated', pullRequest, isCurrent })
  }
  return [...gone.map(closed), ...event]
}

/** A ref that disappeared means closed; so does a missing ref if the host has refs of other pull requests. */
async function vanished(
  tx: Change,
  known: readonly PullRequest[],
  { numbers }: Extract<OpenNow, { kind: 'refs' }>,
  askedAt: number,
): Promise<readonly PullRequestEvent[]> {
  for (const pullRequest of known.filter(({ number, isRefSeen }) => numbers.has(number) && !isRefSeen)) {
    await updatePullRequest(tx, pullRequest, { is_ref_seen: 1 })
  }
  const missing = known.filter(({ number, changedAt }) => !numbers.has(number) && changedAt < askedAt - REF_DELAY_MS)
  return missing.filter(({ isRefSeen }) => isRefSeen || numbers.size > 0).map(closed)
}

const reported = (pullRequest: PullRequestFacts): PullRequestEvent => ({
  kind: 'pull_request',
  action: 'updated',
  pullRequest,
})

/** Merged or not: its environment goes either way. */
const closed = (known: PullRequest): PullRequestEvent => ({
  kind: 'pull_request',
  action: 'closed',
  isCurrent: true,
  pullRequest: factsOf(known),
})

const factsOf = (known: PullRequest): PullRequestFacts => ({
  number: known.number,
  title: known.title,
  url: known.url,
  author: known.author,
  branch: known.branch,
  headSha: known.headSha,
  headRepository: null,
  isFork: known.isFork,
  isDraft: known.isDraft,
  targetBranch: known.targetBranch,
  labels: known.labels,
  isBot: known.isBot,
  updatedAt: known.hostUpdatedAt,
})
