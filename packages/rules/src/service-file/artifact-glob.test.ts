import { posix } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alternativesOf, matcherOf, searchesOf } from './artifact-glob.ts'

test.each([
  ['dump*.sql', ['dump.sql', 'dump-1.sql'], ['dump.sql.gz', 'a/dump.sql', 'xdump.sql', '.dump.sql']],
  ['reports/**', ['reports/a', 'reports/a/b.txt'], ['reports', 'reports/.a', 'reports/.git/x', 'other/reports/a']],
  ['**/*.log', ['a.log', 'x/y/a.log'], ['a.logs', '.x/a.log', 'x/.a.log']],
  ['**', ['a', 'a/b/c'], ['.env', 'a/.env']],
  ['.env*', ['.env', '.env.local'], ['env']],
  ['a?c', ['abc', 'aüc', 'a😀c'], ['ac', 'abbc', 'a/c']],
  ['[a-c]x[!0-9]', ['axy', 'cx-'], ['dxy', 'ax1']],
  ['out/{a,b/*}.txt', ['out/a.txt', 'out/b/z.txt'], ['out/b.txt', 'out/{a,b/*}.txt']],
  ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c'], ['a/c', 'a/b/x']],
  ['$(id)', ['$(id)'], ['id']],
])('%s matches these paths and no others', (pattern, meant, others) => {
  const isMeant = matcherOf([pattern])
  expect(meant.filter((path) => !isMeant(path))).toEqual([])
  expect(others.filter(isMeant)).toEqual([])
})

test('every allowed pattern is fast, whatever the names are', () => {
  const startedAt = process.cpuUsage()
  const isMeant = matcherOf(['a*'.repeat(20), '**/**/**/*b', '*a*a*a*a*a*a*a*a*a*a*a*a*c'])
  for (let count = 0; count < 1000; count += 1) expect(isMeant(`${'a'.repeat(250)}/${'a'.repeat(200)}`)).toBe(false)
  // A matcher that backtracks would never end. CPU time, since a busy machine stretches the wall clock.
  expect(process.cpuUsage(startedAt).user / 1e6).toBeLessThan(20)
})

test('alternatives are counted before they are written out', () => {
  expect(alternativesOf('{a,b}{c,{d,e}}')).toHaveLength(6)
  expect(alternativesOf(`{${'a,'.repeat(30)}}`.repeat(4))).toBeUndefined()
  expect(alternativesOf('{a}')).toEqual(['{a}'])
})

describe('files are looked for', () => {
  test.each([
    [['dump*.sql'], [{ folder: '', depth: 1 }]],
    [['reports/**'], [{ folder: 'reports', depth: 64 }]],
    [['out/x/report.txt'], [{ folder: 'out/x', depth: 1 }]],
    [['a/*/b/c.txt', 'a/b*'], [{ folder: 'a', depth: 3 }]],
    [
      ['{x,y}/z*'],
      [
        { folder: 'x', depth: 1 },
        { folder: 'y', depth: 1 },
      ],
    ],
  ])('for %j only where they can lie', (patterns, searches) => {
    expect(searchesOf(patterns)).toEqual(expect.arrayContaining(searches))
    expect(searchesOf(patterns)).toHaveLength(searches.length)
  })
})

test("Node's matcher agrees on patterns of words, stars and question marks", () => {
  const word = fc.stringMatching(/^[ab*?]{1,4}$/).filter((text) => !text.includes('**'))
  const segment = fc.oneof({ weight: 3, arbitrary: word }, { weight: 1, arbitrary: fc.constant('**') })
  const pattern = fc.array(segment, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('/'))
  const path = fc
    .array(fc.stringMatching(/^[ab]{1,3}$/), { minLength: 1, maxLength: 4 })
    .map((names) => names.join('/'))
  fc.assert(
    fc.property(pattern, path, (one, other) => {
      // It lets `a/**` mean the folder itself, which is no file below it.
      if (one.endsWith('/**') && posix.matchesGlob(other, one.slice(0, -3))) return
      expect(matcherOf([one])(other), `${one} ${other}`).toBe(posix.matchesGlob(other, one))
    }),
    { numRuns: 3000 },
  )
})
