// Forbids ways to bypass the compiler and the tests.
import type { Rule } from './problem.ts'
import { isScript, lineAt } from './source-file.ts'

/** `in: 'comments'` looks at the whole text, since the thing is written in a comment. */
const forbidden: readonly Readonly<{ pattern: RegExp; in: 'code' | 'comments'; advice: string }>[] = [
  { pattern: /\bas\s+any\b/g, in: 'code', advice: 'no any; give the value its type, or parse it' },
  {
    pattern: /\/[/*]\s*@ts-(ignore|nocheck|expect-error)/g,
    in: 'comments',
    advice: 'the compiler is never silenced; correct the types',
  },
  {
    pattern: /\bcatch\s*(\([^)]*\)\s*)?\{\s*\}/g,
    in: 'code',
    advice: 'an empty catch hides the error; handle it or let it fly',
  },
  {
    pattern: /\b(test|it|describe)(\.\w+)*\.(only|todo)\b/g,
    in: 'code',
    advice: 'no .only and no .todo; run one test by its name, and write the test with the code',
  },
]

export const forbiddenCode: Rule = (files) =>
  files
    .filter((file) => isScript(file.path))
    .flatMap(({ path, text, code }) =>
      forbidden.flatMap(({ pattern, in: place, advice }) =>
        [...(place === 'code' ? code : text).matchAll(pattern)].map((match) => ({
          path,
          line: lineAt(text, match.index),
          message: advice,
        })),
      ),
    )
