// State of a service, and what visitors get.
import type { Environment, ServiceState, Task } from '@shipway/api'
import { describeAfterRelease } from '@shipway/api/values/release-commands'
import { shortSha } from './sha.ts'

type Seen = { readonly state: ServiceState; readonly exit_code: number | null; readonly restarts: number }

export function describeServiceState({ state, exit_code, restarts }: Seen): string {
  if (state === 'exited') return exit_code === null ? 'Not running' : `Exited with code ${exit_code}`
  if (state === 'restarting' && restarts > 0)
    return `Restarting, ${restarts} ${restarts === 1 ? 'time' : 'times'} so far`
  return LABELS[state]
}

const LABELS: Readonly<Record<ServiceState, string>> = {
  starting: 'Starting',
  healthy: 'Healthy',
  running: 'Running',
  unhealthy: 'Unhealthy',
  restarting: 'Restarting',
  exited: 'Not running',
  unknown: 'Unknown',
}

export const isUp = ({ state }: { readonly state: ServiceState }): boolean => state === 'healthy' || state === 'running'

/** True if every service that is not up is unknown: the server is unreachable. */
export const isUnreachable = ({ services }: Pick<Environment, 'services'>): boolean =>
  services.some(({ state }) => state === 'unknown') && services.every((one) => isUp(one) || one.state === 'unknown')

/** What visitors get after this failed or canceled deployment. Undefined if the last check is too old to tell. */
export function describeServing(
  live: NonNullable<Environment['live']>,
  task: Pick<Task, 'phases' | 'failed_step'> | undefined,
): string | undefined {
  const what = live.commit_sha === null ? `deployment #${live.task_id}` : shortSha(live.commit_sha)
  if (live.answers === null) return undefined
  const afterRelease = task && describeAfterRelease(task, what)
  if (live.answers) return afterRelease ?? `Nothing changed for visitors: ${what} still serves (checked just now).`
  return `Visitors get no answer: ${what} is live but does not answer. Deploy a working version.`
}
