// When a schedule comes due next, also where clocks change.
//
// An expression names local times. One that clocks skip is due at the first moment after the gap. One that exists twice is due the first
// time. `*` for the hour names no time of day: such a schedule comes due in every hour that passes, in a repeated one again.
import { createCron } from './cron.ts'
import { offsetAt } from './time-zone.ts'

export type Schedule = { readonly cron: string; readonly timeZone: string }

/** Longer than any change of clocks. */
const LONGEST_CHANGE_MS = 3 * 3_600_000
const DAY_MS = 24 * 3_600_000
const MINUTE_MS = 60_000

/** Returns the first moment after the given one; undefined where none comes. */
export function momentsOf({ cron, timeZone }: Schedule): (after: number) => number | undefined {
  const calendar = createCron(cron)
  const offset = (instant: number): number => offsetAt(timeZone, instant)

  /** Instants in the order of local times: in a repeated hour, local times lie before `after` again and are passed over. */
  const named = (after: number): number | undefined => {
    for (let local = calendar.next(after + offset(after)); local !== undefined; local = calendar.next(local)) {
      const instant = instantOf(local, offset)
      if (instant > after) return instant
    }
    return undefined
  }

  /** Local times that the hours after a change repeat. */
  const repeated = (after: number): readonly number[] =>
    [offset(after), offset(after + LONGEST_CHANGE_MS)].flatMap((hours) => {
      const instant = (calendar.next(after + hours) ?? Number.NaN) - hours
      return offset(instant) === hours ? [instant] : []
    })

  return (after) => {
    const first = named(after)
    return first === undefined || !calendar.isEveryHour ? first : Math.min(first, ...repeated(after))
  }
}

/** The first instant at which clocks show this local time; where they skip it, the end of the gap. */
function instantOf(local: number, offset: (instant: number) => number): number {
  // No zone is a day away from UTC, so a change of clocks that matters lies between these two.
  const [before, after] = [offset(local - DAY_MS), offset(local + DAY_MS)]
  const shown = [local - before, local - after].filter((instant) => instant + offset(instant) === local)
  return shown.length > 0 ? Math.min(...shown) : changeBetween(local - DAY_MS, local + DAY_MS, offset)
}

/** The first minute that has the offset of the end. */
function changeBetween(start: number, end: number, offset: (instant: number) => number): number {
  if (end - start <= MINUTE_MS) return end
  const middle = start + Math.floor((end - start) / 2 / MINUTE_MS) * MINUTE_MS
  return offset(middle) === offset(end) ? changeBetween(start, middle, offset) : changeBetween(middle, end, offset)
}
