import { expect, test } from 'vitest'
import { createTurns } from './turns.ts'

/** Work that says when it begins and goes on when it is told to. */
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

test('one runs at a time, one more waits, and whoever comes later shares the one that waits', async () => {
  const turns = createTurns()
  const { begun, work, end } = works()
  const first = turns.take(1, work('first'))
  const second = turns.take(1, work('second'))
  const third = turns.take(1, work('third'))
  expect(begun).toEqual(['first'])
  expect(third).toBe(second)
  end('first')
  await first
  await expect.poll(() => begun).toEqual(['first', 'second'])
  end('second')
  await Promise.all([second, third])
  void turns.take(1, work('fourth'))
  expect(begun).toEqual(['first', 'second', 'fourth'])
})

test('one that fails holds up nobody', async () => {
  const turns = createTurns()
  const { begun, work, fail, end } = works()
  const first = turns.take(1, work('first'))
  const second = turns.take(1, work('second'))
  fail('first')
  await expect(first).rejects.toThrow('first')
  await expect.poll(() => begun).toEqual(['first', 'second'])
  end('second')
  await second
})

test('keys do not wait for each other', () => {
  const turns = createTurns()
  const { begun, work } = works()
  void turns.take(1, work('one'))
  void turns.take(2, work('two'))
  expect(begun).toEqual(['one', 'two'])
})
