// Lists long files and large folders. Size alone is no fault, so `npm run report:sizes` prints the list for a reviewer and nothing fails.
import { posix } from 'node:path'
import type { Rule } from './problem.ts'
import { isScript } from './source-file.ts'

const mostLines = 300
const mostFiles = 40

export const longFiles: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    if (!isCounted(path) || lines <= mostLines) return []
    return [{ path, line: mostLines + 1, message: `${lines} lines; does the file have two subjects?` }]
  })

export const largeFolders: Rule = (files) =>
  [...Map.groupBy(files, ({ path }) => posix.dirname(path))].flatMap(([folder, inside]) => {
    if (inside.length <= mostFiles) return []
    return [{ path: folder, line: 1, message: `${inside.length} files; do they form groups by subject?` }]
  })

function isCounted(path: string): boolean {
  return isScript(path) || /\.(sql|css)$/.test(path)
}
