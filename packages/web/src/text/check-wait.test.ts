import { expect, test } from 'vitest'
import { describeCheckWait } from './check-wait.ts'

const wait = {
  state: 'waiting',
  commit_sha: '8f3a2d1'.padEnd(40, '0'),
  since: '2026-01-02T03:04:05.000Z',
  deadline_at: '2026-01-02T03:34:05.000Z',
  checks: ['build', 'lint'],
} as const

test.each([
  [{}, '8f3a2d1 waits for checks: build, lint'],
  [{ checks: [] }, '8f3a2d1 waits for checks'],
  [{ checks: ['a', 'b', 'c', 'd', 'e', 'f', 'g'] }, '8f3a2d1 waits for checks: a, b, c, d, e and 2 more'],
  [{ state: 'failed', checks: ['build'] }, '8f3a2d1 is not deployed: build failed'],
  [{ state: 'timed_out', checks: ['lint'] }, '8f3a2d1 is not deployed: lint did not pass in time'],
  [{ state: 'timed_out', checks: [] }, '8f3a2d1 is not deployed: no checks were reported in time'],
] as const)('%j: %s', (of, words) => {
  const { checks, ...rest } = { ...wait, ...of }
  expect(describeCheckWait({ ...rest, checks: [...checks] })).toBe(words)
})
