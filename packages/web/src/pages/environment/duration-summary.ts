// Summary of a list of deployments: “17 succeeded, usually in 51 s”.
import type { Task } from '@shipway/api'
import { formatDuration } from '../../text/duration.ts'
import { isCharted } from './chart-bars.ts'

type Summed = Pick<Task, 'kind' | 'status' | 'finished_at'>

/** `usualMs`: usual duration by the API; null if none has succeeded. */
export function durationSummary(tasks: readonly Summed[], usualMs: number | null | undefined): string {
  const count = tasks.filter((task) => isCharted(task) && task.status === 'succeeded').length
  const succeeded = count === 0 ? 'None succeeded' : `${count} succeeded`
  return usualMs === null || usualMs === undefined ? succeeded : `${succeeded}, usually in ${formatDuration(usualMs)}`
}
