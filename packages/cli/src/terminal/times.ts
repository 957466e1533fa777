// Formats times and durations.

/** `0.8 s`, `41.0 s`, `3:04`, `1:02:03`. */
export function duration(ms: number): string {
  if (ms < 60_000) return `${(Math.max(0, ms) / 1000).toFixed(1)} s`
  const seconds = Math.floor(ms / 1000)
  const [hours, minutes, rest] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60, two(seconds % 60)]
  return hours > 0 ? `${hours}:${two(minutes)}:${rest}` : `${minutes}:${rest}`
}

/** `14:02:11`, by the clock of this machine. */
export function timeOfDay(date: Date): string {
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

/** `26 minutes ago`. */
export function ago(time: string | null): string {
  return time === null ? '' : relative(Date.parse(time) - Date.now())
}

/** `in 6 days`. */
export const fromNow = (time: string): string => relative(Date.parse(time) - Date.now())

function relative(ms: number): string {
  const [unit, size] = UNITS.find(([, each]) => Math.abs(ms) >= each) ?? ['second', 1000]
  return new Intl.RelativeTimeFormat('en').format(Math.trunc(ms / size), unit)
}

const UNITS: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

const two = (number: number): string => String(number).padStart(2, '0')

/** `90`, `90s`, `15m`, `1h30m`: in milliseconds; undefined for anything else. */
export function readDuration(text: string): number | undefined {
  const match = /^(?:(\d{1,3})h)?(?:(\d{1,5})m)?(?:(\d{1,7})s?)?$/.exec(text)
  if (!match || text === '') return undefined
  const [hours = 0, minutes = 0, seconds = 0] = match.slice(1).map((part) => Number(part ?? 0))
  return ((hours * 60 + minutes) * 60 + seconds) * 1000
}
