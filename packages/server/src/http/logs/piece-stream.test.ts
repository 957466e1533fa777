// Pieces are made as they are read, and no longer than they are read.
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { streamPieces } from './piece-stream.ts'

test('nothing is made ahead of a reader that stands still', async () => {
  let made = 0
  const stream = streamPieces(async function* () {
    while (made < 1000) yield Buffer.alloc(100_000, ++made % 256)
  })
  await once(stream, 'readable')
  for (let turn = 0; turn < 100; turn++) await new Promise((resolve) => setImmediate(resolve))
  expect(made).toBeLessThanOrEqual(2)
  let length = 0
  for await (const chunk of stream) length += chunk.length
  expect(length).toBe(100_000_000)
})

test('a reader that goes away ends what waits for the next piece', async () => {
  let hasEnded = false
  const stream = streamPieces(async function* (gone) {
    try {
      yield 'first'
      await once(gone, 'abort')
    } finally {
      hasEnded = true
    }
  })
  await once(stream, 'data')
  stream.destroy()
  await once(stream, 'close')
  expect(hasEnded).toBe(true)
})

test('a piece that cannot be made breaks the stream', async () => {
  const stream = streamPieces(async function* () {
    yield 'first'
    throw new Error('gone')
  })
  await expect(stream.toArray()).rejects.toThrow('gone')
})
