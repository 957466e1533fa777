import { expect, test } from 'vitest'
import { sourceFile } from './source-file.ts'

const importsOf = (text: string) =>
  sourceFile('packages/server/src/http/app.ts', text).imports.map(({ specifier, target, names, isTypeOnly }) => ({
    specifier,
    target,
    names,
    isTypeOnly,
  }))

test.each([
  [
    "import { a, type B as C } from '../store/x.ts'",
    '../store/x.ts',
    'packages/server/src/store/x.ts',
    ['a', 'B'],
    false,
  ],
  ["import type { A } from './a.ts'", './a.ts', 'packages/server/src/http/a.ts', ['A'], true],
  ["import fastify, { type X } from 'fastify'", 'fastify', undefined, ['default', 'X'], false],
  ["import * as all from '@shipway/api/errors'", '@shipway/api/errors', 'packages/api/src/errors.ts', ['*'], false],
  ["import { A } from '@shipway/api'", '@shipway/api', 'packages/api/src/index.ts', ['A'], false],
  ["export * from './a.ts'", './a.ts', 'packages/server/src/http/a.ts', ['*'], false],
  ["import {\n  a,\n  b,\n} from './a.ts'", './a.ts', 'packages/server/src/http/a.ts', ['a', 'b'], false],
  ["import './a.ts'", './a.ts', 'packages/server/src/http/a.ts', ['*'], false],
  ["const a = await import('./a.ts')", './a.ts', 'packages/server/src/http/a.ts', ['*'], false],
])('reads %s', (text, specifier, target, names, isTypeOnly) => {
  expect(importsOf(text)).toEqual([{ specifier, target, names, isTypeOnly }])
})

test('ignores what looks like an import in a comment or a string', () => {
  expect(importsOf(`// import { a } from './a.ts'\nconst text = "import { a } from './b.ts'"`)).toEqual([])
})

test('does not run from one statement into the next', () => {
  expect(importsOf("export const a = 1\nimport { b } from './b.ts'\n")).toHaveLength(1)
})
