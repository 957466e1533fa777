// How the tests run: real parts first, each test file in a process of its own, and a plain line with the counts at the end.
import { defineConfig } from 'vitest/config'
import { TestSummary } from './tools/test-summary.ts'

export default defineConfig({
  test: {
    include: ['packages/*/src/**/*.test.ts', 'packages/*/test/**/*.test.ts', 'tools/**/*.test.ts', 'e2e/**/*.test.ts'],
    globalSetup: ['tools/real-parts/postgres-cluster.ts', 'tools/real-parts/shared-engine.ts'],
    setupFiles: ['tools/leaks.ts'],
    reporters: ['default', new TestSummary()],
    pool: 'forks',
    // More than there are cores on a small machine: most of the time of long tests is spent waiting for servers, drains and limits.
    maxWorkers: 3,
    testTimeout: 30_000,
    hookTimeout: 30_000,
  },
})
