/**
 * Codes of authenticator apps (RFC 6238 over RFC 4226): six digits from an HMAC-SHA-1 over the number of half minutes since 1970.
 * Many apps ignore any other algorithm, length or period. The collisions of SHA-1 do not weaken HMAC.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret } from '../secret.ts'

/** 160 bits, as RFC 4226 recommends, in base32, which apps expect. */
export const newTotpSecret = (): Secret => new Secret(base32(randomBytes(20)))

/** The step that the code belongs to: the current one or a neighbor, since clocks differ. Undefined if the code is wrong. */
export function stepOfCode(secret: Secret, code: string, now: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const current = Math.floor(now / STEP_MS)
  const steps = [current, current - 1, current + 1]
  return steps.find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)))
}

export const codeAt = (secret: Secret, step: number): string => hotp(fromBase32(secret.reveal()), step, 6)

/** The `otpauth:` address that apps read, as text or as a QR code. */
export function totpUri(secret: Secret, { issuer, account }: { readonly issuer: string; readonly account: string }) {
  // A colon separates the two, so neither may contain one.
  const label = [issuer, account].map((part) => encodeURIComponent(part.replaceAll(':', ' '))).join(':')
  const query = `secret=${secret.reveal()}&issuer=${encodeURIComponent(issuer.replaceAll(':', ' '))}`
  return new Secret(`otpauth://totp/${label}?${query}&algorithm=SHA1&digits=6&period=30`)
}

/** Exported for the examples of RFC 6238, which have eight digits. */
export function hotp(key: Uint8Array, counter: number, digits: number): string {
  const message = Buffer.alloc(8)
  message.writeBigUInt64BE(BigInt(counter))
  const digest = createHmac('sha1', key).update(message).digest()
  const offset = digest.readUInt8(digest.length - 1) & 0x0f
  const number = digest.readUInt32BE(offset) & 0x7fff_ffff
  return String(number % 10 ** digits).padStart(digits, '0')
}

export const STEP_MS = 30_000

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

/** Only for multiples of five bytes, which need no padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/[01]{5}/g, (group) => ALPHABET.charAt(Number.parseInt(group, 2)))
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
