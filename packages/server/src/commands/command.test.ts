// The quoting, tried on the real shells.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { shellLine } from './command.ts'

test.each(['dash', 'bash'])('%s reads every word as it was', (shell) => {
  const word = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const read = execFileSync(shell, ['-c', shellLine(['printf', '%s\\0', '', ...words])], { encoding: 'utf8' })
      expect(read).toBe(['', ...words].map((text) => `${text}\0`).join(''))
    }),
    { numRuns: 150 },
  )
})

test('a NUL character has no place in a command', () => {
  expect(() => shellLine(['echo', 'a\0b'])).toThrow(TypeError)
})
