// Times on the axis of a chart and under the pointer: 14:05, 18 Nov, 18 Nov, 14:05.
const HOUR = 3_600_000
const DAY = 24 * HOUR

const time = (at: Date): string => at.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
const day = (at: Date): string => at.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })

/** `rangeMs` is how much time the axis has. */
export function formatTick(at: number, rangeMs: number): string {
  const date = new Date(at)
  if (rangeMs <= DAY) return time(date)
  return rangeMs <= 4 * DAY ? `${day(date)}, ${time(date)}` : day(date)
}

export function formatMoment(at: number, stepMs: number): string {
  const date = new Date(at)
  const seconds = stepMs < 60_000 ? `:${String(date.getSeconds()).padStart(2, '0')}` : ''
  return `${day(date)}, ${time(date)}${seconds}`
}
