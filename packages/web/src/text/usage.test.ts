import { expect, test } from 'vitest'
import { describeCores, formatCores, formatMemory, formatRate } from './usage.ts'

test.each([
  [0, '0'],
  [0.0004, '< 0.001'],
  [0.0123, '0.012'],
  [0.25, '0.25'],
  [3.456, '3.46'],
  [12.34, '12.3'],
])('%s cores are %s', (cores, text) => {
  expect(formatCores(cores)).toBe(text)
})

test('one core is singular', () => {
  expect([describeCores(1), describeCores(0.5)]).toEqual(['1.00 core', '0.50 cores'])
})

test.each([
  [0, '0'],
  [512, '512 B'],
  [1536, '1.5 KiB'],
  [64 * 1024 ** 2, '64 MiB'],
  [120.4 * 1024 ** 2, '120 MiB'],
  [1.4 * 1024 ** 3, '1.4 GiB'],
])('%s bytes of memory are %s', (bytes, text) => {
  expect(formatMemory(bytes)).toBe(text)
})

test.each([
  [0, '0'],
  [640, '640 B/s'],
  [21_400, '21.4 KB/s'],
  [1_400_000, '1.4 MB/s'],
])('%s bytes a second are %s', (bytes, text) => {
  expect(formatRate(bytes)).toBe(text)
})
