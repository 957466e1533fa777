// Requests for certificates as an attacker would write them, and keys that must not be certified.
import { randomBytes } from 'node:crypto'
import { generateSshKey } from '../../src/secrets/ssh-key.ts'
import { field } from '../../src/secrets/ssh-wire.ts'

const good = generateSshKey('').publicKey
const line = (type: string, ...fields: (string | Uint8Array)[]): string =>
  `${type} ${Buffer.concat([field(type), ...fields.map(field)]).toString('base64')}`

/** An RSA key with this many bits and this exponent; the modulus is any number that is odd. */
function rsa(bits: number, exponent: readonly number[]): string {
  const modulus = randomBytes(bits / 8)
  modulus.writeUInt8(modulus.readUInt8(0) | 0x80, 0)
  modulus.writeUInt8(modulus.readUInt8(modulus.length - 1) | 1, modulus.length - 1)
  return line('ssh-rsa', Buffer.from(exponent), Buffer.concat([Buffer.from([0]), modulus]))
}

/** By the names that the list of hostile inputs has for them, and more of the kind. */
export const HOSTILE_KEYS: Readonly<Record<string, unknown>> = {
  'no key': 'not a key',
  'with options': `command="id" ${good}`,
  'with more options': `no-pty,environment="A=b" ${good}`,
  DSA: line('ssh-dss', Buffer.alloc(128, 3), Buffer.alloc(20, 3), Buffer.alloc(128, 3), Buffer.alloc(128, 3)),
  'RSA of 1024 bits': rsa(1024, [1, 0, 1]),
  'RSA of 2048 bits': rsa(2048, [1, 0, 1]),
  'RSA with the exponent 1': rsa(3072, [1]),
  'RSA with the exponent 3': rsa(3072, [3]),
  'ECDSA on a curve of its own': line('ecdsa-sha2-nistp192', 'nistp192', Buffer.alloc(49, 4)),
  'ECDSA that names another curve': line('ecdsa-sha2-nistp256', 'nistp521', Buffer.alloc(65, 4)),
  'a certificate': line('ssh-ed25519-cert-v01@openssh.com', Buffer.alloc(32), Buffer.alloc(32)),
  'Ed25519 with 31 bytes': line('ssh-ed25519', Buffer.alloc(31, 1)),
  'Ed25519 with 33 bytes': line('ssh-ed25519', Buffer.alloc(33, 1)),
  'two keys': `${good}\n${generateSshKey('').publicKey}`,
  'a comment that steers a terminal': `${good} comment\u001b[2J`,
  'a comment with a line break': `${good} bob\nAccepted publickey for root`,
  'a comment with a NUL': `${good} a\0b`,
  'far too much': `${good} ${'a'.repeat(10_000)}`,
  'a private key': generateSshKey('').privateKey.reveal(),
  'another type than the bytes': good.replace('ssh-ed25519 ', 'ssh-rsa '),
  'more behind the key': `ssh-ed25519 ${Buffer.concat([Buffer.from(good.split(' ')[1] ?? '', 'base64'), field('x')]).toString('base64')}`,
  empty: '',
  'a number': 7,
  nothing: null,
  'a list': [good],
}

/** Fields of a certificate that a caller might hope to set, beside a good key. */
export const HOSTILE_FIELDS: readonly Readonly<Record<string, unknown>>[] = [
  { principal: 'deploy\nroot' },
  { principal: '*' },
  { principals: ['root'] },
  { purpose: 'deploy\nroot' },
  { purpose: '*' },
  { purpose: 'env-8-shell' },
  { purpose: 'root' },
  { purpose: ['shell'] },
  { ttl: -1 },
  { ttl_seconds: -1 },
  { ttl_seconds: 0 },
  { ttl_seconds: 1e9 },
  { ttl_seconds: 3601 },
  { ttl_seconds: '600' },
  { ttl_seconds: 60.5 },
  { valid_after: '2000-01-01' },
  { valid_before: '2100-01-01' },
  { extensions: ['permit-port-forwarding'] },
  { critical_options: {} },
  { key_id: 'bob\nAccepted publickey for root' },
  { serial: 1 },
  { environment_id: '8' },
  { environment_id: -1 },
  { environment_id: '7; id' },
  { environment_id: 'env-8-shell (other environment)' },
  { environment: '*' },
  { force_command: 'id' },
  { connection: { host: 'evil.example.com' } },
  { user: 'root' },
  { ['__proto__']: { purpose: 'shell' } },
]
