import { expect, test } from 'vitest'
import { missingStyles } from './missing-styles.ts'
import { sourceFile } from './source-file.ts'

test('a style sheet that is not there is a problem', () => {
  const page = sourceFile(
    'packages/web/src/pages/page.tsx',
    "import styles from './page.module.css'\nimport gone from './gone.module.css'\nimport './also-gone.css'\n",
  )
  const problems = missingStyles([page, sourceFile('packages/web/src/pages/page.module.css', '')])
  expect(problems.map(({ line, message }) => [line, message.split(';')[0]])).toEqual([
    [2, 'packages/web/src/pages/gone.module.css does not exist'],
    [3, 'packages/web/src/pages/also-gone.css does not exist'],
  ])
})
