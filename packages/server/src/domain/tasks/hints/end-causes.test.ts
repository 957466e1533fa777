// What the end of a step says by itself.
import { describe, expect, test } from 'vitest'
import { built, failed, printed } from '../../../../test/hints/failures.ts'
import { hintsFor } from './failure-hints.ts'

describe('the end alone', () => {
  test.each([
    ['check', null, undefined],
    ['command', 1, undefined],
    ['command', 126, /git update-index --chmod=\+x/],
    ['command', 127, /not found/],
    ['command', 137, /memory/],
    ['command', 139, /segmentation fault/],
    ['command', 143, /SIGTERM/],
    ['timeout', null, /longer than it may.* \.service\.yml .*`timeout:`/],
    // Ended by the platform: the exit code is the platform's doing.
    ['timeout', 137, /longer than it may/],
    ['server', null, /could not be reached/],
  ] as const)('%s with exit code %s', (kind, exitCode, words) => {
    const hints = hintsFor({ ...failed({}), kind, exitCode })
    expect(hints).toHaveLength(words ? 1 : 0)
    if (words) expect(hints[0]).toMatch(words)
  })

  test('the instruction of a build that failed has an exit code of its own', () => {
    const failure = built(
      '#5 0.117 /bin/sh: make: not found',
      'process "/bin/sh -c make" did not complete successfully: exit code: 127',
    )
    expect(hintsFor(failure)).toEqual([expect.stringMatching(/^Exit code 127 /)])
  })

  test('what was printed until a step was stopped from outside is no reason', () => {
    expect(hintsFor({ ...printed('Error: ENOSPC: no space left on device, write'), kind: 'server' })).toEqual([
      expect.stringMatching(/could not be reached/),
    ])
  })
})
