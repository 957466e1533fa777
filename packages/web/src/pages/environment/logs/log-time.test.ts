import { expect, test } from 'vitest'
import { formatLogTime } from './log-time.ts'

// In the time zone of the machine, whichever it is.
const at = new Date(2026, 0, 31, 9, 5, 7, 89)
const time = `${at.toISOString().slice(0, -1)}123456Z`

test.each([
  [new Date(2026, 0, 31, 23), '09:05:07.089'],
  [new Date(2026, 1, 1), '01-31 09:05:07.089'],
])('at %s it is %s', (now, expected) => {
  expect(formatLogTime(time, now)).toBe(expected)
})

test('is empty for what is not a time', () => {
  expect(formatLogTime('')).toBe('')
})
