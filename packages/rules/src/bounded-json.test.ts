import fc from 'fast-check'
import { expect, test } from 'vitest'
import { JsonTooLarge, parseBoundedJson } from './bounded-json.ts'

test('JSON within the limits is read as it is', () => {
  const property = fc.property(fc.jsonValue(), (value) => {
    const text = JSON.stringify(value)
    expect(parseBoundedJson(text, { values: text.length + 1, depth: text.length })).toEqual(JSON.parse(text))
  })
  fc.assert(property, { numRuns: 500 })
})

test.each([
  ['[1,2,3]', 4, true],
  ['[1,2,3]', 3, false],
  ['{"a":{"b":{}}}', 4, true],
  ['{"a":"[,[,[,","b":"\\\\\\",,,"}', 3, true],
  ['[[[[]]]]', 9, true],
])('%s within %d values: %s', (text, values, isRead) => {
  const read = () => parseBoundedJson(text, { values, depth: 4 })
  if (isRead) expect(read()).toEqual(JSON.parse(text))
  else expect(read).toThrow(JsonTooLarge)
})

test('JSON that is nested too deep is refused before it is parsed', () => {
  expect(() => parseBoundedJson('['.repeat(1_000_000), { values: 1e9, depth: 32 })).toThrow(JsonTooLarge)
  expect(() => parseBoundedJson('"'.repeat(999_999), { values: 10, depth: 32 })).toThrow(SyntaxError)
})
