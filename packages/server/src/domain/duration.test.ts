import { expect, test } from 'vitest'
import { durationInWords } from './duration.ts'

test.each([
  [1_000, '1 second'],
  [3_000, '3 seconds'],
  [60_000, '1 minute'],
  [90_000, '90 seconds'],
  [150_000, '150 seconds'],
  [540_000, '9 minutes'],
  [5_400_000, '90 minutes'],
])('%s ms are %s', (ms, words) => {
  expect(durationInWords(ms)).toBe(words)
})
