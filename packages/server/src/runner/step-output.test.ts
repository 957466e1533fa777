// What a durable step prints reaches the records within its limits, and so that a crash loses and doubles nothing.
import { expect, test } from 'vitest'
import { limitsAfter, StepOutput } from './step-output.ts'

const limits = { lineBytes: 1000, headBytes: 20, tailBytes: 10 }
const lines = (count: number): Buffer => Buffer.from('abcd\n'.repeat(count))

/** What was put so far, and up to where a run after a crash would have read. */
function openBatch() {
  const state = { text: '', read: 0 }
  return {
    state,
    put: (bytes: Uint8Array, readBytes: number) => {
      state.text += Buffer.from(bytes).toString()
      state.read = readBytes
    },
    room: async () => undefined,
  }
}

test('little output goes through as it is, with the place that it leads to', async () => {
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits })
  await output.take(lines(2), 0)
  expect(batch.state).toEqual({ text: lines(2).toString(), read: 10 })
  output.end()
  expect(batch.state).toEqual({ text: lines(2).toString(), read: 10 })
})

test('much output keeps its beginning and its end, and says what is missing', async () => {
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits })
  await output.take(lines(20), 0)
  expect(batch.state, 'what is held may have to be read again').toEqual({ text: lines(4).toString(), read: 20 })
  output.end()
  expect(batch.state).toEqual({ text: `${lines(4)}[70 bytes left out here]\n${lines(2)}`, read: 100 })
})

test('a run after a crash tells the same, whatever was held', async () => {
  const whole = openBatch()
  const one = new StepOutput(whole, { readBytes: 0, limits })
  for (let at = 0; at < 100; at += 7) await one.take(lines(20).subarray(at, at + 7), at)
  one.end()
  const crashed = openBatch()
  const first = new StepOutput(crashed, { readBytes: 0, limits })
  await first.take(lines(20).subarray(0, 64), 0)
  const { read } = crashed.state
  const second = new StepOutput(crashed, { readBytes: read, limits: { ...limits, headBytes: 20 - read } })
  await second.take(lines(20).subarray(read), read)
  second.end()
  expect(crashed.state).toEqual(whole.state)
})

test('a gap on the server is told at its place', async () => {
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits })
  await output.take(lines(1), 0)
  await output.take(lines(1), 105)
  output.end()
  expect(batch.state).toEqual({ text: 'abcd\n[100 bytes left out here]\nabcd\n', read: 110 })
})

test.each([
  [0, 40, 9],
  [30, 10, 9],
  [40, 0, 9],
  [45, 0, 4],
  [49, 0, 0.5],
  [50, 0, 0],
  [60, 0, 0],
])('after %d MiB a step has %d MiB of head and %d MiB of tail', (printed, head, tail) => {
  const mebibyte = 1024 * 1024
  const { headBytes, tailBytes } = limitsAfter(printed * mebibyte)
  expect([headBytes / mebibyte, Math.floor((tailBytes / mebibyte) * 10) / 10]).toEqual([head, tail])
})
