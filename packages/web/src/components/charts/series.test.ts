import { expect, test } from 'vitest'
import { areaOf, binaryTopOf, lastOf, pathOf, positionOf, rowsOf, sumOf, ticksOf, topOf } from './series.ts'

const slots = { from: 1_000_000, stepMs: 1000, count: 5 }

test.each([
  [0, 0.1, 0.1],
  [0.11, 0.1, 0.2],
  [0.5, 0.1, 0.5],
  [0.61, 0.1, 0.8],
  [3, 0.1, 4],
  [9, 0.1, 10],
  [4_200_000, 1000, 5_000_000],
])('the axis of values up to %s ends at a round number', (value, least, top) => {
  expect(topOf(value, least)).toBeCloseTo(top, 10)
})

test.each([
  [0, 1024 ** 2, 1024 ** 2],
  [100 * 1024 ** 2, 1, 128 * 1024 ** 2],
  [90 * 1024 ** 2, 1, 96 * 1024 ** 2],
  [1.2 * 1024 ** 3, 1, 2 * 1024 ** 3],
  [1023 * 1024 ** 2, 1, 1024 ** 3],
])('the axis of %s bytes of memory ends at a round number', (value, least, top) => {
  expect(binaryTopOf(value, least)).toBe(top)
})

test('a path has gaps where values are missing, and a dot for a lonely value', () => {
  expect(pathOf([0, 1, null, 2, null], 2)).toBe('M0 1.0000h0L1 0.5000M3 0.0000h0')
  expect(pathOf([null, null], 2)).toBe('')
  expect(pathOf([5], 2)).toBe('M0 0.0000h0')
})

test('an area goes back along the bottom at each gap', () => {
  expect(areaOf([1, 2, null, 2], 2)).toBe('M0 1L0 0.5000L1 0.0000L1 1ZM3 1L3 0.0000L3 1Z')
})

test('times have their position between the first and the last slot', () => {
  expect([positionOf(slots, 1_000_000), positionOf(slots, 1_002_000), positionOf(slots, 1_004_000)]).toEqual([
    0, 0.5, 1,
  ])
  expect([positionOf(slots, 1_004_999), positionOf(slots, 1_005_000), positionOf(slots, 999_999)]).toEqual([
    1,
    undefined,
    undefined,
  ])
  expect(ticksOf(slots)).toEqual([1_000_000, 1_001_000, 1_002_000, 1_003_000, 1_004_000])
})

test('the table has the highest values of few parts, and none of empty ones', () => {
  const values = Array.from({ length: 240 }, (_, index) => (index < 120 ? null : index))
  const rows = rowsOf({ ...slots, count: 240 }, [values, values.map(() => null)])
  expect(rows).toHaveLength(12)
  expect(rows[0]).toEqual({ time: 1_120_000, values: [129, null] })
})

test('sums leave out what is missing', () => {
  expect(
    sumOf([
      [1, null, null],
      [2, 3, null],
    ]),
  ).toEqual([3, 3, null])
  expect([lastOf([1, 2, null]), lastOf([null]), sumOf([])]).toEqual([2, null, []])
})
