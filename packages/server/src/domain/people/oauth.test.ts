import { expect, test } from 'vitest'
import { readUserCode, scopesAskedFor, showUserCode } from './oauth.ts'

test.each([
  ['BCDF-GHJK', 'BCDFGHJK'],
  ['bcdf ghjk', 'BCDFGHJK'],
  [' BCDFGHJK\n', 'BCDFGHJK'],
  ['BCDF-GHJ', undefined],
  ['BCDF-GHJKL', undefined],
  ['ABCD-EFGH', undefined],
  ['BCDF_GHJK', undefined],
  ["' or 1=1", undefined],
  ['', undefined],
])('the user code %j is read as %j', (text, code) => {
  expect(readUserCode(text)).toBe(code)
})

test('a user code is shown in two groups', () => {
  expect(showUserCode('BCDFGHJK')).toBe('BCDF-GHJK')
})

test.each([
  [undefined, ['read']],
  ['', []],
  ['admin read', ['read', 'admin']],
  ['offline_access deploy openid', ['deploy']],
  ['everything', []],
])('the scope %j asks for %j', (scope, known) => {
  expect(scopesAskedFor(scope)).toEqual(known)
})
