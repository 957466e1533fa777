import { expect, test } from 'vitest'
import { RateLimiter, refundAll, takeAll } from './rate-limiter.ts'

const MINUTE = 60_000

const limit = (most: number, mostKeys?: number) =>
  new RateLimiter({ name: 'test', most, windowMs: MINUTE, ...(mostKeys !== undefined && { mostKeys }) })

test('takes up to the limit, then says how long until the window ends', () => {
  const limiter = limit(3)
  expect([0, 1, 2].map((second) => limiter.take('a', second * 1000))).toEqual([0, 0, 0])
  expect(limiter.take('a', 10_000)).toBe(50_000)
  expect(limiter.take('a', MINUTE - 1)).toBe(1)
  expect(limiter.take('a', MINUTE)).toBe(0)
})

test('keys are independent, each with a window of its own', () => {
  const limiter = limit(1)
  expect([limiter.take('a', 0), limiter.take('b', 20_000), limiter.take('a', 30_000)]).toEqual([0, 0, 30_000])
  expect([limiter.take('a', MINUTE), limiter.take('b', MINUTE)]).toEqual([0, 20_000])
})

test('a refund does not count', () => {
  const limiter = limit(1)
  for (let round = 0; round < 5; round++) {
    expect(limiter.take('a', 0)).toBe(0)
    limiter.refund('a')
  }
  limiter.refund('unknown')
  expect([limiter.take('a', 0), limiter.take('a', 0)]).toEqual([0, MINUTE])
})

test('a forgotten key starts over', () => {
  const limiter = limit(1)
  limiter.take('a', 0)
  limiter.forget('a')
  expect(limiter.take('a', 0)).toBe(0)
})

test('evicts the oldest key when full, and still counts the newest', () => {
  const limiter = limit(1, 2)
  for (const key of ['a', 'b', 'c']) limiter.take(key, 0)
  expect(limiter.take('c', 0)).toBeGreaterThan(0)
  expect(limiter.take('a', 0)).toBe(0)
})

test('counting beyond the limit shows a negative rest, and reading starts no window', () => {
  const limiter = limit(3)
  expect(limiter.count('a', 0, 0)).toEqual({ left: 3, resetMs: MINUTE })
  expect(limiter.count('a', 10_000)).toEqual({ left: 2, resetMs: MINUTE })
  expect(limiter.count('a', 20_000, 10)).toEqual({ left: -8, resetMs: 50_000 })
  expect(limiter.count('a', 30_000, 0)).toEqual({ left: -8, resetMs: 40_000 })
  expect(limiter.count('a', 70_000)).toEqual({ left: 2, resetMs: MINUTE })
})

test('takeAll takes from all limiters or from none', () => {
  const [wide, narrow] = [limit(10), limit(1)]
  const counts = [
    { limiter: wide, key: 'a' },
    { limiter: narrow, key: 'b' },
  ]
  expect(takeAll(counts, 0)).toBeUndefined()
  expect(takeAll(counts, 0)).toEqual({ waitMs: MINUTE, by: counts[1] })
  expect(wide.count('a', 0, 0).left).toBe(9)
  refundAll(counts)
  expect(takeAll(counts, 0)).toBeUndefined()
})

test('shared counts: what was counted since the last exchange is sent once, and the sum of all processes counts', () => {
  const limiter = limit(10)
  limiter.shareFrom(3)
  limiter.count('few', 0)
  limiter.count('many', 0, 5)
  expect(limiter.takeUnsent(100)).toEqual([{ key: 'many', count: 5, startedAt: 0 }])
  expect(limiter.takeUnsent(100)).toEqual([])
  limiter.count('many', 1)
  limiter.merge({ key: 'many', count: 8, startedAt: 0 })
  expect(limiter.count('many', 2, 0).left).toBe(1)
  limiter.refund('many')
  expect(limiter.takeUnsent(100)).toEqual([{ key: 'many', count: 0, startedAt: 0 }])
  limiter.forget('many')
  expect(limiter.takeUnsent(100)).toEqual([{ key: 'many', count: -8, startedAt: 0 }])
})

test('a window that began earlier elsewhere ends when it ends there', () => {
  const limiter = limit(1)
  limiter.shareFrom(1)
  limiter.count('other', 30_000)
  limiter.count('a', 31_000)
  limiter.merge({ key: 'a', count: 1, startedAt: 5_000 })
  expect(limiter.take('a', 31_000)).toBe(34_000)
  expect(limiter.take('a', 5_000 + MINUTE)).toBe(0)
})
