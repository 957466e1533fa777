// Servers by their names or ids.
import type { Client, Server } from '@shipway/api'
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { findByName, listNames, readId } from './find-by-name.ts'
import { PAGE_SIZE, readAllPages } from './read-all-pages.ts'

export const listServers = (client: Client): Promise<Server[]> =>
  readAllPages((cursor) => client.raw.listServers({ query: { limit: PAGE_SIZE, cursor } }))

export function chooseServer(wanted: string, servers: readonly Server[]): Server {
  const id = readId(wanted)
  return servers.find((server) => server.id === id) ?? findByName('server', wanted, servers)
}

/** Without a name, the only one there is. */
export function chooseOnlyServer(wanted: string | undefined, servers: readonly Server[]): Server {
  if (wanted !== undefined) return chooseServer(wanted, servers)
  const [only, ...others] = servers
  if (only && others.length === 0) return only
  throw UsageError(
    'Which server?',
    ...listNames(
      'server',
      servers.map(({ name }) => plainText(name)),
    ),
  )
}
