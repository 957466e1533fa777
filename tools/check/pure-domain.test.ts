import { expect, test } from 'vitest'
import { pureDomain } from './pure-domain.ts'
import { sourceFile } from './source-file.ts'

const server = 'packages/server/src'

test.each([
  ['domain/tasks/task.ts', 'export const isFinal = (status: string) => status.length > 0', 0],
  ['domain/tasks/task.ts', 'const end = new Date(startedAt + 1)', 0],
  ['domain/tasks/task.ts', "// never await here\nconst text = 'await'", 0],
  ['domain/tasks/task.ts', "import { posix } from 'node:path'", 0],
  ['domain/tasks/task.ts', "import type { Stats } from 'node:fs'", 0],
  ['domain/tasks/task.ts', 'await x', 1],
  ['domain/tasks/task.ts', 'const now = Date.now()', 1],
  ['domain/tasks/task.ts', 'const now = new Date()', 1],
  ['domain/tasks/task.ts', 'const id = Math.random()', 1],
  ['domain/tasks/task.ts', "import { readFileSync } from 'node:fs'", 1],
  ['domain/tasks/task.ts', "import { randomBytes } from 'node:crypto'", 1],
  ['domain/tasks/task.test.ts', 'await x', 0],
  ['operations/start.ts', 'await x', 0],
  ['context.ts', "import type { Db } from './store/database.ts'\nexport type Context = { db: Db }", 0],
  ['context.ts', "import { type Db } from './store/database.ts'", 1],
  ['context.ts', 'export const a = 1\n\nexport function b() {}', 2],
])('%s: %s has %i problems', (path, text, problems) => {
  expect(pureDomain([sourceFile(`${server}/${path}`, text)])).toHaveLength(problems)
})
