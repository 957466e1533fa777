import { expect, test } from 'vitest'
import { TimeSlicer } from './time-slicer.ts'

test('work that takes long is interrupted, and short work is not', async () => {
  let [now, pauses] = [0, 0]
  const slicer = new TimeSlicer(
    () => now,
    async () => {
      pauses += 1
    },
  )
  const work = (ms: number) =>
    slicer.run(() => {
      now += ms
    })
  for (let piece = 0; piece < 7; piece++) await work(1)
  expect(pauses).toBe(0)
  await work(1)
  expect(pauses).toBe(1)
  // Waiting between pieces is no work.
  now += 1000
  await work(1)
  expect(pauses).toBe(1)
  await work(600)
  expect(pauses).toBe(2)
})

test('what happens between two pieces counts, too', async () => {
  let [now, pauses] = [0, 0]
  const slicer = new TimeSlicer(
    () => now,
    async () => {
      pauses += 1
    },
  )
  for (let piece = 0; piece < 5; piece++) {
    await slicer.run(() => undefined)
    now += 2
  }
  expect(pauses).toBe(1)
})
