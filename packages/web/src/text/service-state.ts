// In which state a service is, and what visitors get of it, in words.
import type { Environment, ServiceState } from '@shipway/api'
import { shortSha } from './sha.ts'

type Seen = { readonly state: ServiceState; readonly exit_code: number | null; readonly restarts: number }

export function describeServiceState({ state, exit_code, restarts }: Seen): string {
  if (state === 'exited') return exit_code === null ? 'Not running' : `Exited with code ${exit_code}`
  if (state === 'restarting' && restarts > 0)
    return `Restarting, ${restarts} ${restarts === 1 ? 'time' : 'times'} so far`
  return WORDS[state]
}

const WORDS: Readonly<Record<ServiceState, string>> = {
  starting: 'Starting',
  healthy: 'Healthy',
  running: 'Running',
  unhealthy: 'Unhealthy',
  restarting: 'Restarting',
  exited: 'Not running',
  unknown: 'Unknown',
}

export const isUp = ({ state }: { readonly state: ServiceState }): boolean => state === 'healthy' || state === 'running'

/** Whether nothing is known of what does not work: the server is out of reach. */
export const isUnreachable = ({ services }: Pick<Environment, 'services'>): boolean =>
  services.some(({ state }) => state === 'unknown') && services.every((one) => isUp(one) || one.state === 'unknown')

/** What a failed or canceled deployment means for visitors, as it was just checked. Undefined where nobody knows. */
export function describeServing(live: NonNullable<Environment['live']>): string | undefined {
  const what = live.commit_sha === null ? `deployment #${live.task_id}` : shortSha(live.commit_sha)
  if (live.answers === null) return undefined
  if (live.answers) return `Nothing changed for visitors: ${what} still serves (checked just now).`
  return `Visitors get no answer: ${what} is live and does not answer. Deploy a version that works.`
}
