import { expect, test } from 'vitest'
import { summaryLine } from './test-summary.ts'

test.each([
  [{ passed: 412, failed: 0, skipped: 3 }, 'Tests: 412 passed, 0 failed, 3 skipped'],
  [{ passed: 1, failed: 2, skipped: 0 }, 'Tests: 1 passed, 2 failed'],
  [{ passed: 0, failed: 0, skipped: 0 }, 'Tests: 0 passed, 0 failed'],
])('says %o as "%s"', (counts, line) => {
  expect(summaryLine(counts)).toBe(line)
})
