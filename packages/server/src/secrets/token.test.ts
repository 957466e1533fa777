import { createHash } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { digestOf, looksLikeToken, newToken, type TokenPrefix } from './token.ts'

const prefixes: readonly TokenPrefix[] = [
  'shw_at_',
  'shw_rt_',
  'shw_pat_',
  'shw_setup_',
  'shw_session_',
  'shw_invite_',
  'shw_reset_',
  'shw_hook_',
]

test.each(prefixes)('a token with %s looks like one of that kind and of no other', (prefix) => {
  const token = newToken(prefix).token.reveal()
  expect(token).toMatch(new RegExp(`^${prefix}[0-9A-Za-z]{49}$`))
  expect(prefixes.filter((other) => looksLikeToken(token, other))).toEqual([prefix])
})

test('a token moved under another prefix of the same length is refused', () => {
  const token = newToken('shw_at_').token.reveal()
  expect(looksLikeToken(token.replace('shw_at_', 'shw_rt_'), 'shw_rt_')).toBe(false)
})

test('the digest is the SHA-256 of the whole token in hex', () => {
  const { token, digest } = newToken('shw_pat_')
  expect(digest).toBe(createHash('sha256').update(token.reveal()).digest('hex'))
  expect(digestOf(token.reveal())).toBe(digest)
  expect(digestOf('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})

test('a new token is hidden wherever it is printed', () => {
  const made = newToken('shw_session_')
  expect(inspect(made)).not.toContain('shw_session_')
  expect(JSON.parse(JSON.stringify(made))).toEqual({ token: '[hidden]', digest: made.digest })
})

test('a thousand tokens are all different', () => {
  expect(new Set(Array.from({ length: 1000 }, () => newToken('shw_at_').digest)).size).toBe(1000)
})

test('a token with any one character changed is refused', () => {
  const alphabet = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-é']
  fc.assert(
    fc.property(fc.nat(), fc.constantFrom(...alphabet), (position, character) => {
      const token = newToken('shw_pat_').token.reveal()
      const at = position % token.length
      fc.pre(token[at] !== character)
      expect(looksLikeToken(token.slice(0, at) + character + token.slice(at + 1), 'shw_pat_')).toBe(false)
    }),
    { numRuns: 500 },
  )
})

test('a token with two neighbours swapped is refused', () => {
  const token = newToken('shw_pat_').token.reveal()
  for (let at = 0; at < token.length - 1; at += 1) {
    const swapped = token.slice(0, at) + token.charAt(at + 1) + token.charAt(at) + token.slice(at + 2)
    if (swapped !== token) expect(looksLikeToken(swapped, 'shw_pat_')).toBe(false)
  }
})

test('a token cut short, lengthened, or in other letters is refused', () => {
  const token = newToken('shw_pat_').token.reveal()
  for (const text of ['', 'shw_pat_', token.slice(0, -1), token.slice(1), `${token} `, ` ${token}`, `${token}\n`]) {
    expect(looksLikeToken(text, 'shw_pat_')).toBe(false)
  }
  expect(looksLikeToken(token.toUpperCase(), 'shw_pat_')).toBe(false)
})

test('texts of the right length that were not made here are refused', () => {
  const digit = fc.constantFrom(...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz')
  fc.assert(
    fc.property(fc.string({ unit: digit, minLength: 49, maxLength: 49 }), (body) => {
      expect(looksLikeToken(`shw_at_${body}`, 'shw_at_')).toBe(false)
    }),
  )
})
