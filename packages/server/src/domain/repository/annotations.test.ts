// Which lines of an output name a file and a line.
import { expect, test } from 'vitest'
import { annotationCandidates, annotationsOf, MOST_ANNOTATIONS } from './annotations.ts'

test.each([
  ["src/shop.ts(12,5): error TS2322: Type 'x'", 'src/shop.ts', 12, "error TS2322: Type 'x'"],
  ['src/shop.ts:12:5 - error TS2322: no', 'src/shop.ts', 12, 'error TS2322: no'],
  ['./main.go:7: undefined: x', 'main.go', 7, 'undefined: x'],
  ['main.go:7:2: undefined: x', 'main.go', 7, 'undefined: x'],
  ['  --> src/main.rs:3:9', 'src/main.rs', 3, 'The failed step names this line'],
  ['Dockerfile:4', 'Dockerfile', 4, 'The failed step names this line'],
  ['  File "shop/views.py", line 40, in index', 'shop/views.py', 40, 'in index'],
  ['#12 3.456 src/a.ts:1:1: no', 'src/a.ts', 1, 'no'],
  ['#12 0.2 /app/src/a.ts:1:1: no', 'src/a.ts', 1, 'no'],
  ['/usr/src/app/a.py:9: SyntaxError', 'a.py', 9, 'SyntaxError'],
])('%s', (line, path, at, message) => {
  expect(annotationCandidates(`before\n${line}\nafter`)).toEqual([{ path, line: at, message }])
})

test.each([
  '/etc/passwd:1: root',
  '../outside.ts:1:1: no',
  'src/../../outside.ts:1:1: no',
  'src//a.ts:1:1: no',
  'a.ts:0:1: no',
  'a.ts:9999999: no',
  `${'a/'.repeat(200)}a.ts:1: no`,
  'no file at all',
  '',
])('%j names nothing inside the repository', (line) => {
  expect(annotationCandidates(line)).toEqual([])
})

test('only files of the commit are marked, each line once, and not many', () => {
  const output = Array.from({ length: 300 }, (_, line) => `src/a.ts:${line + 1}: wrong\nexample.com:443: timeout`).join(
    '\n',
  )
  const candidates = annotationCandidates(`src/a.ts:1: first\n${output}`)
  expect(candidates.length).toBeLessThanOrEqual(200)
  const marked = annotationsOf(candidates, new Set(['src/a.ts']))
  expect(marked.length).toBe(MOST_ANNOTATIONS)
  expect(marked[0]).toEqual({ path: 'src/a.ts', line: 1, message: 'first' })
  expect(new Set(marked.map(({ path }) => path))).toEqual(new Set(['src/a.ts']))
})

test('control characters and line ends do not reach the message', () => {
  const [found] = annotationCandidates('a.ts:1: \u001b[31mred\u001b[0m \u202eevil\u0007')
  expect(found?.message).toBe('red evil')
})
