import { expect, test } from 'vitest'
import { fullestDisk } from './fullest-disk.ts'

const head = 'Filesystem     1024-blocks      Used Available Capacity Mounted on\n'

test('the disk with the least free space counts', () => {
  const printed = `${head}/dev/sda1         20000000  15000000   4000000      79% /\n/dev/sdb           9000000   8000000   1000000      89% /var/lib\n`
  expect(fullestDisk(printed)).toEqual({ freeBytes: 1_024_000_000, totalBytes: 9_216_000_000 })
})

test('a disk that is fuller than full has nothing left', () => {
  expect(fullestDisk(`${head}/dev/a b  1000 1100 -100 100% /\n`)).toEqual({ freeBytes: 0, totalBytes: 1_024_000 })
})

test.each([
  '',
  head,
  'df: .: No such file',
  `${head}x 0 0 0 0% /\n`,
  `${head}x 999999999999999 1 1 1% /\n`,
  `${head}x 100 1 101 1% /\n`,
  'x\n'.repeat(99_999),
])('what says nothing of a disk measures nothing (%#)', (printed) => expect(fullestDisk(printed)).toBeUndefined())
