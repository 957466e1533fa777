import { expect, test } from 'vitest'
import { slowExpressions } from './slow-expressions.ts'
import { sourceFile } from './source-file.ts'

test.each([
  ["const trimmed = text.replace(/\\/+$/, '')", 'begin it with ^'],
  ["const trimmed = text.replace(/(?<!\\/)\\/+$/, '')", undefined],
  ['const isName = /^(?:[-_]*[a-z]+)*$/.test(text)', 'doubles with each sign'],
  ['const isName = /^[a-z](?:[a-z_-]*[a-z])?$/.test(text)', undefined],
  ['const [, key] = /^(.*)=(.*);$/.exec(text) ?? []', 'let no two parts'],
  ['const half = all / 2 / parts // /\\/+$/ is slow', undefined],
])('%s', (text, advice) => {
  const problems = slowExpressions([sourceFile('packages/server/src/a.ts', text)])
  expect(problems.map(({ message }) => message)).toEqual(advice === undefined ? [] : [expect.stringContaining(advice)])
})

test('tests and tools may be slow', () => {
  expect(slowExpressions([sourceFile('tools/a.ts', 'const slow = /-+$/')])).toEqual([])
})
