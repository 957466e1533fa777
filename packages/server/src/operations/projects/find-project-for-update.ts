// Every change of a project begins here: locks it, then reads the current record.
import type { Actor } from '../../domain/people/actor.ts'
import type { Change } from '../../store/change.ts'
import { lockOrganization } from '../../store/people/organizations.ts'
import { findProject, lockProject, type Project } from '../../store/projects/projects.ts'
import { orNotFound } from '../or-not-found.ts'

/** `withMembers`: also locks the memberships. Locks are always taken from the organization down. */
export async function findProjectForUpdate(
  tx: Change,
  actor: Actor,
  { id, withMembers = false }: { readonly id: number; readonly withMembers?: boolean },
): Promise<Project> {
  const { organizationId } = orNotFound(await findProject(tx, actor, id), 'project')
  if (withMembers) await lockOrganization(tx, organizationId)
  await lockProject(tx, id)
  return orNotFound(await findProject(tx, actor, id), 'project')
}
