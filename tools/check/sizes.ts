// Keeps files short enough to read in one go.
import type { Rule } from './problem.ts'
import { isScript } from './source-file.ts'

const limit = 300

/** Files that may be longer, each with the reason. */
const exceptions: Readonly<Record<string, string>> = {}

export const fileLength: Rule = (files) =>
  files.flatMap(({ path, text }) => {
    const lines = text.trimEnd().split('\n').length
    if (!isLimited(path) || lines <= limit || exceptions[path] !== undefined) return []
    const message = `${lines} lines, the limit is ${limit}; split it by subject, or list it with a reason in tools/check/file-length.ts`
    return [{ path, line: limit + 1, message }]
  })

function isLimited(path: string): boolean {
  return isScript(path) || /\.(sql|css)$/.test(path)
}
