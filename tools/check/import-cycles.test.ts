import { expect, test } from 'vitest'
import { importCycles } from './import-cycles.ts'
import { sourceFile } from './source-file.ts'

const filesOf = (imports: Record<string, string[]>) =>
  Object.entries(imports).map(([name, targets]) =>
    sourceFile(`packages/api/src/${name}.ts`, targets.map((target) => `import { x } from './${target}.ts'`).join('\n')),
  )

test.each([
  ['a chain', { a: ['b'], b: ['c'], c: [] }, []],
  ['a diamond', { a: ['b', 'c'], b: ['d'], c: ['d'], d: [] }, []],
  ['a file that is not there', { a: ['b'] }, []],
  ['two files', { a: ['b'], b: ['a'] }, ['packages/api/src/b.ts']],
  ['itself', { a: ['a'] }, ['packages/api/src/a.ts']],
  ['a circle behind an entrance', { a: ['b'], b: ['c'], c: ['d', 'b'], d: [] }, ['packages/api/src/c.ts']],
])('%s', (_name, imports, expected) => {
  expect(importCycles(filesOf(imports)).map((problem) => problem.path)).toEqual(expected)
})

test('names the whole circle', () => {
  const [problem] = importCycles(filesOf({ a: ['b'], b: ['a'] }))
  expect(problem?.message).toContain('packages/api/src/a.ts > packages/api/src/b.ts > packages/api/src/a.ts')
})
