// Which schedules run in an environment, and when each is due next.
import { momentsOf, type Schedule } from '@shipway/rules/schedule/next-moment'
import type { ActionSchedule } from '@shipway/rules/service-file/repository-config'

export type DueSchedule = Schedule & { readonly catchesUp: boolean; readonly nextRunAt: number }

type EnvironmentOfSchedule = {
  readonly name: string
  readonly type: 'pull_request' | 'manual'
  /** What its settings say; null: as the file says. */
  readonly schedules: boolean | null
}

/** A pull request's own file cannot turn schedules on for its environment. */
export function runsIn(
  { environments }: Pick<ActionSchedule, 'environments'>,
  { name, type, schedules }: EnvironmentOfSchedule,
): boolean {
  return schedules ?? (type === 'manual' && environments.includes(name))
}

/** A moment that has come due already stays due. */
export function nextRunOf(schedule: Schedule & { readonly nextRunAt: number | null }, now: number): number | null {
  return schedule.nextRunAt ?? momentsOf(schedule)(now) ?? null
}
