import { expect, test } from 'vitest'
import { Busy, limitConcurrency } from './limit-concurrency.ts'

/** Work that reports its start and ends when told. */
const work = (started: string[], name: string) => {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const run = () => {
    started.push(name)
    return promise
  }
  return { run, finish: () => resolve(name), fail: () => reject(new Error(name)) }
}

test('work beyond the limit waits its turn in order', async () => {
  const started: string[] = []
  const [a, b, c, d] = [work(started, 'a'), work(started, 'b'), work(started, 'c'), work(started, 'd')]
  const inTurn = limitConcurrency({ concurrency: 2, maxQueued: 5 })
  const [first, second, third, fourth] = [inTurn(a.run), inTurn(b.run), inTurn(c.run), inTurn(d.run)]
  expect(started).toEqual(['a', 'b'])
  b.finish()
  expect(await second).toBe('b')
  await Promise.resolve()
  expect(started).toEqual(['a', 'b', 'c'])
  for (const one of [a, c, d]) one.finish()
  expect(await Promise.all([first, third, fourth])).toEqual(['a', 'c', 'd'])
})

test('work is rejected without being started when the queue is full', async () => {
  const started: string[] = []
  const [a, b, c] = [work(started, 'a'), work(started, 'b'), work(started, 'c')]
  const inTurn = limitConcurrency({ concurrency: 1, maxQueued: 1 })
  const [first, second] = [inTurn(a.run), inTurn(b.run)]
  await expect(inTurn(c.run)).rejects.toMatchObject({ code: 'busy' })
  await expect(inTurn(c.run)).rejects.toThrow(Busy)
  a.finish()
  b.finish()
  await Promise.all([first, second])
  expect(started).toEqual(['a', 'b'])
})

test('failed work frees its slot', async () => {
  const started: string[] = []
  const [a, b] = [work(started, 'a'), work(started, 'b')]
  const inTurn = limitConcurrency({ concurrency: 1, maxQueued: 1 })
  const [first, second] = [inTurn(a.run), inTurn(b.run)]
  a.fail()
  await expect(first).rejects.toThrow('a')
  b.finish()
  expect(await second).toBe('b')
  expect(await inTurn(async () => 'c')).toBe('c')
})
