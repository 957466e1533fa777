import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createYieldToRequests } from './yield-to-requests.ts'

/** Keeps the event loop busy, as a piece of work does. */
function work(ms: number): void {
  const end = performance.now() + ms
  while (performance.now() < end);
}

/** How many had entered by the end of each turn, until all have. */
async function countByTurn(entered: readonly unknown[], all: number): Promise<readonly number[]> {
  const seen: number[] = []
  while (entered.length < all) {
    await nextTurn()
    seen.push(entered.length)
  }
  return seen
}

test('pieces longer than a slice run one per turn, in order', async () => {
  const gate = createYieldToRequests(1)
  const entered: number[] = []
  for (let index = 0; index < 8; index++)
    void gate().then(() => {
      entered.push(index)
      work(2)
    })
  const seen = await countByTurn(entered, 8)
  expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(Math.max(...seen.map((count, turn) => count - (seen[turn - 1] ?? 0)))).toBe(1)
})

test('microtasks of a piece belong to it', async () => {
  const gate = createYieldToRequests(1)
  const entered: number[] = []
  for (let index = 0; index < 4; index++)
    void gate().then(async () => {
      for (let step = 0; step < 10; step++) await Promise.resolve()
      entered.push(index)
      work(2)
    })
  const seen = await countByTurn(entered, 4)
  expect(Math.max(...seen.map((count, turn) => count - (seen[turn - 1] ?? 0)))).toBe(1)
})

test('short pieces share a turn', async () => {
  const gate = createYieldToRequests(1000)
  const entered: number[] = []
  for (let index = 0; index < 100; index++) void gate().then(() => entered.push(index))
  expect(await countByTurn(entered, 100)).toHaveLength(1)
})

test('later pieces queue behind waiting ones, also those that come back', async () => {
  const gate = createYieldToRequests(0)
  const entered: string[] = []
  const enter = (name: string) => gate().then(() => entered.push(name))
  const again = gate().then(() => {
    entered.push('a')
    return enter('a again')
  })
  await Promise.all([again, enter('b'), enter('c')])
  await enter('d')
  expect(entered).toEqual(['a', 'b', 'c', 'a again', 'd'])
})

test('a failing piece does not block the next ones', async () => {
  const gate = createYieldToRequests(1000)
  const failing = gate().then(() => {
    throw new Error('A piece failed')
  })
  const next = gate().then(() => 'in')
  await expect(failing).rejects.toThrow('A piece failed')
  expect(await next).toBe('in')
})
