import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { commandInFolder } from './command-in-folder.ts'

test('a shell begins in the folder, and a command runs there', () => {
  expect(commandInFolder('.shipway/i1/environments/7', [])).toMatch(/^cd -- \.shipway\/i1\/environments\/7 \|\| echo /)
  expect(commandInFolder('.shipway/i1/environments/7', ['docker', 'ps'])).toBe(
    'cd -- .shipway/i1/environments/7 || exit; docker ps',
  )
})

test('without a folder ssh gets only the command, or nothing', () => {
  expect(commandInFolder(null, [])).toBeUndefined()
  expect(commandInFolder(null, ['id', '-un'])).toBe('id -un')
})

test('a missing folder opens the home folder with a message, and fails a command', () => {
  const run = (words: string[]) =>
    execFileSync('sh', ['-c', `${commandInFolder('not/there', words)}\necho after`], {
      encoding: 'utf8',
      env: { SHELL: 'true' },
    })
  expect(() => run(['echo', 'ran'])).toThrow('not/there')
  expect(run([])).toBe('')
})

test.each(['$(id)', 'a b', "a'b", 'a;id', '-x', '/etc', 'a//b', '', 'a\nb', '`id`', 'a/'])(
  'the folder %j is refused',
  (folder) => {
    expect(() => commandInFolder(folder, [])).toThrow('cannot be one of its own')
  },
)
