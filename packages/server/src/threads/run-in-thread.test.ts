import { expect, test } from 'vitest'
import { runInThread } from './run-in-thread.ts'

const limits = { computeMs: 20_000, memoryMb: 128 }
const program = (body: string): URL =>
  new URL(
    `data:text/javascript,import { parentPort, workerData } from 'node:worker_threads'; ${encodeURIComponent(body)}`,
  )

test('a thread answers and sees no settings of the platform', async () => {
  const body = 'parentPort.postMessage([workerData, Object.keys(process.env)])'
  expect(await runInThread({ program: program(body), input: 7 }, limits)).toEqual([7, []])
})

test('a thread that takes too much time or memory is terminated, and later work still runs', async () => {
  const [endless, greedy, broken, silent, last] = await Promise.allSettled([
    runInThread({ program: program('for (;;);'), input: null }, { ...limits, computeMs: 300 }),
    runInThread({ program: program('const all = []; for (;;) all.push({ all: [...all] })'), input: null }, limits),
    runInThread({ program: program('throw new TypeError("broken")'), input: null }, limits),
    runInThread({ program: program(''), input: null }, limits),
    runInThread({ program: program('parentPort.postMessage("done")'), input: null }, limits),
  ])
  expect(endless).toMatchObject({ reason: { reason: 'too_slow' } })
  expect(greedy).toMatchObject({ reason: { reason: 'too_large' } })
  expect(broken).toMatchObject({ reason: { message: 'broken' } })
  expect(silent).toMatchObject({ reason: { message: 'A thread ended with 0 and without an answer' } })
  expect(last).toMatchObject({ value: 'done' })
})
