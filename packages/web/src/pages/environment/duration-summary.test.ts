import { expect, test } from 'vitest'
import { durationSummary } from './duration-summary.ts'

const task = (status: 'succeeded' | 'failed', kind: 'deploy' | 'action' = 'deploy') => ({
  kind,
  status,
  finished_at: '2026-11-15T12:00:00Z',
})

test('the summary has the count of successes and the usual duration', () => {
  const tasks = [task('succeeded'), task('succeeded'), task('failed'), task('succeeded', 'action')]
  expect(durationSummary(tasks, 51_000)).toBe('2 succeeded, usually in 51 s')
})

test('an unknown duration is left out', () => {
  expect(durationSummary([task('succeeded')], undefined)).toBe('1 succeeded')
  expect(durationSummary([task('failed')], null)).toBe('None succeeded')
})
