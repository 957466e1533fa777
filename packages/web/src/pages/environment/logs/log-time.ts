// Time of a log line in the user's time zone, with the date unless it is today.

/** `time` has nanoseconds, which no `Date` keeps. */
export function formatLogTime(time: string, now = new Date()): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const clock = `${pad(date.getHours())}:${pad(date.getMinutes())}:${pad(date.getSeconds())}.${pad(date.getMilliseconds(), 3)}`
  return isSameDay(date, now) ? clock : `${pad(date.getMonth() + 1)}-${pad(date.getDate())} ${clock}`
}

const pad = (number: number, digits = 2): string => String(number).padStart(digits, '0')

const isSameDay = (one: Date, other: Date): boolean =>
  one.getDate() === other.getDate() && one.getMonth() === other.getMonth() && one.getFullYear() === other.getFullYear()
