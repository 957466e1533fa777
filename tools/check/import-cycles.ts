// Finds files that import each other in a circle. Type imports count, because a reader has to follow them, too.
import type { Problem, Rule } from './problem.ts'
import { lineAt, type SourceFile } from './source-file.ts'

export const importCycles: Rule = (files) => {
  const byPath = new Map(files.map((file) => [file.path, file]))
  const finished = new Set<string>()
  const problems: Problem[] = []

  const visit = (file: SourceFile, trail: readonly string[]): void => {
    if (finished.has(file.path)) return
    const here = [...trail, file.path]
    for (const { target, offset } of file.imports) {
      const next = target === undefined ? undefined : byPath.get(target)
      if (!next) continue
      const start = here.indexOf(next.path)
      if (start < 0) visit(next, here)
      else
        problems.push({
          path: file.path,
          line: lineAt(file.text, offset),
          message: sentence(here.slice(start), next.path),
        })
    }
    finished.add(file.path)
  }

  for (const file of files) visit(file, [])
  return problems
}

function sentence(circle: readonly string[], closing: string): string {
  return `this import closes a circle (${[...circle, closing].join(' > ')}); move what both need into a file of its own`
}
