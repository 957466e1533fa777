// Status of a server in the list, by its last check.
import type { Check, Server, ServerHealth } from '@shipway/api'
import type { Appearance } from '../../status/appearance.ts'

export function serverAppearance(
  server: Pick<Server, 'needs_setup'>,
  health: Pick<ServerHealth, 'checks'> | undefined,
): Appearance {
  if (server.needs_setup) return { shape: 'diamond', label: 'Setup required', tone: 'warn' }
  if (health === undefined) return { shape: 'ring', label: 'Loading', tone: 'quiet' }
  const { checks } = health
  if (checks.length === 0) return { shape: 'ring', label: 'Not checked yet', tone: 'quiet' }
  if (checks.some(({ status }) => status === 'failed'))
    return { shape: 'octagon', label: 'Needs attention', tone: 'bad' }
  if (checks.some(({ status }) => status === 'warning')) return { shape: 'triangle', label: 'Warning', tone: 'warn' }
  return { shape: 'disc', label: 'Ready', tone: 'good' }
}

/** Failed connection check: nothing else could be checked. */
export const lostConnection = (health: Pick<ServerHealth, 'checks'> | undefined): Check | undefined =>
  health?.checks.find(({ name, status }) => name === 'connection' && status === 'failed')
