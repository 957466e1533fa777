import { expect, test } from 'vitest'
import { formatDuration, formatRunning } from './duration.ts'

test.each([
  [0, '0.0 s'],
  [840, '0.8 s'],
  [9_940, '9.9 s'],
  [41_900, '41 s'],
  [59_999, '59 s'],
  [60_000, '1:00'],
  [226_400, '3:46'],
  [3_729_000, '1:02:09'],
])('%i ms are %s', (ms, words) => {
  expect(formatDuration(ms)).toBe(words)
})

test.each([
  [0, '0 s'],
  [9_940, '9 s'],
  [41_900, '41 s'],
  [226_400, '3:46'],
])('%i ms so far are %s', (ms, words) => {
  expect(formatRunning(ms)).toBe(words)
})
