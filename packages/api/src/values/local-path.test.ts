import { expect, test } from 'vitest'
import { localPath } from './local-path.ts'

test.each([
  ['/', '/'],
  ['/device?user_code=BCDF-GHJK', '/device?user_code=BCDF-GHJK'],
  ['/invitation#token=x', '/invitation#token=x'],
  ['/a//b', '/a//b'],
  ['/a/../b', '/b'],
])('%j is a path of this site', (next, path) => {
  expect(localPath(next)).toBe(path)
})

test.each([
  '//evil.example',
  '///evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '/\n/evil.example',
  '\t//evil.example',
  ' //evil.example',
  '/.//evil.example',
  '/x/..//evil.example',
  '/.\\/evil.example',
  'https:evil.example',
  'https://evil.example',
  'javascript:alert(1)',
  'evil.example',
  '',
  undefined,
])('%j is refused as a place to go on to', (next) => {
  expect(localPath(next)).toBe('/')
})
