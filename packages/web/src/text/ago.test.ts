import { expect, test } from 'vitest'
import { formatAgo } from './ago.ts'

const now = new Date('2026-11-15T12:00:00Z')

test.each([
  ['2026-11-15T12:00:05Z', 'just now'],
  ['2026-11-15T11:59:30Z', 'just now'],
  ['2026-11-15T11:59:00Z', '1 minute ago'],
  ['2026-11-15T11:34:00Z', '26 minutes ago'],
  ['2026-11-15T10:00:00Z', '2 hours ago'],
  ['2026-11-14T11:00:00Z', 'yesterday'],
  ['2026-11-12T11:00:00Z', '3 days ago'],
  ['2026-03-12T11:00:00Z', '12 March 2026'],
])('%s is %s', (at, words) => {
  expect(formatAgo(new Date(at), now)).toBe(words)
})
