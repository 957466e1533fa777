// Every change of an organization's members begins here: locks it, and reads the caller's current role and access.
import { NotFound } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { isLockedOut } from '../../domain/people/two-factor.ts'
import type { Change } from '../../store/change.ts'
import { findOrganization, lockOrganization, type Organization } from '../../store/people/organizations.ts'
import { findPlatformTwoFactor, findTwoFactor } from '../../store/people/two-factor.ts'
import { orNotFound } from '../or-not-found.ts'

/**
 * Inside a transaction only. The previous holder of the lock may have changed the caller's role, so
 * the returned actor has the current one. It may also have required two-factor codes since the caller's credential was read.
 */
export async function findOrganizationForUpdate(
  tx: Change,
  actor: Actor,
  id: number,
): Promise<{ readonly organization: Organization; readonly actor: Actor }> {
  if (actor.roles.has(id)) await lockOrganization(tx, id)
  const organization = orNotFound(await findOrganization(tx, actor, id), 'organization')
  const facts = {
    hasTwoFactor: await findTwoFactor(tx, actor.userId),
    isRequiredByPlatform: await findPlatformTwoFactor(tx),
  }
  if (isLockedOut(facts, organization)) throw NotFound('organization')
  return { organization, actor: { ...actor, roles: new Map([[id, organization.role]]) } }
}
