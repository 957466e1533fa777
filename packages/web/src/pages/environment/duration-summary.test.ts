import { expect, test } from 'vitest'
import { durationSummary } from './duration-summary.ts'

const task = (status: 'succeeded' | 'failed', duration_ms: number | null, kind: 'deploy' | 'action' = 'deploy') => ({
  kind,
  status,
  duration_ms,
  finished_at: '2026-11-15T12:00:00Z',
})

test('the usual duration is that of the one in the middle, of those that succeeded', () => {
  const tasks = [
    task('succeeded', 51_000),
    task('succeeded', 11_000),
    task('succeeded', 300_000),
    task('failed', 1_000),
    task('succeeded', 1, 'action'),
  ]
  expect(durationSummary(tasks)).toBe('3 succeeded, usually in 51 s')
})

test('nothing is told of durations that nobody knows', () => {
  expect(durationSummary([task('succeeded', null)])).toBe('1 succeeded')
  expect(durationSummary([task('failed', 5_000)])).toBe('None succeeded')
})
