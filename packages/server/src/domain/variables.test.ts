import { expect, test } from 'vitest'
import { faultsOf, faultsOfWeight, haveVariablesChanged, weightOf, weightOfText } from './variables.ts'

const change = (set: Record<string, string>, unset: readonly string[] = []) => ({
  set: new Map(Object.entries(set)),
  unset,
  build: new Map<string, boolean>(),
})
const faults = (...given: Parameters<typeof faultsOf>) =>
  faultsOf(...given).map(({ pointer, code }) => `${code} ${pointer}`)

const keys = (count: number): string[] => Array.from({ length: count }, (_, at) => `KEY_${at}`)

test.each([
  [0, null, false],
  [1, null, true],
  [3, 3, false],
  [4, 3, true],
])('version %s after a deployment that took %s has changed: %s', (version, deployed, expected) => {
  expect(haveVariablesChanged(version, deployed)).toBe(expected)
})

test('a reserved key is refused for the recipe in use and may still be unset', () => {
  expect(faults(change({ SERVICE_DOMAIN: 'x', PATH: 'x' }), { recipe: 'docker', kept: [] })).toEqual([
    'reserved_key /set/SERVICE_DOMAIN',
  ])
  expect(faults(change({ PATH: 'x', FINE: 'x' }), { recipe: 'manual', kept: [] })).toEqual(['reserved_key /set/PATH'])
  expect(faults(change({}, ['PATH', 'SERVICE_DOMAIN']), { recipe: 'manual', kept: [] })).toEqual([])
})

test('a key in both is named at both places', () => {
  expect(faults(change({ A: '1', B: '2' }, ['C', 'B']), { recipe: 'docker', kept: [] })).toEqual([
    'set_and_unset /set/B',
    'set_and_unset /unset/1',
  ])
})

test('there are at most 500 variables', () => {
  expect(faults(change({ A: '1' }), { recipe: 'docker', kept: keys(499) })).toEqual([])
  expect(faults(change({ A: '1' }), { recipe: 'docker', kept: keys(500) })).toEqual(['too_many_keys /set'])
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

test('only a variable that is there can be marked for builds', () => {
  const marked = {
    ...change({ NEW: '1' }, ['GONE']),
    build: new Map([
      ['NEW', true],
      ['KEPT', false],
      ['GONE', true],
    ]),
  }
  expect(faults(marked, { recipe: 'docker', kept: ['KEPT'] })).toEqual(['unknown_key /build/GONE'])
})
