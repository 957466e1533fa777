/**
 * Generates an Ed25519 key pair in OpenSSH's formats.
 * The private key is an unencrypted `openssh-key-v1` file (PROTOCOL.key of OpenSSH), which every ssh client reads.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { Secret } from './secret.ts'
import { ed25519, ed25519Blob, field, fingerprintOf, uint32 } from './ssh-wire.ts'

export interface SshKey {
  /** One line: `ssh-ed25519 AAAA… comment`. */
  readonly publicKey: string
  readonly privateKey: Secret
  /** `SHA256:…`, as ssh-keygen prints it. */
  readonly fingerprint: string
}

export function generateSshKey(comment: string): SshKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  // Both DER encodings end with the 32 raw bytes: the point and the seed.
  const point = publicKey.subarray(-32)
  const seed = privateKey.subarray(-32)
  const label = commentText(comment)
  const blob = ed25519Blob(point)
  return {
    publicKey: `${ed25519} ${blob.toString('base64')} ${label}`.trim(),
    privateKey: new Secret(privateKeyFile(blob, privateFields({ point, seed, label }))),
    fingerprint: fingerprintOf(blob),
  }
}

/** A line break in the comment would add a second key wherever the first one is pasted. */
const commentText = (comment: string): string => comment.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()

function privateFields({ point, seed, label }: { point: Buffer; seed: Buffer; label: string }): Buffer {
  // Readers of an encrypted file compare these two numbers to check the passphrase.
  const check = randomBytes(4)
  const fields = [check, check, field(ed25519), field(point), field(Buffer.concat([seed, point])), field(label)]
  const content = Buffer.concat(fields)
  const padding = Array.from({ length: (8 - (content.length % 8)) % 8 }, (_, index) => index + 1)
  return Buffer.concat([content, Buffer.from(padding)])
}

function privateKeyFile(blob: Buffer, fields: Buffer): string {
  const [cipher, derivation, derivationOptions] = [field('none'), field('none'), field('')]
  const magic = Buffer.from('openssh-key-v1\0')
  const bytes = Buffer.concat([magic, cipher, derivation, derivationOptions, uint32(1), field(blob), field(fields)])
  const lines = bytes.toString('base64').match(/.{1,70}/g) ?? []
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n')
}
