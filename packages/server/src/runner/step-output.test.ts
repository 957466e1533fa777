// What a durable step prints reaches the records within its limits, and so that a crash loses and doubles nothing.
import { expect, test, vi } from 'vitest'
import { outputLimits } from '../remote/output-limits.ts'
import { outputThrottle } from '../scheduling/output-throttle.ts'
import { createMask } from '../secrets/mask.ts'
import { prepareMask } from '../secrets/prepare-mask.ts'
import { Secret } from '../secrets/secret.ts'
import { limitsAfter, limitsWhenFull, StepOutput } from './step-output.ts'

const limits = { lineBytes: 1000, headBytes: 20, tailBytes: 10 }
const wide = { lineBytes: 1000, headBytes: 1000, tailBytes: 10 }
const open = () => createMask(['hunter2!']).stream()
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
  const output = new StepOutput(batch, { readBytes: 0, limits, mask: open() })
  await output.take(lines(2), 0)
  expect(batch.state).toEqual({ text: lines(2).toString(), read: 10 })
  output.end()
  expect(batch.state).toEqual({ text: lines(2).toString(), read: 10 })
})

test('much output keeps its beginning and its end, and says what is missing', async () => {
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits, mask: open() })
  await output.take(lines(20), 0)
  expect(batch.state, 'what is held may have to be read again').toEqual({ text: lines(4).toString(), read: 20 })
  output.end()
  expect(batch.state).toEqual({ text: `${lines(4)}[70 bytes left out here]\n${lines(2)}`, read: 100 })
})

test('output passes the throttle until a caller waits for the rest', async () => {
  const letIn = vi.fn(async () => undefined)
  const entering = vi.spyOn(outputThrottle, 'openStream').mockReturnValue(letIn)
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits: wide, mask: open() })
  entering.mockRestore()
  await output.take(lines(2), 0)
  expect(letIn.mock.calls).toEqual([[10]])
  output.hurry()
  await output.take(lines(1), 10)
  expect(letIn).toHaveBeenCalledOnce()
  expect(batch.state.read).toBe(15)
})

test('a run after a crash prints the same, whatever was held', async () => {
  const whole = openBatch()
  const one = new StepOutput(whole, { readBytes: 0, limits, mask: open() })
  for (let at = 0; at < 100; at += 7) await one.take(lines(20).subarray(at, at + 7), at)
  one.end()
  const crashed = openBatch()
  const first = new StepOutput(crashed, { readBytes: 0, limits, mask: open() })
  await first.take(lines(20).subarray(0, 64), 0)
  const { read } = crashed.state
  const second = new StepOutput(crashed, { readBytes: read, limits: { ...limits, headBytes: 20 - read }, mask: open() })
  await second.take(lines(20).subarray(read), read)
  second.end()
  expect(crashed.state).toEqual(whole.state)
})

test('a gap on the server is marked at its position', async () => {
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits, mask: open() })
  await output.take(lines(1), 0)
  await output.take(lines(1), 105)
  output.end()
  expect(batch.state).toEqual({ text: 'abcd\n[100 bytes left out here]\nabcd\n', read: 110 })
})

test('a secret that comes in pieces is hidden, and until it is known what comes it counts as not read', async () => {
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits, mask: open() })
  await output.take(Buffer.from('is hunt'), 0)
  expect(batch.state).toEqual({ text: 'is ', read: 3 })
  await output.take(Buffer.from('er2!'), 7)
  expect(batch.state).toEqual({ text: 'is ', read: 3 })
  await output.take(Buffer.from('\n'), 11)
  expect(batch.state).toEqual({ text: 'is [hidden]\n', read: 12 })
})

test('wherever a run ends, the next one goes on without showing or losing anything', async () => {
  const printed = Buffer.from('hunter2!hunter2! a hunter hunter2!hunter2!\nhunt')
  for (let cut = 0; cut <= printed.length; cut++) {
    const batch = openBatch()
    const first = new StepOutput(batch, { readBytes: 0, limits: wide, mask: open() })
    await first.take(printed.subarray(0, cut), 0)
    const { read } = batch.state
    const second = new StepOutput(batch, { readBytes: read, limits: wide, mask: open() })
    await second.take(printed.subarray(read), read)
    second.end()
    expect(batch.state).toEqual({ text: '[hidden] a hunter [hidden]\nhunt', read: printed.length })
  }
})

test('a secret does not reach over a gap', async () => {
  const batch = openBatch()
  const output = new StepOutput(batch, { readBytes: 0, limits: wide, mask: open() })
  await output.take(Buffer.from('hunt'), 0)
  await output.take(Buffer.from('er2! hunter2!'), 104)
  output.end()
  expect(batch.state.text).toBe('hunt\n[100 bytes left out here]\ner2! [hidden]')
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

test.each([
  [0, 64, 64],
  [40, 24, 64],
  [5000, 0, 64],
])('while the database is full, after %d KiB a step has %d KiB of head and %d KiB of tail', (printed, head, tail) => {
  const { headBytes, tailBytes } = limitsWhenFull(printed * 1024)
  expect([headBytes / 1024, tailBytes / 1024]).toEqual([head, tail])
})

test.each([
  ['one letter', 'a'.repeat(300_000)],
  ['one letter in lines', `${'a'.repeat(70)}\n`.repeat(4_200)],
])('a periodic value of 64 KiB is hidden in 300 KB of %s', async (_, text) => {
  const mask = await prepareMask(['a'.repeat(64 * 1024), `${'a'.repeat(127)}b`].map((value) => new Secret(value)))
  const pieces: Uint8Array[] = []
  const batch = { put: (piece: Uint8Array) => void pieces.push(piece), room: async () => undefined }
  const output = new StepOutput(batch, { readBytes: 0, limits: outputLimits, mask: mask.stream() })
  await output.take(Buffer.from(text), 0)
  output.end()
  expect(Buffer.concat(pieces).toString()).toMatch(/^\[hidden\](\n|$)/)
})
