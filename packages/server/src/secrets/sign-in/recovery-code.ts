// One-time codes on paper, for users who have lost their authenticator device.
import { randomInt } from 'node:crypto'
import { Secret } from '../secret.ts'
import { digestOf } from '../token.ts'

const RECOVERY_CODES = 10

/** Only the digest is stored. No work factor: 77 random bits cannot be guessed, even with the digests at hand. */
export function newRecoveryCodes(): readonly { readonly code: Secret; readonly digest: string }[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
    return { code: new Secret(letters.replaceAll(/.{4}(?=.)/g, '$&-')), digest: digestOf(letters) }
  })
}

/** The digest of a typed code, with or without hyphens, in any case. Undefined if the text cannot be a code. */
export function recoveryDigestOf(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return FORM.test(letters) ? digestOf(letters) : undefined
}

/** Without vowels, so that no words appear, and without characters that look alike on paper. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ'
const LENGTH = 16
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)
