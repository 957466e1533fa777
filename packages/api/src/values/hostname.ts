/** Host names: the domains that environments answer at, and what a server is reached at. */
import { z } from 'zod'
import { canonicalIp } from './ip-address.ts'
import { decodePunycode } from './punycode.ts'
import { rule } from './rule.ts'

/** A domain of a project or an environment, stored in lower case and, where it is international, as `xn--`. */
export const Hostname = z
  .string()
  .check(
    rule(
      'invalid_domain',
      'Give a host name such as app.example.com, without scheme, port, path, wildcard or final dot',
      (text) => normaliseDomain(text) !== undefined,
    ),
  )
  .overwrite((text) => normaliseDomain(text) ?? text)

/** What a server is reached at; unlike a domain, one label or an IP address in its usual spelling will do. */
export const ServerHostname = z
  .string()
  .check(
    rule(
      'invalid_hostname',
      'Give a host name such as server-1.example.com, or an IP address such as 192.0.2.10',
      (text) => normaliseServerHostname(text) !== undefined,
    ),
  )
  .overwrite((text) => normaliseServerHostname(text) ?? text)

export const Port = z.int({ error: 'A port is a whole number' }).min(1, portSentence()).max(65_535, portSentence())

export const UnixUser = z
  .string()
  .check(
    rule(
      'invalid_user',
      'Use 1 to 32 lower-case letters, digits, hyphens and underscores, beginning with a letter or underscore',
      (text) => /^[a-z_][a-z0-9_-]{0,31}$/.test(text),
    ),
  )

/** Whether a domain is the parent itself or lies beneath it. Both must be normalised. */
export const isUnder = (domain: string, parent: string): boolean => domain === parent || domain.endsWith(`.${parent}`)

/** The one spelling of a domain, or undefined when the text is none. */
export function normaliseDomain(text: string): string | undefined {
  const hostname = normaliseLabels(text)
  return hostname?.includes('.') ? hostname : undefined
}

/** The one spelling of a host name of one label or more, or undefined when the text is none. */
export function normaliseLabels(text: string): string | undefined {
  if (text.length > MAX_LENGTH || !isWritten(text)) return undefined
  const hostname = encode(text)
  if (hostname === undefined || !isLetterDigitHyphen(hostname)) return undefined
  return encode(decodeLabels(hostname)) === hostname ? hostname : undefined
}

const MAX_LENGTH = 253

function normaliseServerHostname(text: string): string | undefined {
  return canonicalIp(text) ?? normaliseLabels(text)
}

/**
 * Only letters, digits, marks, hyphens and dots get as far as the URL parser, which would read anything else as another
 * part of an address. Characters that it would drop or replace by a look-alike (full width, ligatures, zero width) are
 * refused: what is stored should be what was seen.
 */
function isWritten(text: string): boolean {
  if (!/^[\p{L}\p{Nd}\p{M}.-]+$/u.test(text) || /\p{Default_Ignorable_Code_Point}/u.test(text)) return false
  return text.normalize('NFKC') === text.normalize('NFC')
}

/** The URL parser maps and encodes by UTS 46. It takes an ASCII label for granted, so `xn--` is decoded by us. */
function encode(text: string): string | undefined {
  const address = `http://${text}/`
  return URL.canParse(address) ? new URL(address).hostname : undefined
}

/** A label that is no encoding becomes a space, which no host name survives. */
function decodeLabels(hostname: string): string {
  const decode = (label: string): string => decodePunycode(label.slice(4)) ?? ' '
  return hostname
    .split('.')
    .map((label) => (label.startsWith('xn--') ? decode(label) : label))
    .join('.')
}

/** A last label of digits would make it an IPv4 address in one of its notations. */
function isLetterDigitHyphen(hostname: string): boolean {
  const labels = hostname.split('.')
  if (hostname.length > MAX_LENGTH || /^[0-9]+$/.test(labels.at(-1) ?? '')) return false
  return labels.every((label) => /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(label))
}

function portSentence(): { error: string } {
  return { error: 'A port is a whole number from 1 to 65535' }
}
