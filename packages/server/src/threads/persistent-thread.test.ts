import { afterEach, expect, test } from 'vitest'
import { createLastingThread, type LastingThread } from './persistent-thread.ts'

const program = (body: string): URL =>
  new URL(
    `data:text/javascript,import { parentPort, workerData } from 'node:worker_threads'; ${encodeURIComponent(body)}`,
  )
const counting = program(`
  let count = 0
  parentPort.on('message', () => { if (++count > workerData) throw new TypeError('once too often'); parentPort.postMessage('done') })
`)

let thread: LastingThread | undefined
afterEach(() => thread?.close())

test('does its work each time, and a thread that broke is replaced by the next question', async () => {
  thread = createLastingThread({ program: counting, input: 2, idleMs: 60_000 })
  await Promise.all([thread.ask(), thread.ask()])
  await expect(thread.ask()).rejects.toThrow('once too often')
  await thread.ask()
})

test('ends when nobody asks, and begins again with the next question', async () => {
  thread = createLastingThread({ program: counting, input: 1, idleMs: 20 })
  await thread.ask()
  await new Promise((resolve) => setTimeout(resolve, 200))
  // The same thread would refuse.
  await thread.ask()
})

test('whoever waits for one that is closed is told', async () => {
  thread = createLastingThread({ program: program(''), input: 0, idleMs: 60_000 })
  const asked = expect(thread.ask()).rejects.toThrow('The thread was ended')
  await thread.close()
  await asked
})
