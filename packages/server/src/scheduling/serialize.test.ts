import { expect, test } from 'vitest'
import { createSerializer } from './serialize.ts'

/** Work that records its start and ends when released. */
function works() {
  const begun: string[] = []
  const ends = new Map<string, PromiseWithResolvers<void>>()
  return {
    begun,
    work: (name: string) => () => {
      begun.push(name)
      const end = Promise.withResolvers<void>()
      ends.set(name, end)
      return end.promise
    },
    end: (name: string) => ends.get(name)?.resolve(),
    fail: (name: string) => ends.get(name)?.reject(new Error(name)),
  }
}

test('one runs at a time, in the order of the calls', async () => {
  const turns = createSerializer()
  const { begun, work, end } = works()
  const all = [turns.run(1, work('first')), turns.run(1, work('second')), turns.run(1, work('third'))]
  expect(begun).toEqual(['first'])
  for (const [name, next] of [
    ['first', 'second'],
    ['second', 'third'],
  ] as const) {
    end(name)
    await expect.poll(() => begun.at(-1)).toBe(next)
  }
  end('third')
  await Promise.all(all)
  expect(begun).toEqual(['first', 'second', 'third'])
  expect(await turns.run(1, async () => 'result')).toBe('result')
})

test('shared calls: one runs, one waits, and later calls share the waiting one', async () => {
  const turns = createSerializer()
  const { begun, work, end } = works()
  const first = turns.runShared(1, work('first'))
  const second = turns.runShared(1, work('second'))
  const third = turns.runShared(1, work('third'))
  expect(begun).toEqual(['first'])
  expect(third).toBe(second)
  end('first')
  await first
  await expect.poll(() => begun).toEqual(['first', 'second'])
  end('second')
  await Promise.all([second, third])
  void turns.runShared(1, work('fourth'))
  expect(begun).toEqual(['first', 'second', 'fourth'])
})

test('a failure does not block the next one', async () => {
  const turns = createSerializer()
  const { begun, work, fail, end } = works()
  const first = turns.run(1, work('first'))
  const second = turns.runShared(1, work('second'))
  fail('first')
  await expect(first).rejects.toThrow('first')
  await expect.poll(() => begun).toEqual(['first', 'second'])
  end('second')
  await second
})

test('an abort while waiting rejects at once and the work never starts; started work ends by itself', async () => {
  const turns = createSerializer()
  const { begun, work, end } = works()
  const [stopsFirst, stopsSecond] = [new AbortController(), new AbortController()]
  const first = turns.run(1, work('first'), stopsFirst.signal)
  const second = turns.run(1, work('second'), stopsSecond.signal)
  const third = turns.run(1, work('third'))
  stopsSecond.abort(new Error('stopped'))
  await expect(second).rejects.toThrow('stopped')
  stopsFirst.abort(new Error('stopped'))
  end('first')
  await first
  await expect.poll(() => begun).toEqual(['first', 'third'])
  end('third')
  await third
})

test('keys do not wait for each other', () => {
  const turns = createSerializer()
  const { begun, work } = works()
  void turns.run(1, work('one'))
  void turns.runShared(2, work('two'))
  expect(begun).toEqual(['one', 'two'])
})
