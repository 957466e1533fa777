import { expect, test } from 'vitest'
import { formatDiskSpace } from './bytes.ts'

test.each([
  [0, '0.0 GiB'],
  [0.9 * 1024 ** 3, '0.9 GiB'],
  [14.2 * 1024 ** 3, '14 GiB'],
  [999.2 * 1024 ** 3, '999 GiB'],
  [1843 * 1024 ** 3, '1.8 TiB'],
])('%i bytes are %s', (bytes, words) => {
  expect(formatDiskSpace(bytes)).toBe(words)
})
