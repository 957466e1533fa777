// Secrets in lines: hidden wherever they stand, and no line is lost or moved.
import { expect, test } from 'vitest'
import { createMask } from '../../secrets/mask.ts'
import { maskLines } from './mask-lines.ts'

const TIME = '2026-11-16T07:16:33.203343868Z'
const masked = (secrets: readonly string[], texts: readonly (string | Buffer)[]) =>
  maskLines(
    createMask(secrets),
    texts.map((text) => ({ time: TIME, service: 'web', text: Buffer.from(text) })),
  ).map(({ text }) => text)

test('hides values in the texts, and leaves times and services alone', () => {
  expect(masked(['secret-one'], ['a secret-one b', 'c', '', 'secret-one'])).toEqual([
    'a [hidden] b',
    'c',
    '',
    '[hidden]',
  ])
  expect(masked(['2026-11-16T07'], ['x'])).toEqual(['x'])
  const [line] = maskLines(createMask(['2026-11-16T07']), [{ time: TIME, service: 'web', text: Buffer.from('x') }])
  expect(line).toEqual({ time: TIME, service: 'web', text: 'x' })
})

test('a value of several lines is hidden on each of them, and the number of lines stays', () => {
  const value = 'first long line\nsecond long line\nthird long line'
  const lines = masked([value], ['before', 'first long line', 'second long line', 'third long line', 'after'])
  expect(lines.length).toBe(5)
  expect(lines.at(0)).toBe('before')
  expect(lines.at(-1)).toBe('after')
  expect(lines.join()).not.toContain('long line')
})

test('bytes that are no text, and control characters, are passed on as characters', () => {
  expect(masked(['secret-one'], [Buffer.from([0x61, 0xff, 0xfe, 0x62]), 'a\u0000\u001b[31m\r'])).toEqual([
    'a\ufffd\ufffdb',
    'a\u0000\u001b[31m\r',
  ])
})
