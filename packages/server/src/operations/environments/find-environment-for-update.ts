// Every change of an environment begins here: locks its project, then reads the current record.
import type { Actor } from '../../domain/people/actor.ts'
import type { Change } from '../../store/change.ts'
import type { Environment } from '../../store/environments/environment-row.ts'
import { findEnvironment, lockEnvironment } from '../../store/environments/environments.ts'
import { lockOrganization } from '../../store/people/organizations.ts'
import { lockProject } from '../../store/projects/projects.ts'
import { orNotFound } from '../or-not-found.ts'

/** Locks the project too: its domains, servers and deletion limit what an environment can be. */
export async function findEnvironmentForUpdate(
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
