// Quoting, tested with real shells.
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
  const commands = fc.sample(fc.array(word, { maxLength: 5 }), 150)
  // Many commands per shell, because starting a shell takes longer than running them.
  for (let at = 0; at < commands.length; at += 25) {
    const some = commands.slice(at, at + 25)
    const lines = some.map((words) => asLine(['printf', '%s\\0', '', ...words]))
    const read = execFileSync(shell, ['-c', lines.join('\n')], { encoding: 'utf8' })
    expect(read).toBe(some.flatMap((words) => ['', ...words].map((text) => `${text}\0`)).join(''))
  }
})

test('a readable line has quotes only where they are needed', () => {
  expect(readableLine(['curl', '-fsSL', 'https://ship.example.com/server.sh', 'two words', '', '~', '$x'])).toBe(
    "curl -fsSL https://ship.example.com/server.sh 'two words' '' '~' '$x'",
  )
})

test('a NUL character in a command is refused', () => {
  expect(() => shellLine(['echo', 'a\0b'])).toThrow(TypeError)
})
