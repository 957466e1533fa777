// Ends a test run with the parts that were missing and the counts, the counts always in the same plain words.

import type { Reporter, SerializedError, TestModule } from 'vitest/node'
import { missingParts, missingSentence } from './real-parts/parts.ts'

export class TestSummary implements Reporter {
  onTestRunEnd(testModules: readonly TestModule[], unhandledErrors: readonly SerializedError[]): void {
    const states = testModules.flatMap((module) => [...module.children.allTests()].map((test) => test.result().state))
    // A file that could not be loaded, or an error outside any test, is a failure that no test shows.
    const brokenModules = testModules.filter((module) => module.errors().length > 0).length
    const count = (state: string): number => states.filter((each) => each === state).length
    const line = summaryLine({
      passed: count('passed'),
      failed: count('failed') + brokenModules + unhandledErrors.length,
      skipped: count('skipped') + count('pending'),
    })
    // The default reporter writes its own summary in the same turn; this line comes after it.
    const missing = missingParts().map(missingSentence)
    setImmediate(() => process.stdout.write(`${[...missing, line].join('\n')}\n`))
  }
}

export function summaryLine(counts: Readonly<{ passed: number; failed: number; skipped: number }>): string {
  const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : ''
  return `Tests: ${counts.passed} passed, ${counts.failed} failed${skipped}`
}
