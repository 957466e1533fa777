// Valid signatures of deliveries, and texts that only look like one.
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import { Secret } from './secret.ts'
import { computeSignatures, isHexHmac, isStandardHmac, isToken, signingTokenOf } from './webhook-signature.ts'

const secret = new Secret('it is a secret')
const body = Buffer.from('{"a": 1}')
const hex = (key: string, algorithm = 'sha256', of: Buffer = body): string =>
  createHmac(algorithm, key).update(of).digest('hex')
const good = hex('it is a secret')

test('a body that was signed with the secret is genuine', () => {
  expect(isHexHmac(`sha256=${good}`, computeSignatures(secret, { body }), 'sha256=')).toBe(true)
  expect(isHexHmac(good, computeSignatures(secret, { body }), '')).toBe(true)
})

test.each([
  ['nothing', undefined],
  ['an empty one', ''],
  ['the prefix alone', 'sha256='],
  ['zeros', `sha256=${'0'.repeat(64)}`],
  ['no prefix', good],
  ['another algorithm', `sha1=${hex('it is a secret', 'sha1')}`],
  ['the prefix in capitals', `SHA256=${good}`],
  ['digits in capitals', `sha256=${good.toUpperCase()}`],
  ['the first half', `sha256=${good.slice(0, 32)}`],
  ['one digit too many', `sha256=${good}0`],
  ['an empty key', `sha256=${hex('')}`],
  ['the key "undefined"', `sha256=${hex('undefined')}`],
  ['a body that was written anew', `sha256=${hex('it is a secret', 'sha256', Buffer.from('{"a":1}'))}`],
  ['characters that are no digits', `sha256=${'é'.repeat(32)}`],
])('%s is not genuine', (_, given) => {
  expect(isHexHmac(given, computeSignatures(secret, { body }), 'sha256=')).toBe(false)
})

test('an empty secret makes nothing genuine', () => {
  const empty = new Secret('')
  const expected = computeSignatures(empty, { body, standard: { id: '1', timestamp: '2' } })
  expect(isHexHmac(`sha256=${hex('')}`, expected, 'sha256=')).toBe(false)
  expect(isToken('', empty)).toBe(false)
  expect(isToken(undefined, empty)).toBe(false)
  const signature = `v1,${createHmac('sha256', '').update('1.2.').update(body).digest('base64')}`
  expect(isStandardHmac(signature, expected)).toBe(false)
})

test.each([
  ['the secret', 'it is a secret', true],
  ['nothing', undefined, false],
  ['an empty one', '', false],
  ['the beginning of the secret', 'it is a', false],
  ['the secret in other case', 'IT IS A SECRET', false],
  ['the secret and more', 'it is a secret ', false],
])('as a token, %s: %s', (_, given, isGenuine) => {
  expect(isToken(given, secret)).toBe(isGenuine)
})

const standard = (key: string | Buffer, { id = 'msg_1', timestamp = '1700000000' } = {}): string =>
  `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
const message = { body, standard: { id: 'msg_1', timestamp: '1700000000' } }
const expected = computeSignatures(secret, message)

test('a standard signature is made with the signing token, or with the secret as it stands', () => {
  const key = Buffer.from(signingTokenOf(secret).slice('whsec_'.length), 'base64')
  expect(key.length).toBe(32)
  expect(isStandardHmac(standard(key), expected)).toBe(true)
  expect(isStandardHmac(standard('it is a secret'), expected)).toBe(true)
  expect(isStandardHmac(`v1,bm90IHRoaXM= ${standard(key)}`, expected)).toBe(true)
  const own = new Secret(`whsec_${Buffer.alloc(32, 7).toString('base64')}`)
  expect(isStandardHmac(standard(Buffer.alloc(32, 7)), computeSignatures(own, message))).toBe(true)
})

test.each([
  ['nothing', undefined],
  ['another secret', standard('another')],
  ['another id', standard('it is a secret', { id: 'msg_2' })],
  ['another time', standard('it is a secret', { timestamp: '1700000001' })],
  ['another version', standard('it is a secret').replace('v1,', 'v2,')],
])('a standard signature of %s is not genuine', (_, given) => {
  expect(isStandardHmac(given, expected)).toBe(false)
})
