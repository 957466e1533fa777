// Which way of failing gives which hint.
import { expect, test } from 'vitest'
import { hintsFor } from './failure-hints.ts'

test.each([
  ['check', null, undefined],
  ['command', 1, undefined],
  ['command', 126, /git update-index --chmod=\+x/],
  ['command', 127, /not found/],
  ['command', 137, /memory/],
  ['timeout', null, /longer than it may.* \.service\.yml .*`timeout:`/],
  // Ended by the platform: the exit code is the platform's doing.
  ['timeout', 137, /longer than it may/],
  ['server', null, /could not be reached/],
] as const)('%s with exit code %s', (kind, exitCode, words) => {
  const hints = hintsFor({ kind, exitCode })
  expect(hints).toHaveLength(words ? 1 : 0)
  if (words) expect(hints[0]).toMatch(words)
})
