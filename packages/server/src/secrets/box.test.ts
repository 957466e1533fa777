import { randomBytes } from 'node:crypto'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { EncryptionContext } from '../domain/encryption-context.ts'
import { type Box, bytesBeforeSealing, CannotOpen, createBox } from './box.ts'
import { Secret } from './secret.ts'

const masterKey = () => new Secret<Uint8Array>(randomBytes(32))
const box = createBox(masterKey())
const where: EncryptionContext = { table: 'variables', column: 'value', row: 'environment:12/DATABASE_URL' }
const text = fc.string({ unit: 'binary', maxLength: 200 })

const refusal = (opener: Box, sealed: string, place: EncryptionContext): CannotOpen => {
  try {
    opener.open(sealed, place)
  } catch (error) {
    if (error instanceof CannotOpen) return error
    throw error
  }
  throw new Error('The value was opened')
}

test('any text that is sealed opens as it was', () => {
  fc.assert(
    fc.property(text, text, (plaintext, row) => {
      const place = { ...where, row }
      expect(box.open(box.seal(plaintext, place), place).reveal()).toBe(plaintext)
    }),
  )
})

test.each([
  ['nothing', ''],
  ['emoji', '🚢👩🏽‍🚀 déjà vu'],
  ['a byte order mark', '\uFEFFvalue'],
  ['NUL', 'a\0b'],
  ['64 KiB', randomBytes(32 * 1024).toString('hex')],
])('%s survives sealing', (_what, plaintext) => {
  expect(box.open(box.seal(plaintext, where), where).reveal()).toBe(plaintext)
})

test('the length of a sealed text says how many bytes were sealed, and a damaged one counts as none', () => {
  for (const bytes of [0, 1, 2, 3, 4, 5, 2047, 2048, 2049, 65_536]) {
    expect(bytesBeforeSealing(box.seal('x'.repeat(bytes), where).length)).toBe(bytes)
  }
  expect(bytesBeforeSealing('damaged'.length)).toBe(0)
})

test('a secret is sealed by its value and opens hidden', () => {
  const opened = box.open(box.seal(new Secret('hunter2'), where), where)
  expect(opened.reveal()).toBe('hunter2')
  expect(inspect(opened)).toBe('[hidden]')
})

test('half of a surrogate pair is refused instead of changed', () => {
  expect(() => box.seal('a\uD83D', where)).toThrow(TypeError)
})

test('the sealed text has the documented form and does not show the value', () => {
  const sealed = box.seal('hunter2hunter2', where)
  expect(sealed).toMatch(/^v1\.[\w-]{8}\.[\w-]{16}\.[\w-]{40}$/)
  expect(sealed.split('.')[1]).toBe(box.keyId)
  expect(Buffer.from(sealed.split('.')[3] ?? '', 'base64url').toString('latin1')).not.toContain('hunter2')
})

test('the same value sealed twice gives different texts', () => {
  expect(box.seal('same', where)).not.toBe(box.seal('same', where))
})

test('a sealed text with any character changed does not open', () => {
  const plaintexts = fc.string({ maxLength: 20 })
  fc.assert(
    fc.property(plaintexts, fc.nat(), fc.constantFrom(...'Aaz09-_.=+ é'), (plaintext, position, character) => {
      const sealed = box.seal(plaintext, where)
      const at = position % sealed.length
      fc.pre(sealed[at] !== character)
      refusal(box, sealed.slice(0, at) + character + sealed.slice(at + 1), where)
    }),
    { numRuns: 500 },
  )
})

test('a nonce, ciphertext or tag with any bit flipped does not open', () => {
  const [version, keyId, nonceText, rest] = box.seal('hunter2hunter2', where).split('.')
  const nonce = Buffer.from(nonceText ?? '', 'base64url')
  const bytes = Buffer.concat([nonce, Buffer.from(rest ?? '', 'base64url')])
  for (let bit = 0; bit < bytes.length * 8; bit += 1) {
    const flipped = Buffer.from(bytes.map((byte, index) => (index === bit >> 3 ? byte ^ (1 << (bit & 7)) : byte)))
    const parts = [flipped.subarray(0, 12), flipped.subarray(12)].map((part) => part.toString('base64url'))
    expect(refusal(box, [version, keyId, ...parts].join('.'), where).reason).toBe('altered')
  }
})

test('a shortened or lengthened sealed text does not open', () => {
  const sealed = box.seal('hunter2', where)
  for (let length = 0; length < sealed.length; length += 1) refusal(box, sealed.slice(0, length), where)
  for (const more of ['A', 'AAAA', '=', '.', '.AAAA', '\n']) refusal(box, sealed + more, where)
})

test.each(['', 'plain text', 'v1...', 'v2.a.b.c', 'null', '{}', 'v1.AAAAAAAA.AAAAAAAAAAAAAAAA.AAAA'])(
  '%j is not a sealed value',
  (sealed) => {
    expect(refusal(box, sealed, where).reason).toBe('malformed')
  },
)

test.each([
  ['row', { ...where, row: 'environment:13/DATABASE_URL' }],
  ['column', { ...where, column: 'note' }],
  ['table', { ...where, table: 'projects' }],
  ['place whose parts join to the same text', { table: 'variablesv', column: 'alue', row: where.row }],
])('a value copied to another %s does not open', (_what, place) => {
  expect(refusal(box, box.seal('hunter2', where), place).reason).toBe('altered')
})

test('any two places that differ keep their values apart', () => {
  const place = fc.record({ table: text, column: text, row: text })
  fc.assert(
    fc.property(place, place, (one, other) => {
      fc.pre(JSON.stringify(one) !== JSON.stringify(other))
      expect(refusal(box, box.seal('x', one), other).reason).toBe('altered')
    }),
  )
})

test('another key does not open the value, even under the same key id', () => {
  const other = createBox(masterKey())
  const sealed = box.seal('hunter2', where)
  expect(refusal(other, sealed, where).reason).toBe('unknown_key')
  expect(refusal(other, sealed.replace(box.keyId, other.keyId), where).reason).toBe('altered')
})

test('after a change of keys old values open and new ones are sealed with the new key', () => {
  const [oldest, older, current] = [masterKey(), masterKey(), masterKey()]
  const rotated = createBox(current, [older, oldest])
  expect(rotated.open(createBox(oldest).seal('first', where), where).reveal()).toBe('first')
  expect(rotated.open(createBox(older).seal('second', where), where).reveal()).toBe('second')
  expect(createBox(current).open(rotated.seal('third', where), where).reveal()).toBe('third')
})

test('the key id is the same at every start and holds nothing of the key', () => {
  const key = masterKey()
  const { keyId } = createBox(key)
  expect(createBox(new Secret<Uint8Array>(Uint8Array.from(key.reveal()))).keyId).toBe(keyId)
  expect(Buffer.from(key.reveal()).includes(Buffer.from(keyId, 'base64url'))).toBe(false)
  expect(createBox(masterKey()).keyId).not.toBe(keyId)
})

test('an error names the place and the way out, and shows neither value nor sealed text', () => {
  const sealed = box.seal('hunter2', where)
  const errors = [
    refusal(box, sealed, { ...where, row: 'elsewhere' }),
    refusal(createBox(masterKey()), sealed, { ...where, row: 'elsewhere' }),
    refusal(box, `${sealed}.`, { ...where, row: 'elsewhere' }),
  ]
  for (const error of errors) {
    expect(error.message).toContain('variables.value of elsewhere')
    expect(inspect(error)).not.toContain('hunter2')
    expect(inspect(error)).not.toContain(sealed.slice(-10))
  }
})

test('a box shows no key when printed', () => {
  expect(Object.keys(box).toSorted()).toEqual(['fingerprint', 'keyId', 'open', 'seal'])
  expect(JSON.parse(JSON.stringify(box))).toEqual({ keyId: box.keyId })
})

test('a fingerprint is equal for equal texts under one key, and another under another key', () => {
  const [box, other] = [createBox(masterKey()), createBox(masterKey())]
  expect(box.fingerprint('value')).toBe(box.fingerprint('value'))
  expect(box.fingerprint('value')).not.toBe(box.fingerprint('valuf'))
  expect(box.fingerprint('value')).not.toBe(other.fingerprint('value'))
})
