import { expect, test } from 'vitest'
import { isOutdated, noteVersion } from './new-version.ts'

test('a page is outdated once an answer names another version; answers without one say nothing', () => {
  const note = (version: string | null): boolean => {
    noteVersion(version)
    return isOutdated.get()
  }
  expect(note(null)).toBe(false)
  expect(note('v1.15.0')).toBe(false)
  expect(note(null)).toBe(false)
  expect(note('v1.15.0')).toBe(false)
  expect(note('v1.16.0')).toBe(true)
  // The page stays outdated while both versions answer.
  expect(note('v1.15.0')).toBe(true)
})
