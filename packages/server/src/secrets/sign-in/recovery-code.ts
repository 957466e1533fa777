// Codes for whoever has lost the device that makes the others: written on paper, and each used once.
import { randomInt } from 'node:crypto'
import { Secret } from '../secret.ts'
import { digestOf } from '../token.ts'

const RECOVERY_CODES = 10

/** The digest is what is kept. No work factor: 77 random bits cannot be guessed, not even by whoever has the digests. */
export function newRecoveryCodes(): readonly { readonly code: Secret; readonly digest: string }[] {
  return Array.from({ length: RECOVERY_CODES }, () => {
    const letters = Array.from({ length: LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length))).join('')
    return { code: new Secret(letters.replaceAll(/.{4}(?=.)/g, '$&-')), digest: digestOf(letters) }
  })
}

/** Of what somebody typed, with hyphens and in small letters or not. Undefined for what cannot be one. */
export function recoveryDigestOf(typed: string): string | undefined {
  const letters = typed.toUpperCase().replaceAll(/[\s-]/g, '')
  return FORM.test(letters) ? digestOf(letters) : undefined
}

/** Without vowels, so that no words come of it, and without what looks like something else on paper. */
const ALPHABET = '23456789BCDFGHJKMNPQRSTVWXZ'
const LENGTH = 16
const FORM = new RegExp(`^[${ALPHABET}]{${LENGTH}}$`)
