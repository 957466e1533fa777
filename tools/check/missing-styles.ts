// Every style sheet that is imported exists: the compiler takes the name of any, and the dashboard could not be built.
import type { Rule } from './problem.ts'
import { lineAt } from './source-file.ts'

export const missingStyles: Rule = (files) => {
  const known = new Set(files.map(({ path }) => path))
  return files.flatMap(({ path, text, imports }) =>
    imports.flatMap(({ target, offset }) => {
      if (target === undefined || !target.endsWith('.css') || known.has(target)) return []
      return [{ path, line: lineAt(text, offset), message: `${target} does not exist; import the file that moved` }]
    }),
  )
}
