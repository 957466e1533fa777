import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['bookshop', 'website', 'warehouse', 'pr-214', 'pr-231']

test.each([
  ['bokshop', 'bookshop'],
  ['Bookshop', 'bookshop'],
  ['bookhsop', 'bookshop'],
  ['pr-213', 'pr-214'],
  ['ware', 'warehouse'],
  ['nothing', undefined],
  ['', undefined],
])('%j is near to %j', (wanted, expected) => {
  expect(nearest(wanted, names)).toBe(expected)
})

test('a text of any length is handled', () => {
  expect(nearest('x'.repeat(100_000), names)).toBeUndefined()
})
