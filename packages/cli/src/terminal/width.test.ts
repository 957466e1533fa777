import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutTo, pad, widthOf } from './width.ts'

test.each([
  ['short', 10, 'short'],
  ['exactly', 7, 'exactly'],
  ['too long', 7, 'too lo…'],
  ['  ⠇ Start      20.6 s   Say hello', 24, '  ⠇ Start      20.6 s  …'],
  ['漢字漢字', 8, '漢字漢字'],
  ['漢字漢字', 7, '漢字漢…'],
  ['漢字漢字', 6, '漢字…'],
  ['e\u0301e\u0301e\u0301', 2, 'e\u0301…'],
  ['x', 0, ''],
])('%j in %i columns is %j', (text, columns, expected) => {
  expect(cutTo(text, columns)).toBe(expected)
})

test('whatever is cut fits, and nothing is cut that fits', () => {
  const text = fc.string({
    unit: fc.constantFrom('a', ' ', '漢', '⠇', '…', 'é', 'e\u0301', '🚀', '✓', '-'),
    maxLength: 40,
  })
  fc.assert(
    fc.property(text, fc.integer({ min: 1, max: 50 }), (given, columns) => {
      const cut = cutTo(given, columns)
      expect(widthOf(cut)).toBeLessThanOrEqual(columns)
      expect(cut === given).toBe(widthOf(given) <= columns)
    }),
  )
})

test('columns are filled up', () => {
  expect(pad('漢', 4)).toBe('漢  ')
  expect(pad('long', 2)).toBe('long')
})
