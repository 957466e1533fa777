// Decides what becomes of the moments at which a schedule was due.
import { momentsOf } from '@shipway/rules/schedule/next-moment'
import type { DueSchedule } from './schedule.ts'

/** Cron counts in minutes: a platform that begins within the minute of a moment is on time. */
const ON_TIME_MS = 60_000
/** After a long time without the platform, later ones are not listed, except for one that is on time. */
const MOST_LISTED = 100

export type Plan = {
  /** Before the platform ran. */
  readonly missed: readonly number[]
  /** While it ran: the next one was due before this one could start. */
  readonly overtaken: readonly number[]
  readonly start: { readonly dueAt: number; readonly isLate: boolean } | null
  readonly nextAt: number | null
}

/** A look at all schedules that are due. */
export type Pass = { readonly runningSince: number; readonly endedAt: number }

/**
 * Since when the platform has been running without a break. Moments after it are not missed, however long the platform takes for all that
 * are due: it is slow then.
 */
export const sinceWhen = (last: Pass | undefined, now: number): number =>
  last && now - last.endedAt < ON_TIME_MS ? last.runningSince : now - ON_TIME_MS

/** At most one run starts, for the newest moment: one run makes up for all that were missed. */
export function planMoments(
  schedule: DueSchedule,
  { now, runningSince }: { readonly now: number; readonly runningSince: number },
): Plan {
  const next = momentsOf(schedule)
  const due = [schedule.nextRunAt]
  let following = next(schedule.nextRunAt)
  for (; following !== undefined && following <= now && due.length < MOST_LISTED; following = next(following))
    due.push(following)
  const isCut = following !== undefined && following <= now
  if (isCut) {
    const current = next(now - ON_TIME_MS)
    if (current !== undefined && current <= now) due.push(current)
  }
  const nextAt = (isCut ? next(now) : following) ?? null
  const newest = due.at(-1) ?? schedule.nextRunAt
  const isLate = newest <= runningSince
  if (isLate && !schedule.catchesUp) return { missed: due, overtaken: [], start: null, nextAt }
  const others = due.slice(0, -1)
  return {
    missed: others.filter((at) => at <= runningSince),
    overtaken: others.filter((at) => at > runningSince),
    start: { dueAt: newest, isLate },
    nextAt,
  }
}
