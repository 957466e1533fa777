// Begins to fetch what a delivery told of, once it has led to a deployment: the deployment finds it there.
import type { Context } from '../../context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { isOpenEvent, type RepositoryEvent } from '../../domain/repository/repository-event.ts'
import { placeInProject } from '../../domain/sealed-place.ts'
import { findProjectRepository } from '../../store/projects/project-repositories.ts'
import { updateRepositoryHostKey } from '../../store/projects/projects.ts'

type Moved = { readonly projectId: number; readonly branch: string }

/** What goes wrong here is no fault of anybody's yet: the deployment tries again, and tells of it. */
export function fetchEarly(ctx: Context, { projectId, branch }: Moved): void {
  ctx.afterwards(async () => {
    const repository = await findProjectRepository(ctx.db, projectId)
    if (!repository) return
    const { address, publicKey, hostKey, privateKeySealed, hookId } = repository
    const openKey = () => ctx.box.open(privateKeySealed, placeInProject(hookId, 'repository_private_key_sealed'))
    const onHostKey = (id: number, key: string) => ctx.change(PLATFORM, (tx) => updateRepositoryHostKey(tx, id, key))
    await ctx.repositories
      .fetchEarly({ projectId, address, publicKey, openKey, hostKey }, branch, { onHostKey })
      .catch((error: unknown) => ctx.log.info({ err: error, project: projectId }, 'nothing was fetched ahead'))
  })
}

/** The branch that a delivery says has moved. That of a stranger's pull request is nothing to fetch before somebody has looked at it. */
export function movedBranch(events: readonly RepositoryEvent[]): string | null {
  const [event, ...others] = events
  if (!event || others.length > 0) return null
  if (event.kind === 'push') return event.isDeleted ? null : event.branch
  if (event.kind === 'ping' || !isOpenEvent(event) || event.pullRequest.isFork) return null
  return event.pullRequest.branch
}
