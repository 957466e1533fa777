// Decides what becomes of the moments at which a schedule was due.
import { momentsOf } from '@shipway/rules/schedule/next-moment'
import type { DueSchedule } from './schedule.ts'

/** Cron counts in minutes: a run that starts within the minute of its moment is on time. */
const ON_TIME_MS = 60_000
/** After a long time without the platform, later ones are neither listed nor made up for. */
const MOST_LISTED = 100

export type Plan = {
  readonly missed: readonly number[]
  readonly start: { readonly dueAt: number; readonly isLate: boolean } | null
  readonly nextAt: number | null
}

/** At most one run starts, for the newest moment: one run makes up for all that were missed. */
export function planMoments(schedule: DueSchedule, now: number): Plan {
  const next = momentsOf(schedule)
  const due = [schedule.nextRunAt]
  let following = next(schedule.nextRunAt)
  for (; following !== undefined && following <= now && due.length < MOST_LISTED; following = next(following))
    due.push(following)
  const nextAt = (following !== undefined && following <= now ? next(now) : following) ?? null
  const newest = due.at(-1) ?? schedule.nextRunAt
  const isLate = now - newest >= ON_TIME_MS
  if (isLate && !schedule.catchesUp) return { missed: due, start: null, nextAt }
  return { missed: due.slice(0, -1), start: { dueAt: newest, isLate }, nextAt }
}
