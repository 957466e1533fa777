// Every change of a channel begins here: checks permissions and locks its organization.
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import type { Change } from '../../store/change.ts'
import { type Channel, findChannel } from '../../store/channels/channels.ts'
import { orNotFound } from '../or-not-found.ts'
import { findOrganizationForUpdate } from '../people/find-organization-for-update.ts'

export async function findChannelForUpdate(tx: Change, actor: Actor, id: number): Promise<Channel> {
  const { organizationId } = orNotFound(await findChannel(tx, actor, id), 'channel')
  const { actor: current } = await findOrganizationForUpdate(tx, actor, organizationId)
  demand(current, 'administer', organizationId)
  return orNotFound(await findChannel(tx, actor, id), 'channel')
}
