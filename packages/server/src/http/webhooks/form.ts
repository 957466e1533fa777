// The JSON that some git hosts send as a field of a form.
import { isUtf8 } from 'node:buffer'
import { Unused } from './webhook-dialect.ts'

export const isForm = (type: string | undefined): boolean => /^application\/x-www-form-urlencoded/i.test(type ?? '')

/**
 * A form of that one field, and nothing else: the type of a body is not signed, so JSON into which an attacker wrote a `&payload=`
 * must not be read as a form.
 */
export function payloadOfForm(text: string): string {
  // Looked for before the form is read: there may be a million fields.
  if (text.includes('&')) throw new Unused('malformed_body')
  const [field] = new URLSearchParams(text)
  if (field?.[0] !== 'payload') throw new Unused('malformed_body')
  return field[1]
}

/** Gitea signs no larger forms, and anyone can send more than that. */
const MOST_BYTES = 1024 * 1024

/** The bytes that a git host signs that signs the JSON and not the form; undefined where the body is no form. */
export function signedPartOf(body: Uint8Array, type: string | undefined): Buffer | undefined {
  if (!isForm(type) || body.length > MOST_BYTES || !isUtf8(body)) return undefined
  try {
    return Buffer.from(payloadOfForm(Buffer.from(body).toString('utf8')))
  } catch (error) {
    if (error instanceof Unused) return undefined
    throw error
  }
}
