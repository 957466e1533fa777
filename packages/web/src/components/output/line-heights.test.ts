import fc from 'fast-check'
import { expect, test } from 'vitest'
import { LineHeights } from './line-heights.ts'

test('sums of ranges are those of the lines, in whatever order they were set', () => {
  const change = fc.tuple(fc.nat(300), fc.nat(50))
  const range = fc.tuple(fc.nat(400), fc.nat(400))
  fc.assert(
    fc.property(fc.array(change, { maxLength: 100 }), range, (changes, [first, end]) => {
      const heights = new LineHeights()
      const expected = new Map<number, number>()
      for (const [line, extra] of changes) {
        expect(heights.set(line, extra)).toBe(extra - (expected.get(line) ?? 0))
        expected.set(line, extra)
      }
      const within = [...expected].filter(([line]) => line >= first && line < end)
      expect(heights.between(first, end)).toBe(within.reduce((sum, [, extra]) => sum + extra, 0))
    }),
  )
})
