import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { CODE, environmentOf, parts } from './parts.ts'

test('a missing real part fails each proof, instead of skipping its tests', () => {
  for (const part of Object.values(parts)) expect(environmentOf(part)).toEqual({ ...part.environment, CI: 'true' })
})

test('what is proven includes the proofs themselves, and no results', () => {
  const root = join(import.meta.dirname, '../..')
  const files = execFileSync('git', ['ls-files', '--', ...CODE], { cwd: root, encoding: 'utf8' }).split('\n')
  expect(files).toEqual(
    expect.arrayContaining(['bench/load.ts', 'bench/proof/parts.ts', 'scripts/install.mjs', 'package-lock.json']),
  )
  expect(files.filter((file) => file.endsWith('.md') && !file.startsWith('packages/'))).toEqual([])
})
