/**
 * Writes OpenSSH user certificates (PROTOCOL.certkeys of OpenSSH).
 *
 * A certificate consists of its type, a nonce, the fields of the certified key copied from the key itself, what the
 * ssh authority vouches for, and the authority's signature over all of it. The layout is the same for every type of key.
 */
import { randomBytes } from 'node:crypto'
import { field, uint32, uint64 } from '../../secrets/ssh-wire.ts'

export type SshCertificateContent = {
  /** `ssh-ed25519 AAAA…` or another type; a comment after it is dropped. */
  readonly publicKey: string
  /** At least one: a certificate without principals would be good for every account. */
  readonly principals: readonly string[]
  /** The server's log shows it, so that a sign-in can be traced. */
  readonly keyId: string
  readonly serial: bigint
  /** Seconds since 1970. */
  readonly validAfter: number
  readonly validBefore: number
  /** Options that a server must understand or refuse, with their values: `force-command`, `source-address`. */
  readonly criticalOptions: Readonly<Record<string, string>>
  /** What is allowed beyond running commands: `permit-pty` and the like. */
  readonly extensions: readonly string[]
}

export type SshCertificateSigner = {
  /** The authority's public key as bytes. */
  readonly blob: Uint8Array
  /** The signature as the protocol writes it: its type, then its bytes. */
  sign(bytes: Uint8Array): Uint8Array
}

/** The certificate as one line, as it stands in a file `…-cert.pub`. */
export function encodeSshCertificate(content: SshCertificateContent, signer: SshCertificateSigner): string {
  demandSense(content)
  const { type, keyFields } = readPublicKey(content.publicKey)
  const certificateType = `${type.replace(/@openssh\.com$/, '')}-cert-v01@openssh.com`
  const body = Buffer.concat([
    field(certificateType),
    field(randomBytes(32)),
    keyFields,
    uint64(content.serial),
    uint32(userCertificate),
    field(content.keyId),
    field(Buffer.concat(content.principals.map(field))),
    uint64(BigInt(content.validAfter)),
    uint64(BigInt(content.validBefore)),
    field(namedValues(content.criticalOptions)),
    field(namedValues(Object.fromEntries(content.extensions.map((name) => [name, ''])))),
    field(''), // reserved
    field(signer.blob),
  ])
  return `${certificateType} ${Buffer.concat([body, field(signer.sign(body))]).toString('base64')}`
}

const userCertificate = 1

function demandSense({ principals, keyId, serial, validAfter, validBefore }: SshCertificateContent): void {
  if (principals.length === 0 || principals.includes('')) throw new TypeError('A certificate needs principals')
  if (!/^[a-z0-9:;=_-]{1,200}$/.test(keyId)) throw new TypeError('The key id of a certificate has other characters')
  if (serial <= 0n) throw new TypeError('The serial of a certificate is greater than zero')
  if (validAfter >= validBefore) throw new TypeError('A certificate ends after it begins')
}

/** Splits a key into its type and the fields after it. The bytes are checked where a key enters the platform. */
function readPublicKey(line: string): { type: string; keyFields: Buffer } {
  const [type = '', base64 = ''] = line.split(' ')
  const blob = Buffer.from(base64, 'base64')
  const beginning = field(type)
  if (type === '' || !blob.subarray(0, beginning.length).equals(beginning)) throw new TypeError('This is no public key')
  return { type, keyFields: blob.subarray(beginning.length) }
}

/** Names in the order of their bytes, which sshd demands; a value is wrapped once more, an absent one is empty. */
function namedValues(values: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(values).toSorted((left, right) => Buffer.compare(Buffer.from(left), Buffer.from(right)))
  return Buffer.concat(
    names.flatMap((name) => {
      const value = values[name] ?? ''
      return [field(name), field(value === '' ? '' : field(value))]
    }),
  )
}
