/** One e-mail address that can stand in a header and on an envelope as it is. */
import { z } from 'zod'
import { normaliseDomain } from './hostname.ts'
import { rule } from './rule.ts'

/** Stored with its domain in lower case and as `xn--`; the part before the @ belongs to its owner and stays. */
export const Email = z
  .string()
  .check(
    rule(
      'invalid_email',
      'Give one e-mail address such as name@example.com',
      (text) => normaliseEmail(text) !== undefined,
    ),
  )
  .overwrite((text) => normaliseEmail(text) ?? text)

/** Two accounts may not share this; `a+tag@` and `a@` are two addresses, `A@` and `a@` are one. */
export const sameEmailKey = (email: string): string => email.toLowerCase()

function normaliseEmail(text: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const at = text.lastIndexOf('@')
  const local = text.slice(0, Math.max(0, at))
  const domain = normaliseDomain(text.slice(at + 1))
  if (local.length > MAX_LOCAL_LENGTH || !localPattern.test(local) || domain === undefined) return undefined
  const email = `${local}@${domain}`
  return email.length <= MAX_LENGTH ? email : undefined
}

const MAX_LENGTH = 254
const MAX_LOCAL_LENGTH = 64

/** The dot-atom of RFC 5322: ASCII, nothing quoted. A hyphen first would read as an option to a mail program. */
const localPattern = /^(?!-)[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+(\.[A-Za-z0-9!#$%&'*+/=?^_`{|}~-]+)*$/
