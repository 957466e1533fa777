// Checks access to the repository of a project with the project's key. At a connected git host, the key and the webhook are repaired first.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { RepositoryFindings } from '../../domain/repository/repository-findings.ts'
import { updateAccessDue } from '../../store/connections/repository-access.ts'
import { findProject } from '../../store/projects/projects.ts'
import { ensureNextAccess } from '../connections/ensure-access.ts'
import { orNotFound } from '../or-not-found.ts'
import { reachRepository } from './reach-repository.ts'

export async function checkRepository(ctx: Context, actor: Actor, id: number): Promise<RepositoryFindings> {
  const project = orNotFound(await findProject(ctx.db, actor, id), 'project')
  demand(actor, 'administer', project.organizationId)
  if (project.repositoryAccess) {
    await ctx.change(actor, (tx) => updateAccessDue(tx, id))
    await ensureNextAccess(ctx, id)
  }
  const { repository, onHostKey } = orNotFound(await reachRepository(ctx, id), 'project')
  return ctx.repositories.inspect(repository, {
    organizationId: project.organizationId,
    branch: project.defaultBranch,
    hasServiceFile: project.serviceFileDigest !== null,
    // As the first deployment would.
    onHostKey,
  })
}
