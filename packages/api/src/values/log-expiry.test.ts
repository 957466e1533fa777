import { expect, test } from 'vitest'
import { describeLogExpiry } from './log-expiry.ts'

test.each([
  ['2026-04-03T10:00:00.000Z', 'on 2026-05-03, 30 days after the task ended'],
  ['2026-05-02T08:00:00.000Z', 'on 2026-05-03, 1 day after the task ended'],
  ['2026-05-03T08:00:00.000Z', 'on 2026-05-03'],
  [null, 'on 2026-05-03'],
])('the output of a task that ended at %s was removed %s', (finished_at, expected) => {
  const removal = { finished_at, log_expired_at: '2026-05-03T11:00:00.000Z' }
  expect(describeLogExpiry(removal)).toBe(`The output of this task was removed ${expected}`)
})
