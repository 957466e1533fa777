// Servers by their names or ids.
import type { Client, Server } from '@shipway/api'
import { findByName, readId } from './find-by-name.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export const listServers = (client: Client): Promise<Server[]> =>
  readAllPages((cursor) => client.raw.listServers({ query: { limit: PAGE_SIZE, cursor } }))

export function chooseServer(wanted: string, servers: readonly Server[]): Server {
  const id = readId(wanted)
  return servers.find((server) => server.id === id) ?? findByName('server', wanted, servers)
}
