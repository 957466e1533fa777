import { expect, test } from 'vitest'
import { duration, readDuration } from './times.ts'

test.each([
  [0, '0.0 s'],
  [800, '0.8 s'],
  [41_000, '41.0 s'],
  [184_000, '3:04'],
  [3_723_000, '1:02:03'],
  [-5, '0.0 s'],
])('%i ms are %s', (ms, expected) => {
  expect(duration(ms)).toBe(expected)
})

test.each([
  ['90', 90_000],
  ['90s', 90_000],
  ['15m', 900_000],
  ['1h30m', 5_400_000],
  ['1h', 3_600_000],
  ['', undefined],
  ['soon', undefined],
  ['-1', undefined],
  ['1.5h', undefined],
  ['30m1h', undefined],
])('%j is %j ms', (text, expected) => {
  expect(readDuration(text)).toBe(expected)
})
