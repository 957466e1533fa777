import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { longFiles } from './longest-first.ts'

test('the long test files are there under these names', () => {
  expect(longFiles.filter((file) => !existsSync(fileURLToPath(new URL(`../${file}`, import.meta.url))))).toEqual([])
})
