// Relative times and dates: just now, 26 minutes ago, yesterday, 12 March 2026.
const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export function formatAgo(at: Date, now: Date): string {
  const ms = now.getTime() - at.getTime()
  if (ms < MINUTE) return 'just now'
  if (ms < HOUR) return count(Math.floor(ms / MINUTE), 'minute')
  if (ms < DAY) return count(Math.floor(ms / HOUR), 'hour')
  if (ms < 2 * DAY) return 'yesterday'
  if (ms < 30 * DAY) return count(Math.floor(ms / DAY), 'day')
  return formatDate(at)
}

export const formatDate = (at: Date): string =>
  at.toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric' })

/** With seconds, in the user's time zone. Nothing for what is no time. */
export const formatExact = (at: Date): string => (Number.isNaN(at.getTime()) ? '' : EXACT.format(at))

/** Made once: a list of logs formats thousands of times a second. */
const EXACT = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'medium' })

const count = (number: number, unit: string): string => `${number} ${unit}${number === 1 ? '' : 's'} ago`
