import { expect, test } from 'vitest'
import { exponentialBackOff, jitter, jitteredBackOff } from './back-off.ts'

test.each([
  [1, 1_000],
  [2, 2_000],
  [4, 8_000],
  [5, 10_000],
  [5_000, 10_000],
])('after %i failures in a row the pause is %i ms', (failures, milliseconds) => {
  expect(exponentialBackOff(failures, { firstMs: 1_000, mostMs: 10_000 })).toBe(milliseconds)
})

test('a first pause beyond the maximum stays as it is', () => {
  expect(exponentialBackOff(3, { firstMs: 60_000, mostMs: 10_000 })).toBe(60_000)
})

test('jitter shortens pauses by up to a fifth, and never lengthens them', () => {
  const pauses = Array.from({ length: 1_000 }, () => jitteredBackOff(2, { firstMs: 500, mostMs: 10_000 }))
  expect(Math.min(...pauses)).toBeGreaterThanOrEqual(800)
  expect(Math.max(...pauses)).toBeLessThanOrEqual(1_000)
  expect(new Set(pauses).size).toBeGreaterThan(900)
  expect(jitter(0)).toBe(0)
})
