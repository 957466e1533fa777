import { expect, test } from 'vitest'
import { firstLineOf } from './commit-message.ts'

test.each([
  [null, null],
  ['', null],
  [' \n\t', null],
  ['Fix the door', 'Fix the door'],
  ['Fix the door \n\nIt did not open.', 'Fix the door'],
  ['\nFix the door\r\nIt did not open.', 'Fix the door'],
])('the first line of %j is %j', (message, line) => {
  expect(firstLineOf(message)).toBe(line)
})
