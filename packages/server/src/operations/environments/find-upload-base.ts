// Finds a commit of the repository whose files an upload can leave out.
import type { Context } from '../../context.ts'
import { ProjectDeleting } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findProject } from '../../store/projects/projects.ts'
import { orNotFound } from '../or-not-found.ts'
import { reachRepository } from '../projects/reach-repository.ts'

export async function findUploadBase(
  ctx: Context,
  actor: Actor,
  { projectId, commits }: { readonly projectId: number; readonly commits: readonly string[] },
): Promise<string | null> {
  const project = orNotFound(await findProject(ctx.db, actor, projectId), 'project')
  demand(actor, 'deploy', project.organizationId)
  if (project.isDeleting) throw ProjectDeleting()
  const { repository, onHostKey } = orNotFound(await reachRepository(ctx, projectId), 'project')
  return (await ctx.repositories.findUploadBase(repository, commits, { onHostKey })) ?? null
}
