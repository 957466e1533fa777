import { expect, test } from 'vitest'
import { formatSize } from './size.ts'

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [21_300, '21 KB'],
  [1_440_000, '1.4 MB'],
])('%i bytes are %s', (bytes, words) => {
  expect(formatSize(bytes)).toBe(words)
})
