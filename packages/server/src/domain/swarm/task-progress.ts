// How far a service of a Swarm has come to its new tasks, and why it does not get further.
import { isRunning, type SwarmService, type SwarmTask } from './swarm-view.ts'

export type TaskProgress =
  | { readonly type: 'starting'; readonly running: number; readonly wanted: number; readonly hint: string }
  | { readonly type: 'running'; readonly tasks: readonly SwarmTask[] }
  | { readonly type: 'completed' }
  | { readonly type: 'failed'; readonly sentence: string; readonly exitCode: number | null }

/** Tasks of the version before an update in place do not count. */
export function taskProgress(
  { service: name, replicas, task: version }: Pick<SwarmService, 'service' | 'replicas' | 'task'>,
  all: readonly SwarmTask[],
): TaskProgress {
  const tasks = all.filter(({ task }) => task === version)
  const failed = tasks.find(({ state }) => state === 'failed')
  if (failed) return { type: 'failed', sentence: whyFailed(name, failed), exitCode: failed.exitCode }
  const rejected = tasks.filter(({ state }) => state === 'rejected')
  // The node may lack what it gets a moment later, such as a network: the Swarm tries again.
  const [refused] = rejected.toSorted((a, b) => b.changedAt - a.changedAt)
  if (refused && (replicas === null || rejected.length >= MOST_REJECTIONS))
    return { type: 'failed', sentence: whyRejected(name, refused.error), exitCode: null }
  if (replicas === null) {
    if (tasks.some(({ state }) => state === 'complete')) return { type: 'completed' }
    return { type: 'starting', running: 0, wanted: 1, hint: hintOf(tasks) }
  }
  if (tasks.some(({ state, desired }) => state === 'complete' && desired !== 'running'))
    return { type: 'failed', sentence: `${name} ended with exit code 0 before it was ready`, exitCode: 0 }
  const running = tasks.filter(isRunning)
  if (running.length >= replicas) return { type: 'running', tasks: running }
  return { type: 'starting', running: running.length, wanted: replicas, hint: hintOf(tasks) || refused?.error || '' }
}

const MOST_REJECTIONS = 3

/** What the Swarm says of a task that it cannot place. */
const hintOf = (tasks: readonly SwarmTask[]): string =>
  tasks.find(({ state, error }) => state === 'pending' && error !== '')?.error ?? ''

function whyFailed(name: string, { error, exitCode }: SwarmTask): string {
  if (/unhealthy container/.test(error)) return `${name} is unhealthy: its own health check says no`
  if (exitCode === KILLED)
    return `${name} was killed (exit code ${exitCode}), most likely because it ran out of memory. Let it use less, or raise its limit`
  if (/port is already allocated|address already in use/.test(error))
    return `A port that ${name} publishes is not free on its node: ${error}`
  if (exitCode === null || exitCode === 0) return `${name} could not be started: ${error}`
  return `${name} ended with exit code ${exitCode} before it was ready`
}

const KILLED = 137

function whyRejected(name: string, error: string): string {
  if (/no such image|pull access denied|manifest unknown|unauthorized|x509/i.test(error))
    return `A node could not pull the image of ${name}: ${error}. Check that every node reaches the registry and trusts its certificate`
  if (/port is already allocated|address already in use/.test(error))
    return `A port that ${name} publishes is not free on its node: ${error}`
  return `A node refuses to run ${name}: ${error}`
}

/** Why tasks are missing when the time is up. */
export function whyLate(
  name: string,
  { running, wanted, hint }: Extract<TaskProgress, { type: 'starting' }>,
  seconds: number,
): string {
  const counted = wanted === 1 ? '' : ` (${running} of ${wanted} run)`
  if (/no suitable node/.test(hint)) {
    const advice = /insufficient resources/.test(hint)
      ? 'Add a node, or let it reserve less'
      : 'Add or activate a node that fits, or change deploy.placement'
    return `No node can run ${name}${counted}: ${hint}. ${advice}`
  }
  return `${name} does not run ${seconds} seconds after its start${counted}${hint === '' ? '' : `: ${hint}`}`
}
