import { expect, test } from 'vitest'
import { hashOf, markedLines } from './marked-lines.ts'

test.each([
  ['L504', { first: 504, last: 504 }],
  ['#L504', { first: 504, last: 504 }],
  ['L504-L510', { first: 504, last: 510 }],
  ['L510-504', { first: 504, last: 510 }],
  ['L0', undefined],
  ['L99999999999', undefined],
  ['main', undefined],
  ['', undefined],
])('%j marks %j', (hash, lines) => {
  expect(markedLines(hash)).toEqual(lines)
})

test('a hash can be parsed again', () => {
  expect(markedLines(hashOf({ first: 3, last: 9 }))).toEqual({ first: 3, last: 9 })
  expect(hashOf({ first: 3, last: 3 })).toBe('L3')
})
