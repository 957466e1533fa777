import { expect, test } from 'vitest'
import { fileLength } from './file-length.ts'
import { sourceFile } from './source-file.ts'

test.each([
  ['packages/api/src/a.ts', 300, 0],
  ['packages/api/src/a.ts', 301, 1],
  ['packages/server/src/a.test.ts', 301, 1],
  ['packages/server/migrations/0001.sql', 301, 1],
  ['packages/server/test/hostile-inputs.json', 900, 0],
])('%s with %i lines has %i problems', (path, lines, problems) => {
  expect(fileLength([sourceFile(path, 'a\n'.repeat(lines))])).toHaveLength(problems)
})
