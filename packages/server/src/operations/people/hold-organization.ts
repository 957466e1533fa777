// Begins every change of an organization's members: one at a time, judged by the role that the caller has at that moment.
import type { Kysely } from 'kysely'
import type { Actor } from '../../domain/people/actor.ts'
import { findOrganization, lockOrganization, type Organization } from '../../store/people/organizations.ts'
import type { Tables } from '../../store/tables/tables.ts'
import { required } from '../required.ts'

/**
 * Inside a transaction only. The role that came with the request may be taken away by whoever held the lock before, so
 * the actor that is returned has the one of now.
 */
export async function holdOrganization(
  db: Kysely<Tables>,
  actor: Actor,
  id: number,
): Promise<{ readonly organization: Organization; readonly actor: Actor }> {
  if (actor.roles.has(id)) await lockOrganization(db, id)
  const organization = required(await findOrganization(db, actor, id), 'organization')
  return { organization, actor: { ...actor, roles: new Map([[id, organization.role]]) } }
}
