// Channels by their names or ids.
import type { Channel, Client } from '@shipway/api'
import type { Context } from '../context.ts'
import { findByName, readId } from './find-by-name.ts'
import { findOwnOrganization } from './find-own-organization.ts'

export async function listChannels(ctx: Context, client: Client): Promise<readonly Channel[]> {
  return client.listChannels({ params: { id: await findOwnOrganization(ctx, client) } })
}

export async function findChannel(ctx: Context, client: Client, wanted: string): Promise<Channel> {
  const channels = await listChannels(ctx, client)
  const id = readId(wanted)
  return channels.find((channel) => channel.id === id) ?? findByName('channel', wanted, channels)
}
