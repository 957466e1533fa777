// The state of a service of a Swarm, from those of its tasks, in the words of one container.
import type { SeenContainer } from '../service-state.ts'
import { isRunning, type SwarmService, type SwarmTask } from './swarm-view.ts'

/** `now` is the manager's clock. */
export function serviceHealth(
  { replicas, task: version }: Pick<SwarmService, 'replicas' | 'task'>,
  all: readonly SwarmTask[],
  now: number,
): SeenContainer {
  const tasks = all.filter(({ task }) => task === version)
  const running = tasks.filter(isRunning)
  const failed = tasks.filter(({ state }) => state === 'failed' || state === 'rejected')
  const lastFailed = failed.toSorted((a, b) => b.changedAt - a.changedAt)[0]
  const isYoung = running.some(({ changedAt }) => now - changedAt < YOUNG_MS)
  const common = { exitCode: lastFailed?.exitCode ?? null, restarts: failed.length, isYoung }
  const wanted = replicas ?? 1
  if (running.length >= wanted) return { ...common, status: 'running', health: null }
  const hasFailedNow = lastFailed !== undefined && now - lastFailed.changedAt < YOUNG_MS
  if (running.length > 0) return { ...common, status: 'running', health: hasFailedNow ? 'unhealthy' : 'starting' }
  const isWanted = tasks.some(({ desired }) => desired === 'running' || desired === 'ready')
  if (!isWanted) return { ...common, status: 'exited', health: null }
  return { ...common, status: hasFailedNow ? 'restarting' : 'created', health: null }
}

const YOUNG_MS = 60_000
