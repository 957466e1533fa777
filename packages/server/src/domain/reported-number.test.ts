import { expect, test } from 'vitest'
import { readReportedNumber } from './reported-number.ts'

test.each([
  ['0', 0],
  ['7', 7],
  ['999999999999999', 999_999_999_999_999],
])('%s is a number', (text, number) => {
  expect(readReportedNumber(text)).toBe(number)
})

test.each([
  '',
  ' 7',
  '7\n',
  '007',
  '08',
  '-1',
  '+1',
  '0x10',
  '1e3',
  '1.0',
  '٧',
  '9007199254740993',
  '18446744073709551616',
])('%j is none', (text) => {
  expect(readReportedNumber(text)).toBeUndefined()
})

test('a missing number is undefined', () => {
  expect(readReportedNumber(undefined)).toBeUndefined()
})
