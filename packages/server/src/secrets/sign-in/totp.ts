/**
 * Codes of authenticator apps (RFC 6238 over RFC 4226): six digits out of HMAC-SHA-1 and the count of half minutes since 1970. SHA-1, six
 * digits and 30 seconds because many apps ignore any other choice; HMAC does not suffer from the collisions of SHA-1.
 */
import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { Secret } from '../secret.ts'

/** 160 bits, which RFC 4226 recommends, in the base32 that apps take. */
export const newTotpSecret = (): Secret => new Secret(base32(randomBytes(20)))

/** The step whose code this is: the one of now or a neighbor, since clocks differ. Undefined where it is the code of none of them. */
export function stepOfCode(secret: Secret, code: string, now: number): number | undefined {
  if (!/^[0-9]{6}$/.test(code)) return undefined
  const current = Math.floor(now / STEP_MS)
  const steps = [current, current - 1, current + 1]
  return steps.find((step) => timingSafeEqual(Buffer.from(codeAt(secret, step)), Buffer.from(code)))
}

export const codeAt = (secret: Secret, step: number): string => hotp(fromBase32(secret.reveal()), step, 6)

/** The address that apps read, as text or as a QR code. */
export function totpUri(secret: Secret, { issuer, account }: { readonly issuer: string; readonly account: string }) {
  // A colon separates the two, so neither may hold one.
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

/** For whole groups of five bytes, so that there is no padding. */
function base32(bytes: Uint8Array): string {
  const bits = [...bytes].map((byte) => byte.toString(2).padStart(8, '0')).join('')
  return bits.replaceAll(/[01]{5}/g, (group) => ALPHABET.charAt(Number.parseInt(group, 2)))
}

function fromBase32(text: string): Uint8Array {
  const bits = [...text].map((letter) => ALPHABET.indexOf(letter).toString(2).padStart(5, '0')).join('')
  return Uint8Array.from(bits.match(/[01]{8}/g) ?? [], (byte) => Number.parseInt(byte, 2))
}
