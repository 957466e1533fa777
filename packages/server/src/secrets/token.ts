/**
 * Creates and recognizes tokens. A token is a prefix, 32 random bytes in 43 base62 digits, and a checksum of both in 6 more digits, so
 * that a mistyped or invented token is refused without a database query.
 */
import { hash, randomBytes } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { Secret } from './secret.ts'

export type TokenPrefix =
  | 'shw_at_'
  | 'shw_rt_'
  | 'shw_pat_'
  | 'shw_setup_'
  | 'shw_session_'
  | 'shw_invite_'
  | 'shw_reset_'
  | 'shw_hook_'
  | 'shw_oidc_'
  | 'shw_app_'

/** The token is shown to its owner once; only the digest is stored. */
export function newToken(prefix: TokenPrefix): { token: Secret; digest: string } {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyDigits)
  const token = body + checksumOf(body)
  return { token: new Secret(token), digest: digestOf(token) }
}

/** SHA-256 in hex. No salt and no work factor: 256 random bits cannot be guessed. */
export const digestOf = (token: string): string => hash('sha256', token)

/** Checks prefix, length and checksum. Only the database knows whether the token exists. */
export function looksLikeToken(text: string, prefix: TokenPrefix): boolean {
  if (text.length !== prefix.length + bodyDigits + checksumDigits || !text.startsWith(prefix)) return false
  return checksumOf(text.slice(0, -checksumDigits)) === text.slice(-checksumDigits)
}

const bodyDigits = 43
const checksumDigits = 6
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Uses plain numbers instead of BigInt, because every request with a token comes through here. */
function checksumOf(body: string): string {
  let text = ''
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) text = digits.charAt(rest % 62) + text
  return text.padStart(checksumDigits, '0')
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}
