import { expect, test } from 'vitest'
import { type LogSearchParams, outputOptions, shownRange } from './log-range.ts'

const now = new Date('2026-01-31T12:00:00Z')
const since = '2026-01-31T09:00:00.000Z'
const until = '2026-01-31T10:00:00.000Z'

test.each<[LogSearchParams, ReturnType<typeof shownRange>]>([
  [{}, { name: 'latest' }],
  [{ range: '15m' }, { name: '15m', since: '2026-01-31T11:45:00.000Z' }],
  [{ range: '24h' }, { name: '24h', since: '2026-01-30T12:00:00.000Z' }],
  [
    { range: 'custom', since, until },
    { name: 'custom', since, until },
  ],
  [
    { range: 'custom', since: 'tomorrow', until },
    { name: 'custom', until },
  ],
  // A moment inside of the range keeps it; outside of it, and without a range, the lines around it are shown.
  [
    { range: '1h', at: '2026-01-31T11:30:00.123456789Z' },
    { name: '1h', since: '2026-01-31T11:00:00.000Z' },
  ],
  [
    { range: 'custom', since, at: '2026-01-31T09:30:00Z' },
    { name: 'custom', since },
  ],
  [{ range: '1h', at: '2026-01-31T09:30:00Z' }, around('2026-01-31T09:25:00.000Z', '2026-01-31T09:35:00.000Z')],
  [
    { range: 'custom', since, until, at: '2026-01-31T11:00:00Z' },
    around('2026-01-31T10:55:00.000Z', '2026-01-31T11:05:00.000Z'),
  ],
  [{ at: '2026-01-31T09:30:00Z' }, around('2026-01-31T09:25:00.000Z', '2026-01-31T09:35:00.000Z')],
  [{ at: 'yesterday' }, { name: 'latest' }],
])('%j', (params, expected) => {
  expect(shownRange(params, now)).toEqual(expected)
})

function around(from: string, to: string): ReturnType<typeof shownRange> {
  return { name: 'around', since: from, until: to }
}

test('asks for the last lines without a range, and for all lines of one', () => {
  expect(outputOptions({ name: 'latest' }, [])).toEqual({ tail: 10_000 })
  expect(outputOptions({ name: 'custom', since, until }, ['web'])).toEqual({ services: ['web'], since, until })
})
