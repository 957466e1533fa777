import { expect, test } from 'vitest'
import { isOlderRelease } from './releases.ts'

test.each([
  ['v1.15.0', 'v1.15.0', false],
  ['1.15.0+abc', 'v1.15.0+def', false],
  ['v1.9.0', 'v1.15.0', true],
  ['v1.15.0', '1.9.9', false],
  ['v1.15.0', 'v1.15.1', true],
  ['v2.0.0', 'v1.99.0', false],
])('whether %s is older than %s: %s', (release, other, isOlder) => {
  expect(isOlderRelease(release, other)).toBe(isOlder)
})

test('what is no release is refused', () => {
  expect(() => isOlderRelease('latest', 'v1.15.0')).toThrow('"latest" is no release')
})
