import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { createAlarm } from './alarm.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('calls back once, after the shortest requested time', () => {
  const ring = vi.fn()
  const alarm = createAlarm(ring)
  for (const milliseconds of [500, 200, 300]) alarm.within(milliseconds)
  vi.advanceTimersByTime(199)
  expect([ring.mock.calls.length, alarm.isSet()]).toEqual([0, true])
  vi.advanceTimersByTime(1)
  expect([ring.mock.calls.length, alarm.isSet()]).toEqual([1, false])
  vi.advanceTimersByTime(1_000)
  expect(ring.mock.calls.length).toBe(1)
})

test('can be set again in its callback, and does not call back once cleared', () => {
  let rings = 0
  const alarm = createAlarm(() => {
    rings += 1
    alarm.within(100)
  })
  alarm.within(100)
  vi.advanceTimersByTime(350)
  expect(rings).toBe(3)
  alarm.clear()
  vi.advanceTimersByTime(1_000)
  expect(rings).toBe(3)
})
