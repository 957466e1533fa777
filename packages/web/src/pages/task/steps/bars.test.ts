import { expect, test } from 'vitest'
import { barOf, elapsedMs, formatElapsed, totalMsOf } from './bars.ts'

const now = new Date('2026-11-15T12:00:10Z')
const task = { started_at: '2026-11-15T12:00:00Z', finished_at: null, duration_ms: null }

test('a running step ends now', () => {
  expect(totalMsOf(task, now)).toBe(10_000)
  const running = { started_at: '2026-11-15T12:00:05Z', duration_ms: null, status: 'running' as const }
  expect(barOf(running, task, { now, totalMs: 10_000 })).toEqual({ from: 0.5, length: 0.5 })
  // As long as it had run when the API answered.
  expect(elapsedMs({ ...running, duration_ms: 40 }, now)).toBe(5000)
  expect(formatElapsed({ ...running, duration_ms: 40 }, now)).toBe('5 s')
})

test('steps that never started or were interrupted have no bar', () => {
  expect(elapsedMs({ started_at: null, duration_ms: null, status: 'pending' }, now)).toBeUndefined()
  expect(elapsedMs({ started_at: task.started_at, duration_ms: null, status: 'canceled' }, now)).toBeUndefined()
})

test('a wrong clock keeps bars within the chart', () => {
  const early = { started_at: '2026-11-15T11:59:00Z', duration_ms: 500_000, status: 'succeeded' as const }
  expect(barOf(early, task, { now, totalMs: 10_000 })).toEqual({ from: 0, length: 1 })
  const late = { started_at: '2026-11-15T13:00:00Z', duration_ms: 500, status: 'succeeded' as const }
  expect(barOf(late, task, { now, totalMs: 10_000 })).toEqual({ from: 1, length: 0 })
  expect(totalMsOf({ ...task, started_at: '2026-11-15T12:01:00Z' }, now)).toBe(0)
})
