// How long deployments usually take: medians, which one slow run does not move.
import { durationOf, phasesOf, type Step, type Timed } from './task.ts'

/** The newest runs say more about the next one than a long history does. */
export const RUNS_COUNTED = 20

/** A task that has ended, and its steps. */
type Run = { readonly task: Timed; readonly steps: readonly Step[] }

export type UsualDurations = {
  readonly runs: number
  readonly durationMs: number | null
  readonly phases: readonly { readonly name: string; readonly durationMs: number }[]
}

/** Of runs with the newest first. A phase that a run skipped says nothing about how long it takes. */
export function usualDurations(runs: readonly Run[]): UsualDurations {
  const whole = runs.flatMap(({ task }) => lengthOf(task))
  const phases = Map.groupBy(
    runs.flatMap(({ steps }) => phasesOf(steps)),
    ({ name }) => name,
  )
  return {
    runs: runs.length,
    durationMs: medianOf(whole),
    phases: [...phases].flatMap(([name, own]) => {
      const durationMs = medianOf(own.flatMap(lengthOf))
      return durationMs === null ? [] : [{ name, durationMs }]
    }),
  }
}

/** Nothing for what never began or whose end was never written. */
function lengthOf(timed: Timed): readonly number[] {
  const duration = timed.finishedAt === null ? null : durationOf(timed, timed.finishedAt)
  return duration === null ? [] : [duration]
}

function medianOf(values: readonly number[]): number | null {
  const sorted = values.toSorted((one, other) => one - other)
  const [lower, upper] = [sorted[Math.ceil(sorted.length / 2) - 1], sorted[Math.floor(sorted.length / 2)]]
  return lower === undefined || upper === undefined ? null : Math.round((lower + upper) / 2)
}
