// Connections, for administrators of the organization only.
import type { Context } from '../../context.ts'
import type { Connection } from '../../domain/connection.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { demand } from '../../domain/people/permissions.ts'
import { findConnection, listConnections as listRows } from '../../store/connections/connections.ts'
import { findOrganization } from '../../store/people/organizations.ts'
import { orNotFound } from '../or-not-found.ts'

export async function listConnections(
  ctx: Context,
  actor: Actor,
  organizationId: number,
): Promise<readonly Connection[]> {
  orNotFound(await findOrganization(ctx.db, actor, organizationId), 'organization')
  demand(actor, 'administer', organizationId)
  return listRows(ctx.db, organizationId)
}

export async function getConnection(ctx: Context, actor: Actor, id: number): Promise<Connection> {
  const connection = orNotFound(await findConnection(ctx.db, actor, id), 'connection')
  demand(actor, 'administer', connection.organizationId)
  return connection
}
