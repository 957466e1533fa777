import { expect, test } from 'vitest'
import {
  certificateVerdict,
  diskUseVerdict,
  diskVerdict,
  memoryVerdict,
  reachVerdict,
  restartsVerdict,
} from './alerts.ts'

const MINUTE = 60_000
const DAY = 1440 * MINUTE
const GIB = 1024 ** 3

test.each([
  [null, 'fine'],
  [0, 'between'],
  [5 * MINUTE - 1, 'between'],
  [5 * MINUTE, 'wrong'],
])('out of reach for %s ms is %s', (milliseconds, verdict) => {
  expect(reachVerdict(milliseconds === null ? null : DAY - milliseconds, 5, DAY)).toBe(verdict)
})

test.each([
  [1.9, 20, 'wrong'],
  [2.1, 20, 'between'],
  [2.5, 20, 'fine'],
  [24, 500, 'wrong'],
  [26, 500, 'between'],
  [32, 500, 'fine'],
])('%s of %s GiB free is %s', (free, total, verdict) => {
  expect(diskVerdict({ freeBytes: free * GIB, totalBytes: total * GIB }, 2 * GIB)).toBe(verdict)
})

test.each([
  [14, 'wrong'],
  [15, 'between'],
  [19, 'between'],
  [20, 'fine'],
])('with %s percent free a disk is %s for a threshold of 85', (free, verdict) => {
  expect(diskUseVerdict({ freeBytes: free * GIB, totalBytes: 100 * GIB }, 85)).toBe(verdict)
})

test.each([
  [null, 'between'],
  [90.5, 'wrong'],
  [90, 'between'],
  [85, 'fine'],
])('memory of at least %s percent is %s for a threshold of 90', (percent, verdict) => {
  expect(memoryVerdict(percent, 90)).toBe(verdict)
})

test.each([
  [0, 'fine'],
  [2, 'between'],
  [3, 'wrong'],
])('%s restarts are %s for a threshold of 3', (restarts, verdict) => {
  expect(restartsVerdict(restarts, 3)).toBe(verdict)
})

test.each([
  [90, 15, 'fine'],
  [90, 14, 'wrong'],
  [90, -1, 'wrong'],
  [6, 2, 'fine'],
  [6, 1, 'wrong'],
])('a certificate of %s days with %s left is %s', (life, left, verdict) => {
  const now = 1000 * DAY
  expect(certificateVerdict({ notBefore: now + (left - life) * DAY, notAfter: now + left * DAY }, 14, now)).toBe(
    verdict,
  )
})
