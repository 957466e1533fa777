import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createGate } from './gate.ts'

test('a few go on in each turn, in the order in which they came', async () => {
  const gate = createGate(3)
  const entered: number[] = []
  const all = Array.from({ length: 8 }, (_, index) => gate().then(() => entered.push(index)))
  const seen: number[] = []
  while (entered.length < 8) {
    await nextTurn()
    seen.push(entered.length)
  }
  await Promise.all(all)
  expect(entered).toEqual([0, 1, 2, 3, 4, 5, 6, 7])
  expect(Math.max(...seen.map((count, index) => count - (seen[index - 1] ?? 0)))).toBeLessThanOrEqual(6)
  expect(seen.length).toBeGreaterThanOrEqual(2)
})

test('whoever comes later waits behind those who wait', async () => {
  const gate = createGate(1)
  const entered: string[] = []
  const enter = (name: string) => gate().then(() => entered.push(name))
  const first = [enter('a'), enter('b'), enter('c')]
  await nextTurn()
  await Promise.all([...first, enter('d')])
  expect(entered).toEqual(['a', 'b', 'c', 'd'])
})

test('a gate where nobody waits lets in at once', async () => {
  const gate = createGate(1)
  await gate()
  await nextTurn()
  await nextTurn()
  let isIn = false
  void gate().then(() => {
    isIn = true
  })
  await Promise.resolve()
  expect(isIn).toBe(true)
})
