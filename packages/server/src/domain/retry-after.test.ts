import { expect, test } from 'vitest'
import { retryAfterMs } from './retry-after.ts'

const NOW = Date.parse('2026-01-01T00:00:00Z')
const WEEK_MS = 7 * 86_400_000

test.each([
  ['3600', 3_600_000],
  [' 60 ', 60_000],
  ['Thu, 01 Jan 2026 01:00:00 GMT', 3_600_000],
  ['Wed, 31 Dec 2025 23:00:00 GMT', 0],
  ['Fri, 01 Jan 9999 00:00:00 GMT', WEEK_MS],
  ['99999999999999', WEEK_MS],
  ['9'.repeat(400), WEEK_MS],
  ['1e400', 0],
  ['Infinity', 0],
  ['NaN', 0],
  ['-5', 0],
  ['', 0],
  [['1', '2'], 0],
  [undefined, 0],
])('Retry-After %j is a wait of %d ms', (header, wait) => {
  expect(retryAfterMs(header, NOW)).toBe(wait)
})
