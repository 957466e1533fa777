import { expect, test } from 'vitest'
import { phaseFraction } from './phase-fraction.ts'

test.each([
  [0, 10_000, 0],
  [5_000, 10_000, 0.5],
  [60_000, 10_000, 0.96],
  [5_000, undefined, 0.5],
  [5_000, 0, 0.5],
])('%s ms of usually %s ms are %s', (elapsed, usual, part) => {
  expect(phaseFraction(elapsed, usual)).toBe(part)
})
