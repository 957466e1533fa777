import { expect, test } from 'vitest'
import { shareOf } from './fair-share.ts'

test.each([
  [1, { most: 1, open: 1, alone: 1 }],
  [2, { most: 1, open: 1, alone: 1 }],
  [3, { most: 2, open: 2, alone: 2 }],
  [4, { most: 2, open: 3, alone: 3 }],
  [20, { most: 10, open: 15, alone: 19 }],
])('of %i places an organization may have %j', (places, share) => {
  expect(shareOf(places)).toEqual(share)
})
