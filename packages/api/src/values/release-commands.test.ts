import { expect, test } from 'vitest'
import { describeAfterRelease } from './release-commands.ts'

const task = (status: string, phase: string | null) => ({
  phases: [
    { name: 'Start', steps: [{ status: 'succeeded' }] },
    { name: 'Release', steps: [{ status }] },
  ],
  failed_step:
    phase === null ? null : { id: 1, phase, name: 'A step', kind: 'command' as const, exit_code: 1, message: null },
})

test('a deployment that failed before its release commands has changed nothing', () => {
  expect(describeAfterRelease(task('pending', 'Start'), 'abcdef0')).toBeUndefined()
  expect(describeAfterRelease({ phases: [], failed_step: null }, 'abcdef0')).toBeUndefined()
})

test('one that failed in them says so in its own message, and one that failed later here', () => {
  expect(describeAfterRelease(task('failed', 'Release'), 'abcdef0')).toBe(
    'Visitors still get abcdef0 (checked just now).',
  )
  const later =
    'Visitors still get abcdef0 (checked just now). What the release commands changed, for example in a database, stays changed.'
  expect(describeAfterRelease(task('succeeded', 'Start'), 'abcdef0')).toBe(later)
  expect(describeAfterRelease(task('canceled', null), 'abcdef0')).toBe(later)
})
