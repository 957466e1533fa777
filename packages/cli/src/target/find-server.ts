// Servers by their names or ids.
import type { Client, Server } from '@shipway/api'
import { chooseNamed, readId } from './choose-named.ts'
import { MOST_AT_A_TIME, readAll } from './read-all.ts'

export const listServers = (client: Client): Promise<Server[]> =>
  readAll((cursor) => client.raw.listServers({ query: { limit: MOST_AT_A_TIME, cursor } }))

export function chooseServer(wanted: string, servers: readonly Server[]): Server {
  const id = readId(wanted)
  return servers.find((server) => server.id === id) ?? chooseNamed('server', wanted, servers)
}
