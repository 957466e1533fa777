/**
 * X.509 certificates (RFC 5280) of the platform's own authorities, for registries on servers. They do not end, so there is nothing to
 * renew. By an Ed25519 key the same request gives the same bytes.
 */
import { createHash, createPublicKey, type KeyObject, sign } from 'node:crypto'
import { isIPv4 } from 'node:net'

export type CertificateRequest = {
  readonly subject: string
  /** Its public half is certified. */
  readonly key: KeyObject
  /** By default it certifies itself. */
  readonly issuer?: { readonly subject: string; readonly key: KeyObject }
  /** May certify others. */
  readonly isAuthority: boolean
  /** The IPv4 address of a server. */
  readonly address?: string
}

/** In DER. Keys are Ed25519 or ECDSA on P-256. */
export function makeCertificate({ subject, key, issuer, isAuthority, address }: CertificateRequest): Buffer {
  const signer = issuer ?? { subject, key }
  const algorithm = sequence(oid(isEd25519(signer.key) ? ED25519 : ECDSA_WITH_SHA256))
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' })
  const extensions = [
    extension(BASIC_CONSTRAINTS, sequence(...(isAuthority ? [TRUE] : []))),
    ...(address === undefined ? [] : [extension(SUBJECT_ALTERNATIVE_NAME, sequence(ipAddress(address)))]),
  ]
  const unsigned = sequence(
    encode(0xa0, integer(Buffer.from([2]))),
    integer(serialOf(publicKey, signer.subject)),
    algorithm,
    name(signer.subject),
    sequence(encode(0x17, Buffer.from('200101000000Z')), encode(0x18, Buffer.from('99991231235959Z'))),
    name(subject),
    publicKey,
    encode(0xa3, sequence(...extensions)),
  )
  const signature = sign(isEd25519(signer.key) ? null : 'sha256', unsigned, signer.key)
  return sequence(unsigned, algorithm, encode(0x03, Buffer.from([0]), signature))
}

export function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? []
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n')
}

const ED25519 = [0x2b, 0x65, 0x70]
const ECDSA_WITH_SHA256 = [0x2a, 0x86, 0x48, 0xce, 0x3d, 0x04, 0x03, 0x02]
const COMMON_NAME = [0x55, 0x04, 0x03]
const BASIC_CONSTRAINTS = [0x55, 0x1d, 0x13]
const SUBJECT_ALTERNATIVE_NAME = [0x55, 0x1d, 0x11]

const isEd25519 = (key: KeyObject): boolean => key.asymmetricKeyType === 'ed25519'

/** Positive and the same for the same key and issuer. */
function serialOf(publicKey: Buffer, issuer: string): Buffer {
  const serial = createHash('sha256').update(publicKey).update(issuer).digest().subarray(0, 16)
  serial[0] = ((serial[0] ?? 0) & 0x3f) | 0x40
  return serial
}

function encode(tag: number, ...contents: readonly Buffer[]): Buffer {
  const content = Buffer.concat(contents)
  return Buffer.concat([Buffer.from([tag, ...lengthOf(content.length)]), content])
}

/** One byte up to 127, else how many bytes follow. No certificate here needs more than two. */
function lengthOf(length: number): readonly number[] {
  if (length < 0x80) return [length]
  return length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff]
}

const sequence = (...contents: readonly Buffer[]): Buffer => encode(0x30, ...contents)
const integer = (bytes: Buffer): Buffer => encode(0x02, bytes)
const oid = (bytes: readonly number[]): Buffer => encode(0x06, Buffer.from(bytes))
const TRUE = encode(0x01, Buffer.from([0xff]))

const name = (text: string): Buffer =>
  sequence(encode(0x31, sequence(oid(COMMON_NAME), encode(0x0c, Buffer.from(text)))))

/** Readers that do not know an extension must refuse the certificate. */
const extension = (id: readonly number[], value: Buffer): Buffer => sequence(oid(id), TRUE, encode(0x04, value))

function ipAddress(address: string): Buffer {
  if (!isIPv4(address)) throw new TypeError(`${address} is not an IPv4 address`)
  return encode(0x87, Buffer.from(address.split('.').map(Number)))
}
