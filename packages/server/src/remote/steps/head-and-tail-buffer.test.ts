import fc from 'fast-check'
import { expect, test } from 'vitest'
import { createHeadAndTailBuffer } from './head-and-tail-buffer.ts'

test('input that fits is kept unchanged, in pieces of any size', () => {
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 8 }), { maxLength: 12 }), (pieces) => {
      const ends = createHeadAndTailBuffer(2 * 96)
      for (const piece of pieces) ends.add(Buffer.from(piece))
      expect(ends.bytes()).toEqual(Buffer.concat(pieces))
    }),
  )
})

test('of longer input it keeps the start and end, and says how much is missing', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 21, max: 500 }), (size, length) => {
      const whole = Buffer.from(Array.from({ length }, (_, index) => 65 + (index % 26)))
      const ends = createHeadAndTailBuffer(20)
      for (let start = 0; start < length; start += size) ends.add(whole.subarray(start, start + size))
      expect(ends.bytes().toString()).toBe(
        `${whole.subarray(0, 10)}\n[${length - 20} bytes left out]\n${whole.subarray(-10)}`,
      )
    }),
  )
})
