import { expect, test } from 'vitest'
import { faultsOf, faultsOfWeight, haveVariablesChanged, weightOf, weightOfText } from './variables.ts'

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

test('all values weigh at most 1 MiB together; what weighs too much already may change and not grow', () => {
  const most = 1024 * 1024
  expect(faultsOfWeight({ before: 0, after: most })).toEqual([])
  expect(faultsOfWeight({ before: most, after: most + 1 })).toMatchObject([{ code: 'too_long_together' }])
  expect(faultsOfWeight({ before: most + 4096, after: most + 4096 })).toEqual([])
})

test.each([
  [0, 2048],
  [1, 2048],
  [2048, 2048],
  [2049, 4096],
  [33_000, 65_536],
  [65_536, 65_536],
])('a value of %i bytes weighs %i', (bytes, weight) => expect(weightOf(bytes)).toBe(weight))

test('bytes weigh, not characters', () => {
  expect(weightOfText('é'.repeat(1024))).toBe(2048)
  expect(weightOfText('é'.repeat(1025))).toBe(4096)
})

test('500 values of the least weight fit', () => {
  expect(faultsOfWeight({ before: 0, after: 500 * weightOf(0) })).toEqual([])
})
