import { expect, test } from 'vitest'
import { splitLine, withoutLine } from './set-up-line.ts'

const line = 'curl -fsSL https://ship.example/server.sh | sudo sh'

test.each([
  [`Run the set-up on the machine again: ${line}`, 'Run the set-up on the machine again:', true],
  ['Give it a larger disk', 'Give it a larger disk', false],
])('“%s” is split from its command', (text, words, hasLine) => {
  expect(splitLine(text, line)).toEqual({ words, hasLine })
  expect(splitLine(text, null)).toEqual({ words: text, hasLine: false })
})

test('the command is removed together with its introduction', () => {
  const refused = 'The server one refused the key. Run the set-up there.'
  expect(withoutLine(`${refused} The set-up line: ${line}`, line)).toBe(refused)
  expect(withoutLine(refused, line)).toBe(refused)
})
