// What is kept is found again from the same, and from nothing else; and there is never more of it than there may be.
import { expect, test } from 'vitest'
import { createSealedMemory } from './encrypted-cache.ts'
import { Secret } from './secret.ts'

const from = (text: string) => new Secret(text)
const memory = () => createSealedMemory({ places: 2, bytesOfOne: 10 })

test('a text is found again from the same, at its place alone', () => {
  const kept = memory()
  kept.keep('a', new Secret('ünlike'), from('x'))
  expect(kept.find('a', from('x'))?.reveal()).toBe('ünlike')
  expect(kept.find('a', from('y'))).toBeUndefined()
  expect(kept.find('b', from('x'))).toBeUndefined()
  expect(kept.find('a', from('x'))?.reveal()).toBe('ünlike')
})

test('a later one takes the place of an earlier one, also where it is too long to be kept', () => {
  const kept = memory()
  kept.keep('a', new Secret('one'), from('x'))
  kept.keep('a', new Secret('two'), from('y'))
  expect(kept.find('a', from('x'))).toBeUndefined()
  expect(kept.find('a', from('y'))?.reveal()).toBe('two')
  kept.keep('a', new Secret('eleven byte'), from('y'))
  expect(kept.find('a', from('y'))).toBeUndefined()
})

test('what was not asked for longest makes room', () => {
  const kept = memory()
  for (const place of ['a', 'b']) kept.keep(place, new Secret(place), from('x'))
  kept.find('a', from('x'))
  kept.keep('c', new Secret('c'), from('x'))
  expect(['a', 'b', 'c'].map((place) => kept.find(place, from('x'))?.reveal())).toEqual(['a', undefined, 'c'])
})
