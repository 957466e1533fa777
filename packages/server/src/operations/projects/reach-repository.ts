// Access to the repository of a project outside a task, with the credentials of its deployments.
import type { Context } from '../../context.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { findConnectionOfProject } from '../../store/connections/connections.ts'
import { findProjectRepository } from '../../store/projects/project-repositories.ts'
import { updateRepositoryHostKey } from '../../store/projects/projects.ts'

/** The caller has found the project. Undefined if it was deleted since. */
export async function reachRepository(ctx: Context, projectId: number) {
  const found = await findProjectRepository(ctx.db, projectId)
  if (!found) return undefined
  const { address, publicKey, hostKey, privateKeySealed, hookId } = found
  const openKey = () => ctx.box.open(privateKeySealed, projectContext(hookId, 'repository_private_key_sealed'))
  const tokens = ctx.credentials.openTokens(await findConnectionOfProject(ctx.db, projectId))
  return {
    repository: { projectId, address, publicKey, hostKey, openKey, tokens },
    onHostKey: (id: number, key: string) => ctx.change(PLATFORM, (tx) => updateRepositoryHostKey(tx, id, key)),
  }
}
