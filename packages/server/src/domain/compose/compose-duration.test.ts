// Durations as Compose writes them, and what is none.
import { expect, test } from 'vitest'
import { durationNs } from './compose-duration.ts'

test.each([
  ['0s', 0],
  ['10s', 10e9],
  ['1m30s', 90e9],
  ['1h0m0.5s', 3_600_500_000_000],
  ['1.5s', 1.5e9],
  ['500ms', 5e8],
  ['20µs', 20_000],
])('%s', (text, ns) => {
  expect(durationNs(text)).toBe(ns)
})

test.each(['', '10', '-1s', '1 s', 's', '1d', '1.s', '999999999h', '1e3s'])('"%s" is none', (text) => {
  expect(durationNs(text)).toBeUndefined()
})
