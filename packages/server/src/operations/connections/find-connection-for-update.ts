// Every change of a connection begins here: checks permissions and locks its organization.
import type { Connection } from '../../domain/connection.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { findConnection } from '../../store/connections/connections.ts'
import { orNotFound } from '../or-not-found.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'

export async function findConnectionForUpdate(tx: Change, actor: Actor, id: number): Promise<Connection> {
  const { organizationId } = orNotFound(await findConnection(tx, actor, id), 'connection')
  const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
  demand(current, 'administer', organizationId)
  return orNotFound(await findConnection(tx, actor, id), 'connection')
}
