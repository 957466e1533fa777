import { inspect } from 'node:util'
import { expect, test } from 'vitest'
import { Busy } from '../scheduling/limit-concurrency.ts'
import { hashPassword, verifyPassword } from './password.ts'

test('a password is verified against its own hash and no other one is', async () => {
  const hash = await hashPassword('violet-anchor-42')
  expect(await verifyPassword('violet-anchor-42', hash)).toBe(true)
  for (const wrong of ['violet-anchor-43', 'Violet-anchor-42', 'violet-anchor-42 ', 'violet-anchor-42\0', '']) {
    expect(await verifyPassword(wrong, hash)).toBe(false)
  }
})

test('the hash carries its parameters and a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('violet-anchor-42'), hashPassword('violet-anchor-42')])
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/)
  expect(one).not.toBe(other)
})

test.each([
  ['more memory', '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'],
  ['less memory', '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4'],
])('a hash of the reference implementation with %s is verified by its own parameters', async (_what, hash) => {
  expect(await verifyPassword('password', hash)).toBe(true)
  expect(await verifyPassword('passwort', hash)).toBe(false)
})

test('one password typed as different code points is the same password', async () => {
  const hash = await hashPassword('caf\u00E9 \uFB01ne anchor')
  expect(await verifyPassword('cafe\u0301 fine anchor', hash)).toBe(true)
})

test('a password of 256 emoji is hashed and verified', async () => {
  const password = '🚢'.repeat(256)
  expect(await verifyPassword(password, await hashPassword(password))).toBe(true)
})

test('without a hash no password is right, and requests beyond the queue are refused because the server is busy', async () => {
  const crowd = Array.from({ length: 54 }, () => verifyPassword('violet-anchor-42', undefined))
  const outcomes = await Promise.allSettled(crowd)
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected')
  expect(refused.map((outcome) => outcome.reason instanceof Busy)).toEqual([true, true])
  expect(outcomes.filter((outcome) => outcome.status === 'fulfilled' && !outcome.value)).toHaveLength(52)
})

test('a known user does not wait behind a queue of strangers', async () => {
  const hash = await hashPassword('violet-anchor-42')
  const crowd = Promise.allSettled(Array.from({ length: 60 }, () => verifyPassword('guess', undefined)))
  let isCrowdGone = false
  const gone = crowd.then(() => {
    isCrowdGone = true
  })
  expect(await verifyPassword('violet-anchor-42', hash, { isTrusted: true })).toBe(true)
  expect(isCrowdGone).toBe(false)
  await gone
})

test.each([
  '',
  'violet-anchor-42',
  '$argon2i$v=19$m=19456,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=16$m=19456,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=99999999,t=2,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2000,p=1$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=4096,t=2,p=64$c29tZXNhbHQ$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=1$c29t$nf65EOgLrQMR/uIPnA4rEsF5h7TKyQwu9U1bMCHGi/4',
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$',
  '$argon2id$v=19$m=256,t=2,p=1$c29tZXNhbHQ$nf65',
])('the damaged hash %j is an error that shows neither it nor the password', async (stored) => {
  const error = await verifyPassword('violet-anchor-42', stored).catch((reason: unknown) => reason)
  expect(error).toMatchObject({ message: 'A stored password hash is damaged. Let the user reset the password.' })
  expect(inspect(error)).not.toContain('violet')
  if (stored) expect(inspect(error)).not.toContain(stored)
})
