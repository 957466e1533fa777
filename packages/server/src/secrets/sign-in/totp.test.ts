// Codes of authenticator apps: the examples of RFC 6238, and what is taken for a code.
import { expect, test } from 'vitest'
import { Secret } from '../secret.ts'
import { newRecoveryCodes, recoveryDigestOf } from './recovery-code.ts'
import { codeAt, hotp, newTotpSecret, STEP_MS, stepOfCode, totpUri } from './totp.ts'

test.each([
  [59, '94287082'],
  [1_111_111_109, '07081804'],
  [1_111_111_111, '14050471'],
  [1_234_567_890, '89005924'],
  [2_000_000_000, '69279037'],
  [20_000_000_000, '65353130'],
])('at second %i the code of RFC 6238 is %s', (seconds, code) => {
  expect(hotp(Buffer.from('12345678901234567890'), Math.floor(seconds / 30), 8)).toBe(code)
})

test('a secret in base32 makes the same codes as its bytes', () => {
  const secret = new Secret('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(codeAt(secret, 1)).toBe(hotp(Buffer.from('12345678901234567890'), 1, 6))
})

test('the codes of now and of one step before and after count, and name their step', () => {
  const secret = newTotpSecret()
  expect(secret.reveal()).toMatch(/^[A-Z2-7]{32}$/)
  const now = 1_800_000_012_345
  const step = Math.floor(now / STEP_MS)
  const found = [-2, -1, 0, 1, 2].map((away) => stepOfCode(secret, codeAt(secret, step + away), now))
  // Two of a million codes may be the same: then the nearer step counts.
  expect(found).toEqual([undefined, step - 1, step, step + 1, undefined])
})

test.each(['', '12345', '1234567', '12345a', '１２３４５６', '123456\n', ' 123456'])('%j is no code', (text) => {
  expect(stepOfCode(newTotpSecret(), text, 0)).toBeUndefined()
})

test('the address for apps holds no colon or character that would end a part of it', () => {
  const uri = totpUri(new Secret('ABC'), { issuer: 'ship.example.com:7878', account: 'a:b&secret=x?/@example.com' })
  expect(uri.reveal()).toBe(
    'otpauth://totp/ship.example.com%207878:a%20b%26secret%3Dx%3F%2F%40example.com' +
      '?secret=ABC&issuer=ship.example.com%207878&algorithm=SHA1&digits=6&period=30',
  )
})

test('recovery codes differ, and are recognized however they are typed', () => {
  const codes = newRecoveryCodes()
  expect(new Set(codes.map(({ digest }) => digest)).size).toBe(10)
  for (const { code, digest } of codes) {
    expect(code.reveal()).toMatch(/^\w{4}-\w{4}-\w{4}-\w{4}$/)
    expect(recoveryDigestOf(code.reveal().toLowerCase().replaceAll('-', ' '))).toBe(digest)
  }
  expect(recoveryDigestOf('123456')).toBeUndefined()
})
