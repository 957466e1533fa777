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
import { handleRepositoryEvent } from './handle-repository-event.ts'

/** The open pull requests by the git host: with their facts, or just the numbers that the repository has refs for. */
export type OpenNow =
  | { readonly kind: 'facts'; readonly numbers: ReadonlySet<number>; readonly facts: readonly PullRequestFacts[] }
  | { readonly kind: 'refs'; readonly numbers: ReadonlySet<number> }

type Comparison = { readonly projectId: number; readonly open: OpenNow; readonly askedAt: number }

/** A git host needs a moment to create the ref of a new pull request. */
const REF_DELAY_MS = 2 * 60_000

export async function reconcilePullRequests(ctx: Context, { projectId, open, askedAt }: Comparison): Promise<void> {
  await ctx.change(PLATFORM, async (tx) => {
    await lockProject(tx, projectId)
    const project = await findProjectAnywhere(tx, projectId)
    if (!project) return
    const known = await listOpenPullRequests(tx, projectId)
    const events =
      open.kind === 'facts'
        ? await eventsOf(tx, known, open, { projectId, askedAt })
        : await vanished(tx, known, open, askedAt)
    for (const event of events) {
      const outcome = await handleRepositoryEvent(ctx, tx, { project, event, by: PLATFORM })
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

/** Merged or not: its environment goes either way. */
function closed(known: PullRequest): PullRequestEvent {
  return {
    kind: 'pull_request',
    action: 'closed',
    isCurrent: true,
    pullRequest: {
      number: known.number,
      title: known.title,
      url: known.url,
      author: known.author,
      branch: known.branch,
      headSha: known.headSha,
      headRepository: null,
      isFork: known.isFork,
      isDraft: false,
      targetBranch: null,
      updatedAt: known.hostUpdatedAt,
    },
  }
}
