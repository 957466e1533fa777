import { expect, test } from 'vitest'
import { linesOfBiome, linesOfKnip, linesOfTsc } from './tool-output.ts'

test('a line of the compiler gets a place that editors understand', () => {
  expect(linesOfTsc("tools/a.ts(5,55): error TS2307: Cannot find module './b.ts'.")).toEqual([
    "tools/a.ts:5: TS2307 Cannot find module './b.ts'.",
  ])
})

test.each([
  [
    '× a.ts:2:1: assist/source/organizeImports: Sort these imports.',
    ['a.ts:2: Sort these imports. (assist/source/organizeImports)'],
  ],
  ['! a.ts:7:3: lint/style/useTemplate: Use a template.', ['a.ts:7: Use a template. (lint/style/useTemplate)']],
  [
    '× a.ts: format: Formatter would have printed the following content:',
    ['a.ts:1: not formatted; run npm run format'],
  ],
  ['Checked 160 files in 1066ms. No fixes applied.', []],
])('Biome says %s', (output, lines) => {
  expect(linesOfBiome(output)).toEqual(lines)
})

test('each finding of knip becomes a line that says what to do', () => {
  const issues = [
    { file: 'a.ts', files: [{ name: 'a.ts' }], exports: [] },
    {
      file: 'b.ts',
      files: [],
      exports: [{ name: 'findTask', line: 4, col: 1, pos: 9 }],
      unlisted: [{ name: 'zod', line: 3 }],
    },
  ]
  expect(linesOfKnip(JSON.stringify({ issues }))).toEqual([
    'a.ts:1: nothing uses this file; remove it, or name it as an entry in knip.json',
    'b.ts:4: nothing imports findTask; remove it or its export',
    'b.ts:3: zod is not among the dependencies of this package; add it to its package.json',
  ])
})
