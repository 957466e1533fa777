// How a server looks in the list, by what its last check found.
import type { Check, Server, ServerHealth } from '@shipway/api'
import type { Shown } from '../../status/appearance.ts'

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
