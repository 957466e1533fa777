// The state of an environment in a few words.
import type { Environment, Task } from '@shipway/api'
import { plainText } from '../terminal/sanitize.ts'
import { ago, duration } from '../terminal/times.ts'

/** `task` is its running task, if any. */
export function stateOf(environment: Environment, task: Task | undefined): string {
  const { status, live, protected: isProtected } = environment
  const phase = task?.phases.findLast((each) => each.status === 'running')?.name
  const words = [statusWord(status), ...(phase ? [plainText(phase)] : [])]
  // Only if the last health check says so.
  if (status === 'failed' && live?.answers === true) words.push('still live')
  if (status === 'degraded' || (status === 'failed' && live?.answers === false))
    words.push(...brokenServices(environment))
  if (isProtected) words.push('protected')
  return words.join(' · ')
}

export function sinceOf({ live }: Environment, task: Task | undefined): string {
  if (task?.duration_ms) return duration(task.duration_ms)
  return live ? ago(live.since) : ''
}

/** Services that do not answer, with their states. */
export const brokenServices = ({ services }: Environment): readonly string[] =>
  services
    .filter(({ state }) => state !== 'healthy' && state !== 'running')
    .map(({ name, state, exit_code: code }) => {
      if (state === 'unknown') return `${plainText(name)} unknown, server out of reach`
      return `${plainText(name)} ${state}${code === null ? '' : ` (code ${code})`}`
    })

/** A newer platform may have states that this release does not know. */
export const statusWord = (status: Environment['status']): string => STATES[status] ?? plainText(status)

const STATES: Readonly<Record<Environment['status'], string>> = {
  new: 'not deployed yet',
  deploying: 'deploying',
  running: 'live',
  degraded: 'degraded',
  failed: 'failed',
  removing: 'removing',
  awaiting_approval: 'awaiting approval',
}
