// How the deployments of a list went, in few words: “17 succeeded, usually in 51 s”.
import type { Task } from '@shipway/api'
import { durationWords } from '../../words/duration.ts'
import { isCharted } from './chart-bars.ts'

type Summed = Pick<Task, 'kind' | 'status' | 'duration_ms' | 'finished_at'>

export function durationSummary(tasks: readonly Summed[]): string {
  const succeeded = tasks.filter((task) => isCharted(task) && task.status === 'succeeded')
  if (succeeded.length === 0) return 'None succeeded'
  const durations = succeeded.flatMap(({ duration_ms }) => duration_ms ?? [])
  const usual = median(durations)
  return usual === undefined
    ? `${succeeded.length} succeeded`
    : `${succeeded.length} succeeded, usually in ${durationWords(usual)}`
}

function median(figures: readonly number[]): number | undefined {
  return figures.toSorted((one, other) => one - other)[Math.floor((figures.length - 1) / 2)]
}
