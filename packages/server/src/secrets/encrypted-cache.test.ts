import { expect, test } from 'vitest'
import { createEncryptedCache } from './encrypted-cache.ts'
import { Secret } from './secret.ts'

const inputs = (text: string) => new Secret(text)
const createCache = () => createEncryptedCache({ entries: 2, entryBytes: 10 })

test('an entry is found under its key, with the same inputs only', () => {
  const cache = createCache()
  cache.store('a', new Secret('ünlike'), inputs('x'))
  expect(cache.find('a', inputs('x'))?.reveal()).toBe('ünlike')
  expect(cache.find('a', inputs('y'))).toBeUndefined()
  expect(cache.find('b', inputs('x'))).toBeUndefined()
  expect(cache.find('a', inputs('x'))?.reveal()).toBe('ünlike')
})

test('a new entry replaces the old one, even if it is too long to be stored', () => {
  const cache = createCache()
  cache.store('a', new Secret('one'), inputs('x'))
  cache.store('a', new Secret('two'), inputs('y'))
  expect(cache.find('a', inputs('x'))).toBeUndefined()
  expect(cache.find('a', inputs('y'))?.reveal()).toBe('two')
  cache.store('a', new Secret('eleven byte'), inputs('y'))
  expect(cache.find('a', inputs('y'))).toBeUndefined()
})

test('the least recently used entry is evicted', () => {
  const cache = createCache()
  for (const key of ['a', 'b']) cache.store(key, new Secret(key), inputs('x'))
  cache.find('a', inputs('x'))
  cache.store('c', new Secret('c'), inputs('x'))
  expect(['a', 'b', 'c'].map((key) => cache.find(key, inputs('x'))?.reveal())).toEqual(['a', undefined, 'c'])
})
