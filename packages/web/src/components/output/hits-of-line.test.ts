import { expect, test } from 'vitest'
import { hitsOf } from './hits-of-line.ts'

const hits = [
  { line: 1, from: 0, to: 2 },
  { line: 4, from: 0, to: 2 },
  { line: 4, from: 5, to: 7 },
  { line: 9, from: 1, to: 3 },
]

test('returns the hits of a line and marks the current one', () => {
  expect(hitsOf(4, hits, hits[2])).toEqual([
    { from: 0, to: 2, isCurrent: false },
    { from: 5, to: 7, isCurrent: true },
  ])
  expect(hitsOf(9, hits, undefined)).toHaveLength(1)
  expect(hitsOf(5, hits, undefined)).toBeUndefined()
  expect(hitsOf(0, [], undefined)).toBeUndefined()
})
