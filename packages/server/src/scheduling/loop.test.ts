// A loop: never two runs at once, one more after a wake-up, and none after the stop.
import { expect, test } from 'vitest'
import { createLoop, LoopStopped } from './loop.ts'

const LONG_MS = 1_000_000

/** Runs that end when released. */
function createRuns() {
  const begun: PromiseWithResolvers<void>[] = []
  const work = (): Promise<void> => {
    const run = Promise.withResolvers<void>()
    begun.push(run)
    return run.promise
  }
  return { begun, work }
}

const fail = (error: unknown): never => {
  throw error
}

test('wake-ups during a run make one more run', async () => {
  const { begun, work } = createRuns()
  const loop = createLoop({ everyMs: LONG_MS, work, onError: fail })
  loop.start()
  loop.wake()
  loop.wake()
  expect(begun.length).toBe(1)
  begun[0]?.resolve()
  await expect.poll(() => begun.length).toBe(2)
  begun[1]?.resolve()
  await loop.stop()
  expect(begun.length).toBe(2)
})

test('a failed run is reported and does not end the loop, and nothing runs after a stop', async () => {
  let runs = 0
  const errors: unknown[] = []
  const { promise: again, resolve } = Promise.withResolvers<void>()
  const work = async (): Promise<void> => {
    runs++
    if (runs === 1) throw new Error('Not now')
    resolve()
  }
  const loop = createLoop({ everyMs: 5, restMs: 1, work, onError: (error) => errors.push(error) })
  loop.start()
  await again
  await loop.stop()
  const before = runs
  loop.wake()
  await loop.stop()
  expect(runs).toBe(before)
  expect(errors).toEqual([new Error('Not now')])
})

test('a stop ends the pause, aborts the run, waits for its end, and reports no error', async () => {
  const resting = createLoop({ restMs: LONG_MS, work: async () => undefined, onError: fail })
  resting.start()
  await resting.stop()
  let isEnded = false
  const loop = createLoop({
    work: (signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => {
          isEnded = true
          reject(new Error('broken off'))
        })
      }),
    onError: fail,
  })
  loop.start()
  await loop.stop()
  expect(isEnded).toBe(true)
})

test('run() waits for a run that starts after the call', async () => {
  const { begun, work } = createRuns()
  const loop = createLoop({ work, onError: () => undefined })
  loop.wake()
  const [second, sameRun] = [loop.run(), loop.run()]
  begun[0]?.resolve()
  await expect.poll(() => begun.length).toBe(2)
  const third = loop.run()
  begun[1]?.resolve()
  await Promise.all([second, sameRun])
  await expect.poll(() => begun.length).toBe(3)
  begun[2]?.reject(new Error('Not now'))
  await expect(third).rejects.toThrow('Not now')
  await loop.stop()
})

test('run() rejects after a stop', async () => {
  const { begun, work } = createRuns()
  const loop = createLoop({ work, onError: fail })
  const first = loop.run()
  const late = expect(loop.run()).rejects.toThrow(LoopStopped)
  const stopped = loop.stop()
  begun[0]?.resolve()
  await Promise.all([first, late, stopped])
  await expect(loop.run()).rejects.toThrow(LoopStopped)
  expect(begun.length).toBe(1)
})

test('a loop can start with its interval, and pause as long as the run asks for', async () => {
  let runs = 0
  const restsAsked: number[] = []
  const { promise: twice, resolve } = Promise.withResolvers<void>()
  const loop = createLoop({
    everyMs: 5,
    startsWithPause: true,
    onError: fail,
    work: async () => {
      runs++
      if (runs === 2) resolve()
    },
    restMs: (tookMs) => {
      restsAsked.push(tookMs)
      return 1
    },
  })
  loop.start()
  expect(runs).toBe(0)
  await twice
  await loop.stop()
  expect(Math.min(...restsAsked)).toBeGreaterThanOrEqual(0)
})
