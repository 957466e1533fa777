// The organization of a new record: the one in the body, else the only one that the caller can reach.
import { InvalidField, NotFound } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'

export function chooseOrganization(actor: Actor, organizationId: number | undefined): number {
  if (organizationId !== undefined) {
    if (!actor.roles.has(organizationId)) throw NotFound('organization')
    return organizationId
  }
  const [only, another] = actor.roles.keys()
  if (only === undefined) throw NotFound('organization')
  if (another !== undefined) {
    throw InvalidField(
      '/organization_id',
      'required',
      'You are in several organizations: say which one in organization_id',
    )
  }
  return only
}
