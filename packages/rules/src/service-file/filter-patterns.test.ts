import { expect, test } from 'vitest'
import { filterOf, includesAny } from './filter-patterns.ts'

test.each([
  [['apps/shop/**'], ['apps/shop/a.ts', 'apps/shop/.env', 'apps/shop/x/y'], ['apps/shop', 'apps/shopping/a', 'a.ts']],
  [
    ['**', '!**/*.md'],
    ['a.ts', '.github/x.yml'],
    ['README.md', 'docs/a.md', '.github/x.md'],
  ],
  [['!**/*.md'], ['a.ts', 'docs/a.png'], ['README.md', 'docs/a.md']],
  [
    ['apps/**', '!apps/docs/**', 'apps/docs/live/**'],
    ['apps/a', 'apps/docs/live/x'],
    ['apps/docs/x', 'lib/x'],
  ],
  [
    ['main', 'release/*'],
    ['main', 'release/1.2'],
    ['mainly', 'release/1/2', 'feature'],
  ],
  [[], ['anything', 'release/1'], []],
])('%j includes these and excludes those', (patterns, included, excluded) => {
  const isIncluded = filterOf(patterns)
  expect(included.filter((path) => !isIncluded(path))).toEqual([])
  expect(excluded.filter(isIncluded)).toEqual([])
})

test('one included path is enough', () => {
  expect(includesAny(['apps/**'], ['lib/a', 'apps/a'])).toBe(true)
  expect(includesAny(['apps/**'], ['lib/a'])).toBe(false)
  expect(includesAny(['apps/**'], [])).toBe(false)
})

test.each([
  [`**/*${'a'.repeat(90)}b`, 'a'.repeat(4000)],
  [`${'a*'.repeat(49)}b`, 'a'.repeat(4000)],
  ['**/**/**/x*y', `${'a/'.repeat(2000)}a`],
])('%s costs little, and counts as included where it does not', (pattern, path) => {
  const startedAt = process.cpuUsage()
  const patterns = Array.from({ length: 20 }, () => pattern)
  const paths = Array.from({ length: 65 }, () => path)
  expect(includesAny(patterns, paths)).toEqual(expect.any(Boolean))
  // Minutes without a limit. CPU time, since a busy machine stretches the wall clock.
  expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(20)
})
