import { expect, test } from 'vitest'
import { shareOf } from './fair-share.ts'

test.each([
  [1, { most: 1, open: 1 }],
  [2, { most: 1, open: 2 }],
  [3, { most: 2, open: 3 }],
  [4, { most: 2, open: 3 }],
  [20, { most: 10, open: 15 }],
])('of %i places an organization may have %j', (places, share) => {
  expect(shareOf(places)).toEqual(share)
})
