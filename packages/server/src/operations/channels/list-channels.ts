// Channels, for administrators of the organization only.
import type { Context } from '../../context.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { type Channel, listChannels as listRows } from '../../store/channels/channels.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { orNotFound } from '../or-not-found.ts'

export async function listChannels(ctx: Context, actor: Actor, organizationId: number): Promise<readonly Channel[]> {
  orNotFound(await findOrganization(ctx.db, actor, organizationId), 'organization')
  demand(actor, 'administer', organizationId)
  return listRows(ctx.db, organizationId)
}
