/**
 * The platform's ssh certificate authority. Servers trust its public key, and it signs short-lived user certificates. Its private key is
 * generated once, encrypted by the caller, and never leaves the platform.
 *
 * Servers trust this authority, whose key is created at the first start and stored sealed. The platform signs in with ssh certificates that are
 * valid for ten minutes and name the principal of one server record. Host keys of servers and git hosts are pinned at the first connection.
 */
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto'
import { Secret } from '../../secrets/secret.ts'
import { ed25519, ed25519Blob, field, fingerprintOf } from '../../secrets/ssh-wire.ts'
import { encodeSshCertificate, type SshCertificateContent } from './ssh-certificate.ts'

export type SshAuthority = {
  /** The line for `TrustedUserCAKeys` on a server. */
  readonly publicKey: string
  /** `SHA256:…`, as ssh-keygen prints it. */
  readonly fingerprint: string
  /** Adds a new serial; valid from now on. */
  certify(request: SshCertificateRequest): SshCertificate
  /** Signs exactly this content; returns one line. */
  sign(content: SshCertificateContent): string
}

type SshCertificateRequest = {
  readonly publicKey: string
  readonly principals: readonly string[]
  readonly keyId: string
  readonly validForMs: number
  readonly criticalOptions?: Readonly<Record<string, string>>
  readonly extensions?: readonly string[]
}

type SshCertificate = {
  /** One line, as it stands in a file `…-cert.pub`. */
  readonly line: string
  readonly serial: bigint
  readonly validAfter: Date
  readonly validBefore: Date
}

/** Takes the key that `generateSshAuthorityKey` made. */
export function createSshAuthority(privateKey: Secret): SshAuthority {
  const key = createPrivateKey(privateKey.reveal())
  const blob = ed25519Blob(pointOf(key))
  const signer = { blob, sign: (bytes: Uint8Array) => Buffer.concat([field(ed25519), field(sign(null, bytes, key))]) }
  return {
    publicKey: `${ed25519} ${blob.toString('base64')}`,
    fingerprint: fingerprintOf(blob),
    sign: (content) => encodeSshCertificate(content, signer),
    certify: ({ validForMs, criticalOptions = {}, extensions = [], ...request }) => {
      const now = Math.floor(Date.now() / 1000)
      const serial = newSerial()
      const [validAfter, validBefore] = [now - backdatedSeconds, now + Math.ceil(validForMs / 1000)]
      const content = { ...request, serial, validAfter, validBefore, criticalOptions, extensions }
      return {
        line: encodeSshCertificate(content, signer),
        serial,
        validAfter: new Date(validAfter * 1000),
        validBefore: new Date(validBefore * 1000),
      }
    },
  }
}

/** A new private key, as a PEM file. */
export function generateSshAuthorityKey(): Secret {
  return new Secret(generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString())
}

/** Tolerates a server's clock that is a little slow. */
const backdatedSeconds = 60

/** The DER form ends in the 32 bytes of the point. */
function pointOf(key: KeyObject): Buffer {
  if (key.asymmetricKeyType !== 'ed25519') throw new TypeError('The key of the ssh authority is an Ed25519 key')
  return createPublicKey(key).export({ type: 'spki', format: 'der' }).subarray(-32)
}

/** Greater than zero, because tools that assign no serials write zero. Below 2^63, so that it fits a signed column. */
function newSerial(): bigint {
  return (randomBytes(8).readBigUInt64BE() >> 1n) | 1n
}
