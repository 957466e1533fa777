import { matcherOf } from '@shipway/rules/service-file/artifact-glob'
import { expect, test } from 'vitest'
import { matchInChunks } from './match-in-chunks.ts'

const entries = (count: number, path: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => ({ path: path(index) }))

test('gives those that are meant, in their order', async () => {
  const found = await matchInChunks(
    entries(5000, (index) => `f${index}.${index % 2 ? 'txt' : 'log'}`),
    matcherOf(['*.txt']),
  )
  expect(found).toHaveLength(2500)
  expect(found[1]?.path).toBe('f3.txt')
})

test('lets others have their turn, and gives up what takes too long', async () => {
  let turns = 0
  const timer = setInterval(() => {
    turns += 1
  }, 1)
  const slow = () => {
    const end = performance.now() + 1
    while (performance.now() < end);
    return true
  }
  await expect(matchInChunks(entries(100_000, String), slow, { mostMs: 2000 })).rejects.toThrow('It takes too long')
  clearInterval(timer)
  expect(turns).toBeGreaterThan(3)
})
