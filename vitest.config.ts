// How the tests run: real parts first, the test files in a few processes, and a plain line with the counts at the end.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { builtThreads } from './tools/built-threads.ts'
import { LongestFirst } from './tools/longest-first.ts'
import { TestSummary } from './tools/test-summary.ts'

export default defineConfig({
  plugins: [builtThreads()],
  test: {
    include: [
      'packages/*/src/**/*.test.ts',
      'packages/*/test/**/*.test.ts',
      'tools/**/*.test.ts',
      'e2e/**/*.test.ts',
      'bench/**/*.test.ts',
    ],
    globalSetup: [
      'tools/real-parts/built-programs.ts',
      'tools/real-parts/postgres-cluster.ts',
      'tools/real-parts/shared-engine.ts',
    ],
    setupFiles: ['tools/leaks.ts'],
    reporters: ['default', new TestSummary()],
    pool: 'forks',
    // A process takes one file after the other, and loads our code once: to load it anew for each took a third of the time.
    isolate: false,
    // What Node has compiled is kept for the next process: platforms that tests start and kill are up in half the time.
    env: { NODE_COMPILE_CACHE: fileURLToPath(new URL('node_modules/.cache/compiled', import.meta.url)) },
    // More than there are cores on a small machine: most of the time of long tests is spent waiting for servers, drains and limits.
    maxWorkers: 5,
    sequence: { sequencer: LongestFirst },
    // Generous, since a busy machine takes ten times as long: a test that waits for an event ends with the event.
    testTimeout: 300_000,
    hookTimeout: 300_000,
    teardownTimeout: 120_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
