import { afterEach, expect, test } from 'vitest'
import { createPersistentThread, type PersistentThread } from './persistent-thread.ts'

const program = (body: string): URL =>
  new URL(
    `data:text/javascript,import { parentPort, workerData } from 'node:worker_threads'; ${encodeURIComponent(body)}`,
  )
const counting = program(`
  let count = 0
  parentPort.on('message', () => { if (++count > workerData) throw new TypeError('once too often'); parentPort.postMessage('done') })
`)

let thread: PersistentThread | undefined
afterEach(() => thread?.close())

test('does its work on each request, and the request after a failure starts a new thread', async () => {
  thread = createPersistentThread({ program: counting, input: 2, idleMs: 60_000 })
  await Promise.all([thread.run(), thread.run()])
  await expect(thread.run()).rejects.toThrow('once too often')
  await thread.run()
})

test('ends when it is idle, and the next request starts a new thread', async () => {
  thread = createPersistentThread({ program: counting, input: 1, idleMs: 20 })
  await thread.run()
  await new Promise((resolve) => setTimeout(resolve, 200))
  // The old thread would fail.
  await thread.run()
})

test('a pending request fails when the thread is closed', async () => {
  thread = createPersistentThread({ program: program(''), input: 0, idleMs: 60_000 })
  const pending = expect(thread.run()).rejects.toThrow('The thread was ended')
  await thread.close()
  await pending
})
