import { expect, test } from 'vitest'
import { Id, IdParam, Sha, Time } from './ids.ts'
import { codeOf } from './rule.ts'

test.each([1, 7, Number.MAX_SAFE_INTEGER])('%s is an id', (id) => {
  expect(Id.parse(id)).toBe(id)
})

test.each([0, -1, 1.5, 1e21, 2 ** 53, Number.NaN, '1', true, null, [], {}])('%j is not an id', (id) => {
  expect(Id.safeParse(id).success).toBe(false)
})

test.each([
  ['1', 1],
  ['42', 42],
  ['9007199254740991', Number.MAX_SAFE_INTEGER],
])('%s in a path is an id', (text, id) => {
  expect(IdParam.parse(text)).toBe(id)
})

const notIds = ['0', '-1', '99999999999999999999', '9007199254740992', '1;2', 'undefined', '__proto__', '//1']
const oddlyWritten = ['1%2fvariables', '', ' 1', '1\n', '01', '+1', '1e3', '0x1', '1.0', '\uff11']
test.each([...notIds, ...oddlyWritten])('%j in a path is no id', (text) => {
  const { error } = IdParam.safeParse(text)
  expect(error?.issues.map(codeOf)).toEqual(['invalid_id'])
})

test('a full lower-case commit is a sha', () => {
  expect(Sha.parse('0123456789abcdef0123456789abcdef01234567')).toBe('0123456789abcdef0123456789abcdef01234567')
})

const shas = ['HEAD$(id)', '--upload-pack=x', 'a'.repeat(39), 'a'.repeat(41), `${'A'.repeat(40)};id`, 'main']
test.each([...shas, 'A'.repeat(40), `${'a'.repeat(40)}\n`, ''])('%j is no sha', (text) => {
  expect(Sha.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_sha'])
})

test('a time is in UTC and exists', () => {
  expect(Time.parse('2026-01-31T12:00:00.123Z')).toBe('2026-01-31T12:00:00.123Z')
  for (const text of ['2026-01-31T12:00:00', '2026-01-31T12:00:00+01:00', '2026-02-30T12:00:00Z', '2026-01-31', '']) {
    expect(Time.safeParse(text).success).toBe(false)
  }
})
