// Begins every change of an environment: one at a time in its project, seen as it is once the lock is held.
import type { Actor } from '../../domain/people/actor.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironment, lockEnvironment } from '../../store/environments/environments.ts'
import { lockOrganization } from '../../store/people/organizations.ts'
import { lockProject } from '../../store/projects/projects.ts'
import { orNotFound } from '../or-not-found.ts'

/** The project is held too: its domains, servers and deletion decide what an environment may become. */
export async function holdEnvironment(
  tx: Change,
  actor: Actor,
  { id, withMembers = false }: { readonly id: number; readonly withMembers?: boolean },
): Promise<Environment> {
  const { organizationId, projectId } = orNotFound(await findEnvironment(tx, actor, id), 'environment')
  if (withMembers) await lockOrganization(tx, organizationId)
  await lockProject(tx, projectId)
  await lockEnvironment(tx, id)
  return orNotFound(await findEnvironment(tx, actor, id), 'environment')
}
