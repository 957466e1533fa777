// The quoting, tried on the real shells.
import { execFileSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { readableLine, shellLine } from './command.ts'

test.each([
  ['dash', shellLine],
  ['bash', shellLine],
  ['dash', readableLine],
  ['bash', readableLine],
])('%s reads every word as it was', (shell, asLine) => {
  const word = fc
    .string({ unit: 'binary', maxLength: 40 })
    .filter((text) => !text.includes('\0') && text.isWellFormed())
  fc.assert(
    fc.property(fc.array(word, { maxLength: 5 }), (words) => {
      const read = execFileSync(shell, ['-c', asLine(['printf', '%s\\0', '', ...words])], { encoding: 'utf8' })
      expect(read).toBe(['', ...words].map((text) => `${text}\0`).join(''))
    }),
    { numRuns: 150 },
  )
})

test('a line for people has quotes only where they are needed', () => {
  expect(readableLine(['curl', '-fsSL', 'https://ship.example.com/server.sh', 'two words', '', '~', '$x'])).toBe(
    "curl -fsSL https://ship.example.com/server.sh 'two words' '' '~' '$x'",
  )
})

test('a NUL character has no place in a command', () => {
  expect(() => shellLine(['echo', 'a\0b'])).toThrow(TypeError)
})
