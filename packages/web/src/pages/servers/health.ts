// How a server is: what the last look at it found, how full it is, and what runs there.
import type { Check, Server, ServerHealth } from '@shipway/api'
import { queryOptions } from '@tanstack/react-query'
import { client } from '../../data/client.ts'
import { keys } from '../../data/keys.ts'
import type { Shown } from '../../signs/shown.ts'

/** A new check is told of. Tasks and environments on a server come and go without a message about it. */
const EVERY_MS = 30_000

export const healthQuery = (id: number) =>
  queryOptions({
    queryKey: keys.serverHealth(id),
    queryFn: ({ signal }) => client.getServerHealth({ params: { id }, signal }),
    refetchInterval: EVERY_MS,
  })

export function serverShown(
  server: Pick<Server, 'needs_setup'>,
  health: Pick<ServerHealth, 'checks'> | undefined,
): Shown {
  if (server.needs_setup) return { silhouette: 'diamond', word: 'To be set up', tone: 'warn' }
  const checks = health?.checks ?? []
  if (checks.length === 0) return { silhouette: 'ring', word: 'Not checked yet', tone: 'quiet' }
  if (checks.some(({ status }) => status === 'failed')) return { silhouette: 'octagon', word: 'Needs you', tone: 'bad' }
  if (checks.some(({ status }) => status === 'warning'))
    return { silhouette: 'triangle', word: 'Warning', tone: 'warn' }
  return { silhouette: 'disc', word: 'Ready', tone: 'good' }
}

/** What keeps the platform from looking at anything else there. */
export const lostConnection = (health: Pick<ServerHealth, 'checks'> | undefined): Check | undefined =>
  health?.checks.find(({ name, status }) => name === 'connection' && status === 'failed')
