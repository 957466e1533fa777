import { expect, test } from 'vitest'
import { folderSize } from './folder-size.ts'
import { sourceFile } from './source-file.ts'

const filesOf = (folder: string, count: number) =>
  Array.from({ length: count }, (_, index) => sourceFile(`${folder}/f${index}.ts`, ''))

test('a folder has at most forty files, whatever its rooms have', () => {
  expect(folderSize([...filesOf('a', 40), ...filesOf('a/b', 40)])).toEqual([])
  expect(folderSize([...filesOf('a', 41), ...filesOf('a/b', 2)])).toEqual([
    { path: 'a', line: 1, message: '41 files, the limit is 40; make rooms by subject' },
  ])
})
