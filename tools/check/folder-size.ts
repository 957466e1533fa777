// Keeps folders small enough to take in at a glance.
import { posix } from 'node:path'
import type { Rule } from './problem.ts'

const limit = 40

export const folderSize: Rule = (files) =>
  [...Map.groupBy(files, ({ path }) => posix.dirname(path))].flatMap(([folder, inside]) => {
    if (inside.length <= limit) return []
    const message = `${inside.length} files, the limit is ${limit}; make rooms by subject`
    return [{ path: folder, line: 1, message }]
  })
