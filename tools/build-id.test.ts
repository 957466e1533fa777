import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { buildId } from './build-id.ts'

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-build-id-'))
  writeFileSync(join(folder, 'package.json'), '{"version": "1.15.0"}')
  mkdirSync(join(folder, 'packages/api/src'), { recursive: true })
  writeFileSync(join(folder, 'packages/api/src/tasks.ts'), 'one')
})
afterEach(() => rmSync(folder, { recursive: true }))

const git = (...words: string[]): string =>
  execFileSync('git', ['-C', folder, '-c', 'user.name=x', '-c', 'user.email=x@example.com', ...words], {
    encoding: 'utf8',
  }).trim()

test('in a checkout it is the commit, and a tagged release needs none', () => {
  git('init', '--quiet')
  git('add', '.')
  git('commit', '--quiet', '--message', 'One')
  const commit = git('rev-parse', 'HEAD')
  expect(buildId(folder)).toMatch(/^[0-9a-f]{9}$/)
  expect(commit.startsWith(buildId(folder))).toBe(true)
  git('tag', 'v1.14.0')
  expect(commit.startsWith(buildId(folder)) && buildId(folder) !== '').toBe(true)
  git('tag', 'v1.15.0')
  expect(buildId(folder)).toBe('')
})

test('without git it is a digest of the contract', () => {
  const before = buildId(folder)
  expect(before).toMatch(/^[0-9a-f]{9}$/)
  writeFileSync(join(folder, 'packages/api/src/tasks.test.ts'), 'a test')
  expect(buildId(folder)).toBe(before)
  writeFileSync(join(folder, 'packages/api/src/tasks.ts'), 'two')
  expect(buildId(folder)).not.toBe(before)
})
