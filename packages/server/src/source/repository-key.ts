/**
 * Makes the Ed25519 key pair with which a project reads its repository, in OpenSSH's own formats.
 * The private half is an unencrypted `openssh-key-v1` file (PROTOCOL.key of OpenSSH); it is sealed before it is kept.
 */
import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto'
import { Secret } from '../secrets/secret.ts'

export interface RepositoryKey {
  /** One line for the repository's host: `ssh-ed25519 AAAA… comment`. */
  readonly publicKey: string
  readonly privateKey: Secret
  /** `SHA256:…`, as ssh-keygen prints it. */
  readonly fingerprint: string
}

export function generateRepositoryKey(comment: string): RepositoryKey {
  const { publicKey, privateKey } = generateKeyPairSync('ed25519', {
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  })
  // Both DER forms end in the 32 raw bytes: the point, and the seed.
  const point = publicKey.subarray(-32)
  const seed = privateKey.subarray(-32)
  const label = oneLine(comment)
  const blob = Buffer.concat([field(algorithm), field(point)])
  return {
    publicKey: `${algorithm} ${blob.toString('base64')} ${label}`.trim(),
    privateKey: new Secret(privateKeyFile(blob, privateFields({ point, seed, label }))),
    fingerprint: `SHA256:${createHash('sha256').update(blob).digest('base64').replaceAll('=', '')}`,
  }
}

const algorithm = 'ssh-ed25519'

/** A comment that broke the line would add a second key wherever the first is pasted. */
const oneLine = (comment: string): string => comment.replace(/[\p{C}\p{Z}]+/gu, ' ').trim()

function privateFields({ point, seed, label }: { point: Buffer; seed: Buffer; label: string }): Buffer {
  // The same number twice tells a reader of an encrypted file that the passphrase was right.
  const check = randomBytes(4)
  const fields = [check, check, field(algorithm), field(point), field(Buffer.concat([seed, point])), field(label)]
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

/** The `string` of the SSH protocol: its length, then its bytes. */
function field(content: string | Buffer): Buffer {
  const bytes = Buffer.from(content)
  return Buffer.concat([uint32(bytes.length), bytes])
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value)
  return bytes
}
