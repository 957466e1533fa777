import fc from 'fast-check'
import { expect, test } from 'vitest'
import { didYouMean, editDistance } from './did-you-mean.ts'

const keys = ['services', 'docker', 'manual', 'actions', 'port', 'run', 'artifacts', 'deploy', 'destroy']

test.each([
  ['prot', 'port'],
  ['Port', 'port'],
  ['ports', 'port'],
  ['service', 'services'],
  ['action', 'actions'],
  ['arifacts', 'artifacts'],
  ['rnu', 'run'],
  ['dokcer', 'docker'],
  ['foo', undefined],
  ['', undefined],
  ['__proto__', undefined],
  ['constructor', undefined],
])('%j suggests %j', (word, answer) => {
  expect(didYouMean(word, keys)).toBe(answer)
})

test('a huge word is not compared', () => {
  expect(didYouMean('x'.repeat(100_000), keys)).toBe(undefined)
})

test.each([
  ['port', 'port', 0],
  ['prot', 'port', 1],
  ['por', 'port', 1],
  ['poort', 'port', 1],
  ['pert', 'port', 1],
  ['', 'port', 4],
  ['kitten', 'sitting', 3],
])('from %j to %j it takes %i changes', (a, b, distance) => {
  expect(editDistance(a, b)).toBe(distance)
})

test('the distance is the same both ways, and never more than the longer word', () => {
  const word = fc.string({ maxLength: 8, unit: fc.constantFrom('a', 'b', 'c') })
  fc.assert(
    fc.property(word, word, (a, b) => {
      expect(editDistance(a, b)).toBe(editDistance(b, a))
      expect(editDistance(a, b)).toBeLessThanOrEqual(Math.max(a.length, b.length))
      expect(editDistance(a, b) === 0).toBe(a === b)
    }),
  )
})
