/** A public key that a certificate may be made for: one key of a kind we trust, its bytes checked to the last. */
import { z } from 'zod'
import { rule } from './rule.ts'
import { hasControlCharacters } from './text.ts'

/** Stored as type and key alone: options before it are refused, the comment after it is dropped. */
export const SshPublicKey = z
  .string()
  .check(
    rule('too_long', 'Use at most 8192 characters', (text) => text.length <= 8192),
    rule(
      'invalid_public_key',
      'Give one public key on one line: Ed25519, ECDSA, or RSA with at least 3072 bits; no options, no certificate',
      (text) => normaliseKey(text) !== undefined,
    ),
  )
  .overwrite((text) => normaliseKey(text) ?? text)

/** A key file ends in a line break, so one is taken off. */
function normaliseKey(text: string): string | undefined {
  const line = text.replace(/\r?\n$/, '')
  if (hasControlCharacters(line) || !line.isWellFormed()) return undefined
  const [, type = '', key = ''] = /^([a-z0-9@.-]+) +([A-Za-z0-9+/]+={0,2})( .*)?$/u.exec(line) ?? []
  const [inner, ...fields] = readFields(decodeBase64(key) ?? new Uint8Array()) ?? []
  if (inner === undefined || asText(inner) !== type) return undefined
  return kinds.get(type)?.(fields) ? `${type} ${key}` : undefined
}

type Fields = readonly Uint8Array[]

/** What follows the type inside the key, for each type: RFC 4253, 5656 and 8709, and PROTOCOL.u2f of OpenSSH. */
const kinds: ReadonlyMap<string, (fields: Fields) => boolean> = new Map([
  ['ssh-ed25519', isEd25519],
  ['sk-ssh-ed25519@openssh.com', isSecurityKey],
  ['ecdsa-sha2-nistp256', (fields: Fields) => isEcdsa(fields, 'nistp256')],
  ['ecdsa-sha2-nistp384', (fields: Fields) => isEcdsa(fields, 'nistp384')],
  ['ecdsa-sha2-nistp521', (fields: Fields) => isEcdsa(fields, 'nistp521')],
  ['ssh-rsa', isRsa],
])

function isEd25519(fields: Fields): boolean {
  return fields.length === 1 && fields[0]?.length === 32
}

function isSecurityKey([point, application, ...rest]: Fields): boolean {
  if (point?.length !== 32 || application === undefined || rest.length > 0) return false
  return /^ssh:[\x21-\x7e]*$/.test(asText(application))
}

/** The point is uncompressed: 4, then both coordinates; and it is one of the curve. */
function isEcdsa([name, point, ...rest]: Fields, curve: Curve): boolean {
  if (name === undefined || point === undefined || rest.length > 0 || asText(name) !== curve) return false
  const { coordinateBytes } = CURVES[curve]
  if (point.length !== 1 + 2 * coordinateBytes || point[0] !== 4) return false
  return isOnCurve(
    curve,
    readNumber(point.subarray(1, 1 + coordinateBytes)),
    readNumber(point.subarray(1 + coordinateBytes)),
  )
}

/** The curves of FIPS 186-5, y² = x³ − 3x + b: all of their points but the one at infinity have the curve's prime order. */
function isOnCurve(curve: Curve, x: bigint, y: bigint): boolean {
  const { prime, b } = CURVES[curve]
  return x < prime && y < prime && (y * y - (x * x * x - 3n * x + b)) % prime === 0n
}

type Curve = 'nistp256' | 'nistp384' | 'nistp521'

const CURVES: Readonly<
  Record<Curve, { readonly coordinateBytes: number; readonly prime: bigint; readonly b: bigint }>
> = {
  nistp256: {
    coordinateBytes: 32,
    prime: 2n ** 256n - 2n ** 224n + 2n ** 192n + 2n ** 96n - 1n,
    b: 0x5ac635d8aa3a93e7b3ebbd55769886bc651d06b0cc53b0f63bce3c3e27d2604bn,
  },
  nistp384: {
    coordinateBytes: 48,
    prime: 2n ** 384n - 2n ** 128n - 2n ** 96n + 2n ** 32n - 1n,
    b: 0xb3312fa7e23ee7e4988e056be3f82d19181d9c6efe8141120314088f5013875ac656398d8a2ed19d2a85c8edd3ec2aefn,
  },
  nistp521: {
    coordinateBytes: 66,
    prime: 2n ** 521n - 1n,
    b: BigInt(
      '0x0051953eb9618e1c9a1f929a21a0b68540eea2da725b99b315f3b8b489918ef109e156193951ec7e937b1652c0bd3bb1bf073573df883d2c34f1ef451fd46b503f00',
    ),
  },
}

function isRsa([exponentBytes, modulusBytes, ...rest]: Fields): boolean {
  const exponent = readPositive(exponentBytes)
  const modulus = readPositive(modulusBytes)
  if (exponent === undefined || modulus === undefined || rest.length > 0) return false
  const bits = modulus.toString(2).length
  return (
    bits >= 3072 && bits <= 16_384 && isOdd(modulus) && isOdd(exponent) && exponent >= 65_537n && exponent < 2n ** 64n
  )
}

function isOdd(number: bigint): boolean {
  return number % 2n === 1n
}

/** An mpint of RFC 4251: the sign bit is clear, and a leading zero stands only where the sign needs it. */
function readPositive(bytes: Uint8Array | undefined): bigint | undefined {
  const [first, second = 0] = bytes ?? []
  if (bytes === undefined || first === undefined || first > 0x7f || (first === 0 && second < 0x80)) return undefined
  return readNumber(bytes)
}

const readNumber = (bytes: Uint8Array): bigint =>
  BigInt(`0x${Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')}`)

/** Length-prefixed fields that fill the key exactly, or undefined. */
function readFields(bytes: Uint8Array): Uint8Array[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const fields: Uint8Array[] = []
  let offset = 0
  while (offset < bytes.length) {
    if (offset + 4 > bytes.length) return undefined
    const end = offset + 4 + view.getUint32(offset)
    if (end > bytes.length) return undefined
    fields.push(bytes.subarray(offset + 4, end))
    offset = end
  }
  return fields
}

/** Only the one spelling of the bytes: right padding, and no bits left over in the last character. */
function decodeBase64(text: string): Uint8Array | undefined {
  if (text.length % 4 !== 0) return undefined
  const decoded = atob(text)
  return btoa(decoded) === text ? Uint8Array.from(decoded, (character) => character.charCodeAt(0)) : undefined
}

function asText(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
