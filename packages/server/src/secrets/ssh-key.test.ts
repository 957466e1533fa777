import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { afterAll, expect, test } from 'vitest'
import { generateSshKey } from './ssh-key.ts'

const folder = mkdtempSync(join(tmpdir(), 'ssh-key-'))
afterAll(() => rmSync(folder, { recursive: true }))

const keygen = (...words: string[]): string => execFileSync('ssh-keygen', words, { encoding: 'utf8' }).trim()
const write = (name: string, text: string): string => {
  writeFileSync(join(folder, name), text, { mode: 0o600 })
  return join(folder, name)
}

// Each length of the comment needs another padding of the private part.
test.each(['', 'a', 'ab', 'abc', 'abcd', 'abcde', 'abcdef', 'abcdefg', 'shipway project 12'])(
  'ssh-keygen reads the private key with the comment %j and finds the same public key and fingerprint',
  (comment) => {
    const key = generateSshKey(comment)
    const path = write('private', key.privateKey.reveal())
    expect(keygen('-y', '-P', '', '-f', path)).toBe(key.publicKey)
    expect(keygen('-l', '-f', path)).toMatch(/^256 SHA256:[A-Za-z0-9+/]{43} .*\(ED25519\)$/)
    expect(keygen('-l', '-f', path)).toContain(`${key.fingerprint} ${comment}`)
    expect(keygen('-l', '-f', write('public', key.publicKey))).toContain(` ${key.fingerprint} `)
  },
)

test('what the private key signs is verified with the public key', () => {
  const key = generateSshKey('signer')
  const message = write('message', 'a message')
  keygen('-q', '-Y', 'sign', '-n', 'file', '-f', write('signing', key.privateKey.reveal()), message)
  const allowed = write('allowed', `signer ${key.publicKey}\n`)
  const verify = ['-Y', 'verify', '-n', 'file', '-I', 'signer', '-f', allowed, '-s', `${message}.sig`]
  expect(execFileSync('ssh-keygen', verify, { input: 'a message', encoding: 'utf8' })).toContain(key.fingerprint)
})

test('a comment cannot break out of the line of the public key', () => {
  const { publicKey } = generateSshKey('  one\nssh-ed25519 AAAA two\r\u2028\0three\t')
  expect(publicKey).toMatch(/^ssh-ed25519 [A-Za-z0-9+/]{68} one ssh-ed25519 AAAA two three$/)
})

test('every key is another one', () => {
  expect(generateSshKey('x').fingerprint).not.toBe(generateSshKey('x').fingerprint)
})

test('the private half is hidden wherever the pair is printed', () => {
  const key = generateSshKey('x')
  expect(inspect(key)).not.toContain('PRIVATE')
  expect(JSON.parse(JSON.stringify(key))).toEqual({ ...key, privateKey: '[hidden]' })
})
