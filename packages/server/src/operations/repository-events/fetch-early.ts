// Prefetches the branch of a delivery that led to a deployment, so that the deployment finds it.
import type { Context } from '../../context.ts'
import { isOpenEvent, type RepositoryEvent } from '../../domain/repository/repository-event.ts'
import { reachRepository } from '../projects/reach-repository.ts'

type BranchToFetch = { readonly projectId: number; readonly branch: string }

/** Errors are only logged: the deployment fetches again and reports its own. */
export function fetchEarly(ctx: Context, { projectId, branch }: BranchToFetch): void {
  ctx.afterwards(async () => {
    const reached = await reachRepository(ctx, projectId)
    if (!reached) return
    const { repository, onHostKey } = reached
    await ctx.repositories
      .fetchEarly(repository, branch, { onHostKey })
      .catch((error: unknown) => ctx.log.info({ err: error, project: projectId }, 'could not prefetch a branch'))
  })
}

/** The branch that a delivery reports as moved. Branches of forks are not fetched before approval. */
export function movedBranch(events: readonly RepositoryEvent[]): string | null {
  const [event, ...others] = events
  if (!event || others.length > 0) return null
  if (event.kind === 'push') return event.isDeleted ? null : event.branch
  if (event.kind !== 'pull_request' || !isOpenEvent(event) || event.pullRequest.isFork) return null
  return event.pullRequest.branch
}
