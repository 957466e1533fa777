import { expect, test } from 'vitest'
import { bytesOf, faultsOf, faultsOfSize, haveVariablesChanged } from './variables.ts'

const change = (set: Record<string, string>, unset: readonly string[] = []) => ({
  set: new Map(Object.entries(set)),
  unset,
})
const faults = (...given: Parameters<typeof faultsOf>) =>
  faultsOf(...given).map(({ pointer, code }) => `${code} ${pointer}`)

test.each([
  [0, null, false],
  [1, null, true],
  [3, 3, false],
  [4, 3, true],
])('version %s after a deployment that took %s has changed: %s', (version, deployed, expected) => {
  expect(haveVariablesChanged(version, deployed)).toBe(expected)
})

test('a reserved key is refused for the recipe in use and may still be unset', () => {
  expect(faults(change({ SERVICE_DOMAIN: 'x', PATH: 'x' }), { recipe: 'docker', keptCount: 0 })).toEqual([
    'reserved_key /set/SERVICE_DOMAIN',
  ])
  expect(faults(change({ PATH: 'x', FINE: 'x' }), { recipe: 'manual', keptCount: 0 })).toEqual([
    'reserved_key /set/PATH',
  ])
  expect(faults(change({}, ['PATH', 'SERVICE_DOMAIN']), { recipe: 'manual', keptCount: 0 })).toEqual([])
})

test('a key in both is named at both places', () => {
  expect(faults(change({ A: '1', B: '2' }, ['C', 'B']), { recipe: 'docker', keptCount: 0 })).toEqual([
    'set_and_unset /set/B',
    'set_and_unset /unset/1',
  ])
})

test('there are at most 500 variables', () => {
  expect(faults(change({ A: '1' }), { recipe: 'docker', keptCount: 499 })).toEqual([])
  expect(faults(change({ A: '1' }), { recipe: 'docker', keptCount: 500 })).toEqual(['too_many_keys /set'])
})

test('keys and values have at most 1 MiB of bytes together', () => {
  expect(
    bytesOf([
      ['KEY', 'é'],
      ['', ''],
    ]),
  ).toBe(5)
  expect(faultsOfSize(1024 * 1024)).toEqual([])
  expect(faultsOfSize(1024 * 1024 + 1)).toMatchObject([{ code: 'too_long_together' }])
})
