// Time zones by the runtime's own list: whether a name is one, and how far its local time is ahead of UTC.
import { didYouMean } from '../did-you-mean.ts'

/** IANA names only. Offsets such as `+02:00`, which the runtime takes as well, know no daylight saving. */
const NAME = /^[A-Za-z][\w+-]*(\/[\w+-]+){0,2}$/

export function isTimeZone(name: string): boolean {
  if (name.length > 60 || !NAME.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

export const similarTimeZone = (name: string): string | undefined =>
  didYouMean(name, ['UTC', ...Intl.supportedValuesOf('timeZone')])

/** In milliseconds, at this instant. Local time is the instant plus the offset. */
export function offsetAt(timeZone: string, instant: number): number {
  const minute = Math.floor(instant / 60_000) * 60_000
  const fields = new Map(
    clockOf(timeZone)
      .formatToParts(minute)
      .map(({ type, value }) => [type, Number(value)]),
  )
  const field = (type: Intl.DateTimeFormatPartTypes): number => fields.get(type) ?? 0
  const local = Date.UTC(
    field('year'),
    field('month') - 1,
    field('day'),
    field('hour'),
    field('minute'),
    field('second'),
  )
  return local - minute
}

/** One per zone, since making one takes much longer than using it. The runtime ignores the case of names. */
const clocks = new Map<string, Intl.DateTimeFormat>()

function clockOf(timeZone: string): Intl.DateTimeFormat {
  const key = timeZone.toLowerCase()
  const known = clocks.get(key)
  if (known) return known
  const clock = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  clocks.set(key, clock)
  return clock
}
