// What a Range header asks for, of ten bytes and of none.
import { expect, test } from 'vitest'
import { readRange } from './byte-range.ts'

test.each([
  [undefined, undefined],
  ['', undefined],
  ['bytes=0-3', { from: 0, to: 4 }],
  ['bytes=4-', { from: 4, to: 10 }],
  ['bytes=-3', { from: 7, to: 10 }],
  ['bytes=-30', { from: 0, to: 10 }],
  ['bytes=9-9', { from: 9, to: 10 }],
  ['bytes=5-500', { from: 5, to: 10 }],
  ['Bytes= 1-2 ', { from: 1, to: 3 }],
  ['bytes=10-', 'none'],
  ['bytes=999999999999999-', 'none'],
  ['bytes=-0', 'none'],
  // Not understood, so the whole is sent.
  ['bytes=5-4', undefined],
  ['bytes=-', undefined],
  ['bytes=0-1,3-4', undefined],
  ['bytes=a-b', undefined],
  ['bytes=+1-', undefined],
  ['bytes=0x1-', undefined],
  ['bytes=1.5-', undefined],
  ['bytes=9999999999999999999-', undefined],
  ['lines=0-3', undefined],
])('%s', (header, expected) => {
  expect(readRange(header, 10)).toEqual(expected)
})

test('of nothing there is no range', () => {
  for (const header of ['bytes=0-', 'bytes=0-0', 'bytes=-1']) expect(readRange(header, 0)).toBe('none')
})
