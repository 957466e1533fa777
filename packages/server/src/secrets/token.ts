/**
 * Makes tokens and recognises them. A token is its prefix, 32 random bytes in 43 base62 digits, and a check of
 * both in 6 more digits, so that a mistyped or invented one is refused without a look into the database.
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

/** The token is shown once to whom it belongs; the digest is what is kept. */
export function newToken(prefix: TokenPrefix): { token: Secret; digest: string } {
  const body = prefix + base62(BigInt(`0x${randomBytes(32).toString('hex')}`), bodyDigits)
  const token = body + checkOf(body)
  return { token: new Secret(token), digest: digestOf(token) }
}

/** SHA-256 in hex. No salt and no work factor: 256 random bits cannot be guessed. */
export const digestOf = (token: string): string => hash('sha256', token)

/** True for a token that could have been made here; whether it was, only the database knows. */
export function looksLikeToken(text: string, prefix: TokenPrefix): boolean {
  if (text.length !== prefix.length + bodyDigits + checkDigits || !text.startsWith(prefix)) return false
  return checkOf(text.slice(0, -checkDigits)) === text.slice(-checkDigits)
}

const bodyDigits = 43
const checkDigits = 6
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** In plain numbers, which hold 32 bits: every request with a token comes through here. */
function checkOf(body: string): string {
  let text = ''
  for (let rest = crc32(body); rest > 0; rest = Math.floor(rest / 62)) text = digits.charAt(rest % 62) + text
  return text.padStart(checkDigits, '0')
}

function base62(value: bigint, length: number): string {
  let text = ''
  for (let rest = value; rest > 0n; rest /= 62n) text = digits.charAt(Number(rest % 62n)) + text
  return text.padStart(length, '0')
}
