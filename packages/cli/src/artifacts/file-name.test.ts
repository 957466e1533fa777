import { expect, test } from 'vitest'
import { fileNameOf } from './file-name.ts'
import { fileSize } from './file-size.ts'

test.each([
  ['attachment; filename="a.txt"', 'a.txt'],
  [`attachment; filename="_q_.txt"; filename*=UTF-8''%22q%22.txt`, '_q_.txt'],
  [`attachment; filename="x"; filename*=UTF-8''..%2F..%2Fetc%2Fpasswd`, '__.._etc_passwd'],
  [`attachment; filename="x"; filename*=UTF-8''%1B%5B2Jx`, '_[2Jx'],
  [`attachment; filename="x"; filename*=UTF-8''%C3%BCber.txt`, 'über.txt'],
  [`attachment; filename="x"; filename*=UTF-8''%zz`, 'artifact-7'],
  ['attachment; filename=".bashrc"', '_bashrc'],
  ['attachment; filename="-rf"', '_rf'],
  ['attachment; filename=".."', 'artifact-7'],
  ['inline', 'artifact-7'],
  [null, 'artifact-7'],
])('%j names the file %s', (header, name) => expect(fileNameOf(header, 7)).toBe(name))

test('sizes have units', () => {
  expect([0, 1023, 1024, 3_500, 2 * 1024 ** 3].map(fileSize)).toEqual([
    '0 B',
    '1023 B',
    '1.0 KiB',
    '3.4 KiB',
    '2.0 GiB',
  ])
})
