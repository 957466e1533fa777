// Parses a time: a duration ago, or a date with a time.
import { UsageError } from '../command-error.ts'
import { plainText } from '../terminal/sanitize.ts'
import { readDuration } from '../terminal/times.ts'

/** In whole seconds since 1970; `flag` is named in the error. */
export function readTime(flag: string, text: string, now: number): number {
  const ms = readAgo(text, now) ?? readDate(text)
  if (ms === undefined || ms < 0 || ms >= LATEST_MS)
    throw UsageError(
      `${plainText(text)} is not a time for ${flag}`,
      'Give how long ago, such as 72h, 90m or 3d, or a time such as 2026-11-14T09:00Z',
    )
  return Math.floor(ms / 1000)
}

function readAgo(text: string, now: number): number | undefined {
  const [, days] = /^(\d{1,4})d$/.exec(text) ?? []
  const ago = days === undefined ? readDuration(text) : Number(days) * 86_400_000
  return ago === undefined ? undefined : Math.max(0, now - ago)
}

/** As in JavaScript: a date alone is midnight in UTC; a time without a zone is local. */
function readDate(text: string): number | undefined {
  const ms = /^\d{4}-\d\d-\d\d/.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}

/** The server accepts ten digits. */
const LATEST_MS = 9_999_999_999_000
