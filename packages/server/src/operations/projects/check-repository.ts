// Tries the repository of a project with the project's key, for those who can mend it.
import type { Context } from '../../context.ts'
import { type Actor, PLATFORM } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { RepositoryFindings } from '../../domain/repository/repository-findings.ts'
import { placeInProject } from '../../domain/sealed-place.ts'
import { findProjectRepository } from '../../store/projects/project-repositories.ts'
import { findProject, updateRepositoryHostKey } from '../../store/projects/projects.ts'
import { required } from '../required.ts'

export async function checkRepository(ctx: Context, actor: Actor, id: number): Promise<RepositoryFindings> {
  const project = required(await findProject(ctx.db, actor, id), 'project')
  demand(actor, 'administer', project.organizationId)
  const repository = required(await findProjectRepository(ctx.db, id), 'project')
  const { address, publicKey, hostKey, privateKeySealed, hookId } = repository
  const openKey = () => ctx.box.open(privateKeySealed, placeInProject(hookId, 'repository_private_key_sealed'))
  return ctx.repositories.inspect(
    { projectId: id, address, publicKey, openKey, hostKey },
    {
      organizationId: project.organizationId,
      branch: project.defaultBranch,
      // As the first deployment would.
      onHostKey: (projectId, key) => ctx.change(PLATFORM, (tx) => updateRepositoryHostKey(tx, projectId, key)),
    },
  )
}
