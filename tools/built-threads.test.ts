import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { withBuilt } from './built-threads.ts'

test('the program of a thread is found in the build', () => {
  const line = withBuilt("const program = new URL('./files/check-files-thread.ts', import.meta.url)")
  const [, built = ''] = /new URL\("(.*)"\)$/.exec(line) ?? []
  expect(existsSync(fileURLToPath(built))).toBe(true)
})
