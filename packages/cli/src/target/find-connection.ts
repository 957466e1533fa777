// Connections to git hosts by their names or ids.
import type { Client, GitConnection } from '@shipway/api'
import type { Context } from '../context.ts'
import { findByName, readId } from './find-by-name.ts'
import { findOwnOrganization } from './find-own-organization.ts'

export async function listConnections(ctx: Context, client: Client): Promise<readonly GitConnection[]> {
  return client.listConnections({ params: { id: await findOwnOrganization(ctx, client) } })
}

export async function findConnection(ctx: Context, client: Client, wanted: string): Promise<GitConnection> {
  const connections = await listConnections(ctx, client)
  const id = readId(wanted)
  return connections.find((connection) => connection.id === id) ?? findByName('connection', wanted, connections)
}
