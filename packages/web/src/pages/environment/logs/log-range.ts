// Which lines the address of the Logs tab asks for.
import type { LiveOutputOptions } from '@shipway/api'

export const RANGES = ['15m', '1h', '24h', 'custom'] as const
export type Range = (typeof RANGES)[number]

/** Without a range, the latest lines. `at` is the time of the marked line, `services` are names with commas between them. */
export type LogSearchParams = {
  readonly range?: Range
  readonly since?: string
  readonly until?: string
  readonly services?: string
  readonly at?: string
}

/** `around`: the linked line lies outside of the range, so the lines around it are shown. */
export type ShownRange = {
  readonly name: Range | 'latest' | 'around'
  readonly since?: string
  readonly until?: string
}

const MINUTE_MS = 60_000
const LENGTHS: Readonly<Record<Exclude<Range, 'custom'>, number>> = {
  '15m': 15 * MINUTE_MS,
  '1h': 60 * MINUTE_MS,
  '24h': 24 * 60 * MINUTE_MS,
}
const AROUND_MS = 5 * MINUTE_MS
/** The most that the platform sends of earlier lines without a range. */
const LATEST_LINES = 10_000

export function shownRange({ at, ...params }: LogSearchParams, now: Date): ShownRange {
  const own = ownRange(params, now)
  const linked = at === undefined ? Number.NaN : Date.parse(at)
  if (Number.isNaN(linked) || isWithin(linked, own)) return own
  return { name: 'around', since: isoOf(linked - AROUND_MS), until: isoOf(linked + AROUND_MS) }
}

export function outputOptions({ since, until }: ShownRange, services: readonly string[]): LiveOutputOptions {
  return {
    ...(services.length > 0 && { services: [...services] }),
    ...(since === undefined ? { tail: LATEST_LINES } : { since }),
    ...(until !== undefined && { until }),
  }
}

function ownRange({ range, since, until }: Pick<LogSearchParams, 'range' | 'since' | 'until'>, now: Date): ShownRange {
  if (range === undefined) return { name: 'latest' }
  if (range === 'custom') return { name: range, ...timeOf('since', since), ...timeOf('until', until) }
  return { name: range, since: isoOf(now.getTime() - LENGTHS[range]) }
}

/** The latest lines may or may not contain the moment: a link leads to the lines around it. */
function isWithin(at: number, { name, since, until }: ShownRange): boolean {
  if (name === 'latest') return false
  return at >= Date.parse(since ?? '') && !(at > Date.parse(until ?? ''))
}

const isoOf = (ms: number): string => new Date(ms).toISOString()

/** Nothing for what is not a time. */
function timeOf(name: 'since' | 'until', text: string | undefined): Partial<Pick<ShownRange, 'since' | 'until'>> {
  const ms = Date.parse(text ?? '')
  return Number.isNaN(ms) ? {} : { [name]: isoOf(ms) }
}
