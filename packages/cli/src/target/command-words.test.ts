import { expect, test } from 'vitest'
import { completeCommands, serverWord, shellWord, targetWords } from './command-words.ts'

const target = {
  project: { name: 'Book shop' },
  environment: { name: 'pr-214', server: { id: 3, name: 'harbor' } },
}

test.each([
  ['bookshop', 'bookshop'],
  ['Book shop', "'Book shop'"],
  ["it's", "'it'\\''s'"],
  ['$(id)', "'$(id)'"],
  ['a\u001b[2Jb', 'ab'],
])('%j is the word %s of a shell', (name, word) => {
  expect(shellWord(name)).toBe(word)
})

test('a target is named by its names, and a server whose name looks like an id by its id', () => {
  expect(targetWords(target)).toBe("-p 'Book shop' -e pr-214")
  expect(serverWord({ id: 3, name: 'harbor' })).toBe('harbor')
  expect(serverWord({ id: 3, name: '7' })).toBe('3')
})

test.each([
  ['Set KEY: `shipway vars set KEY=-` asks', "Set KEY: `shipway vars set -p 'Book shop' -e pr-214 KEY=-` asks"],
  ['see `shipway logs --service` with', "see `shipway logs -p 'Book shop' -e pr-214 --service` with"],
  ['with `shipway logs`', "with `shipway logs -p 'Book shop' -e pr-214`"],
  ['`shipway server check` tells', '`shipway server check harbor` tells'],
  ['the server said shipway logs', 'the server said shipway logs'],
  ['`shipway logsmith`', '`shipway logsmith`'],
])('the commands of a hint are completed: %s', (hint, expected) => {
  expect(completeCommands(hint, target)).toBe(expected)
})
