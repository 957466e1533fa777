import { expect, test } from 'vitest'
import { largeFolders, longFiles } from './sizes.ts'
import { sourceFile } from './source-file.ts'

test.each([
  ['packages/api/src/a.ts', 300, 0],
  ['packages/api/src/a.ts', 301, 1],
  ['packages/server/src/a.test.ts', 301, 1],
  ['packages/server/migrations/0001.sql', 301, 1],
  ['packages/server/test/hostile-inputs.json', 900, 0],
])('%s with %i lines is listed %i times', (path, lines, times) => {
  expect(longFiles([sourceFile(path, 'a\n'.repeat(lines))])).toHaveLength(times)
})

const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => sourceFile(`${folder}/f${index}.ts`, ''))

test('a folder of more than forty files is listed, without counting its subfolders', () => {
  expect(largeFolders([...filesOf('a', 40), ...filesOf('a/b', 40)])).toEqual([])
  expect(largeFolders([...filesOf('a', 41), ...filesOf('a/b', 2)])).toEqual([
    { path: 'a', line: 1, message: '41 files; do they form groups by subject?' },
  ])
})
