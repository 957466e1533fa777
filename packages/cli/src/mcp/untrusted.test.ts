import fc from 'fast-check'
import { expect, test } from 'vitest'
import { fenced, startOf } from './untrusted.ts'

test('the beginning of any text fits, and a short text is unchanged', () => {
  const text = fc.oneof(fc.string({ unit: 'binary', maxLength: 400 }), fc.constant(`Z${'\u0301'.repeat(900)}`))
  const property = fc.property(text, fc.integer({ min: 8, max: 300 }), (given, most) => {
    const start = startOf(given, most)
    expect(Buffer.byteLength(JSON.stringify(start))).toBeLessThanOrEqual(most)
    if (Buffer.byteLength(JSON.stringify(given)) <= most) expect(start).toBe(given)
    else expect(given.startsWith(start.slice(0, -2))).toBe(true)
  })
  fc.assert(property, { numRuns: 1000 })
})

test('a known fence cannot close another', () => {
  const first = fenced('x')
  const second = fenced(first)
  const [end = ''] = second.split('\n').slice(-1)
  expect(second.split(end)).toHaveLength(2)
})
