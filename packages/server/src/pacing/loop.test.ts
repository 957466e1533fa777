// Work that is done from time to time: never twice at once, once more after a wake-up, and not after the end.
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { createLoop } from './loop.ts'

const silent = { log: pino({ level: 'silent' }) }

test('wake-ups during a run make one more run', async () => {
  const runs: (() => void)[] = []
  const { promise: second, resolve: isSecond } = Promise.withResolvers<void>()
  const work = (): Promise<void> =>
    new Promise((resolve) => {
      runs.push(resolve)
      if (runs.length === 2) isSecond()
    })
  const loop = createLoop(silent, { name: 'test', everyMs: 1_000_000, work })
  loop.start()
  loop.wake()
  loop.wake()
  expect(runs.length).toBe(1)
  runs[0]?.()
  await second
  runs[1]?.()
  await loop.stop()
  expect(runs.length).toBe(2)
})

test('a run that fails does not end the loop, and a stop ends the rest', async () => {
  let runs = 0
  const { promise: again, resolve } = Promise.withResolvers<void>()
  const work = async (): Promise<void> => {
    runs++
    if (runs === 1) throw new Error('Not now')
    resolve()
  }
  const loop = createLoop(silent, { name: 'test', everyMs: 5, work, restMs: 1 })
  loop.start()
  await again
  await loop.stop()
  const before = runs
  loop.wake()
  await loop.stop()
  expect(runs).toBe(before)
  const resting = createLoop(silent, {
    name: 'test',
    everyMs: 1_000_000,
    restMs: 1_000_000,
    work: async () => undefined,
  })
  resting.start()
  await resting.stop()
})
