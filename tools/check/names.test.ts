import { expect, test } from 'vitest'
import { names } from './names.ts'
import { sourceFile } from './source-file.ts'

const messages = (path: string) => names([sourceFile(path, '')]).map((problem) => problem.message)

test.each([
  'packages/server/src/start-deployment.ts',
  'packages/server/src/start-deployment.test.ts',
  'packages/api/src/index.ts',
  'packages/web/src/pages/project/project-page.tsx',
  'vitest.config.ts',
  'README.md',
  'LICENSE',
])('accepts %s', (path) => {
  expect(messages(path)).toEqual([])
})

test.each([
  ['packages/server/src/utils/quote.ts', 'a folder named utils'],
  ['examples/lib/notes.md', 'a folder named lib'],
  ['packages/server/src/store/helpers.ts', 'a file named helpers'],
  ['packages/server/src/store/index.ts', 'no barrels'],
  ['packages/server/src/startDeployment.ts', 'rename it to start-deployment'],
  ['packages/web/src/components/ProjectCard.tsx', 'rename it to project-card'],
  ['packages/server/src/store/task_rows.ts', 'rename it to task-rows'],
])('refuses %s', (path, message) => {
  expect(messages(path)).toEqual([expect.stringContaining(message)])
})
