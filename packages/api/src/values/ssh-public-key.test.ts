import { execFileSync } from 'node:child_process'
import { generateKeyPairSync } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { codeOf } from './rule.ts'
import { SshPublicKey } from './ssh-public-key.ts'

const ed25519 = key('ssh-ed25519', bytes(32))
const modulus = Buffer.concat([Buffer.from([0]), bytes(384, 0xff)])
const exponent = Buffer.from([1, 0, 1])
const point = (length: number, first = 4): Buffer => Buffer.concat([Buffer.from([first]), bytes(length)])
/** A point of the curve, with one of its bytes changed where that is asked for. */
function realPoint(curve: 'P-256' | 'P-384' | 'P-521', changed?: number): Buffer {
  const { x = '', y = '' } = generateKeyPairSync('ec', { namedCurve: curve }).publicKey.export({ format: 'jwk' })
  const whole = Buffer.concat([Buffer.from([4]), Buffer.from(x, 'base64url'), Buffer.from(y, 'base64url')])
  if (changed !== undefined) whole[changed] = (whole[changed] ?? 0) ^ 1
  return whole
}

test.each([
  ed25519,
  key('sk-ssh-ed25519@openssh.com', bytes(32), Buffer.from('ssh:')),
  key('ecdsa-sha2-nistp256', Buffer.from('nistp256'), realPoint('P-256')),
  key('ecdsa-sha2-nistp384', Buffer.from('nistp384'), realPoint('P-384')),
  key('ecdsa-sha2-nistp521', Buffer.from('nistp521'), realPoint('P-521')),
  key('ssh-rsa', exponent, modulus),
])('the key %s is accepted, with its comment and line break dropped', (text) => {
  expect(SshPublicKey.parse(text)).toBe(text)
  expect(SshPublicKey.parse(`${text} me@laptop "quoted"\n`)).toBe(text)
})

test.each([['ed25519'], ['ecdsa', '-b', '521'], ['rsa', '-b', '3072']])('a new %s key is accepted', (...type) => {
  const directory = mkdtempSync(join(tmpdir(), 'shipway-key-'))
  try {
    execFileSync('ssh-keygen', ['-q', '-t', ...type, '-N', '', '-C', 'a comment', '-f', join(directory, 'key')])
    const text = readFileSync(join(directory, 'key.pub'), 'utf8')
    expect(SshPublicKey.parse(text)).toBe(text.replace(' a comment\n', ''))
  } finally {
    rmSync(directory, { recursive: true })
  }
})

test.each([
  ['no key', 'not a key'],
  ['an empty text', ''],
  ['a shortened key', 'ssh-ed25519 AAAA…'],
  ['options before it', `command="id" ${ed25519}`],
  ['options without a space', `restrict ${ed25519}`],
  ['a space before it', ` ${ed25519}`],
  ['DSA', key('ssh-dss', modulus, bytes(20), modulus, modulus)],
  ['RSA of 1024 bits', key('ssh-rsa', exponent, Buffer.concat([Buffer.from([0]), bytes(128, 0xff)]))],
  ['RSA of 3071 bits', key('ssh-rsa', exponent, bytes(384, 0x7f))],
  ['RSA with exponent 1', key('ssh-rsa', Buffer.from([1]), modulus)],
  ['RSA with exponent 3', key('ssh-rsa', Buffer.from([3]), modulus)],
  ['RSA with an even exponent', key('ssh-rsa', Buffer.from([1, 0, 2]), modulus)],
  ['RSA with an even modulus', key('ssh-rsa', exponent, Buffer.concat([Buffer.from([0]), bytes(384, 0xfe)]))],
  ['RSA with a negative modulus', key('ssh-rsa', exponent, bytes(385, 0xff))],
  ['RSA padded with zeros', key('ssh-rsa', exponent, Buffer.concat([bytes(100, 0), bytes(300, 0x7f)]))],
  ['a certificate', key('ssh-ed25519-cert-v01@openssh.com', bytes(32), bytes(32))],
  ['31 bytes', key('ssh-ed25519', bytes(31))],
  ['33 bytes', key('ssh-ed25519', bytes(33))],
  ['a point beside the curve', key('ecdsa-sha2-nistp256', Buffer.from('nistp256'), point(64))],
  ['a point beside nistp256 by one bit', key('ecdsa-sha2-nistp256', Buffer.from('nistp256'), realPoint('P-256', 64))],
  ['a point beside nistp384 by one bit', key('ecdsa-sha2-nistp384', Buffer.from('nistp384'), realPoint('P-384', 96))],
  ['a point beside nistp521 by one bit', key('ecdsa-sha2-nistp521', Buffer.from('nistp521'), realPoint('P-521', 132))],
  ['the point at infinity', key('ecdsa-sha2-nistp256', Buffer.from('nistp256'), Buffer.from([0]))],
  [
    'coordinates beyond the prime',
    key('ecdsa-sha2-nistp256', Buffer.from('nistp256'), Buffer.concat([Buffer.from([4]), bytes(64, 0xff)])),
  ],
  ['a field too many', key('ssh-ed25519', bytes(32), Buffer.alloc(0))],
  [
    'bytes left over',
    `ssh-ed25519 ${Buffer.concat([blob('ssh-ed25519', bytes(32)), Buffer.from([0])]).toString('base64')}`,
  ],
  ['a length beyond the end', `ssh-ed25519 ${Buffer.from([0xff, 0xff, 0xff, 0xff]).toString('base64')}`],
  ['another type inside', `ssh-ed25519 ${blob('ssh-rsa', exponent, modulus).toString('base64')}`],
  ['another curve inside', key('ecdsa-sha2-nistp256', Buffer.from('nistp384'), point(64))],
  ['a compressed point', key('ecdsa-sha2-nistp256', Buffer.from('nistp256'), point(32, 2))],
  ['a security key for something else', key('sk-ssh-ed25519@openssh.com', bytes(32), Buffer.from('https://x'))],
  ['two keys', `${ed25519}\n${ed25519}`],
  ['two line breaks', `${ed25519}\n\n`],
  ['a control character in the comment', `${ed25519} comment\u001b[2J`],
  ['a NUL in the comment', `${ed25519} a\0b`],
  ['padding too many', `${ed25519}=`],
  ['a type of every object', `constructor ${blob('constructor').toString('base64')}`],
])('%s is refused', (_, text) => {
  expect(SshPublicKey.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_public_key'])
})

test('an endless text is too long', () => {
  expect(SshPublicKey.safeParse(`${ed25519} ${'x'.repeat(9000)}`).error?.issues.map(codeOf)).toEqual(['too_long'])
})

function key(type: string, ...fields: Buffer[]): string {
  return `${type} ${blob(type, ...fields).toString('base64')}`
}

function blob(type: string, ...fields: Buffer[]): Buffer {
  return Buffer.concat([Buffer.from(type), ...fields].flatMap((field) => [length(field), field]))
}

function length(field: Buffer): Buffer {
  const prefix = Buffer.alloc(4)
  prefix.writeUInt32BE(field.length)
  return prefix
}

function bytes(count: number, value = 7): Buffer {
  return Buffer.alloc(count, value)
}
