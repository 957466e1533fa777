import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { RELEASE, VERSION } from './version.ts'

test('the release is that of the package, and the version says more', () => {
  expect(RELEASE).toBe(JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')).version)
  expect(VERSION).toBe(`${RELEASE}+source`)
})
