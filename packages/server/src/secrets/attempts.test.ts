import { expect, test } from 'vitest'
import { Attempts } from './attempts.ts'

const MINUTE = 60_000

test('as many attempts as allowed go on, and the next waits for the end of the window', () => {
  const attempts = new Attempts({ most: 3, windowMs: MINUTE })
  expect([0, 1, 2].map((second) => attempts.take('a', second * 1000))).toEqual([0, 0, 0])
  expect(attempts.take('a', 10_000)).toBe(50_000)
  expect(attempts.take('a', MINUTE - 1)).toBe(1)
  expect(attempts.take('a', MINUTE)).toBe(0)
})

test('attempts for one key leave the others alone', () => {
  const attempts = new Attempts({ most: 1, windowMs: MINUTE })
  expect([attempts.take('a', 0), attempts.take('b', 0), attempts.take('a', 0)]).toEqual([0, 0, MINUTE])
})

test('an attempt that is given back does not count', () => {
  const attempts = new Attempts({ most: 1, windowMs: MINUTE })
  for (let round = 0; round < 5; round++) {
    expect(attempts.take('a', 0)).toBe(0)
    attempts.giveBack('a')
  }
  attempts.giveBack('unknown')
  expect([attempts.take('a', 0), attempts.take('a', 0)]).toEqual([0, MINUTE])
})

test('a forgotten key begins anew', () => {
  const attempts = new Attempts({ most: 1, windowMs: MINUTE })
  attempts.take('a', 0)
  attempts.forget('a')
  expect(attempts.take('a', 0)).toBe(0)
})

test('beyond the most keys, the oldest is dropped and the newest still counts', () => {
  const attempts = new Attempts({ most: 1, windowMs: MINUTE, mostKeys: 2 })
  for (const key of ['a', 'b', 'c']) attempts.take(key, 0)
  expect(attempts.take('c', 0)).toBeGreaterThan(0)
  expect(attempts.take('a', 0)).toBe(0)
})
