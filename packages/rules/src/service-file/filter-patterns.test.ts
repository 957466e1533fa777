import { expect, test } from 'vitest'
import { filterOf } from './filter-patterns.ts'

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
