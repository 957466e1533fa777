// Time of a log line in the user's time zone, with the date unless it is today.

/** `time` has nanoseconds, which no `Date` keeps. */
export function formatLogTime(time: string, now = new Date()): string {
  const date = new Date(time)
  if (Number.isNaN(date.getTime())) return ''
  const clock = `${date.toLocaleTimeString('sv')}.${String(date.getMilliseconds()).padStart(3, '0')}`
  return date.toDateString() === now.toDateString() ? clock : `${date.toLocaleDateString('sv').slice(5)} ${clock}`
}
