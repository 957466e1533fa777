// Public suffixes such as co.uk and github.io: unrelated parties have names below them, so no project can have one as a whole.
import { parse } from 'tldts'

/** By the maintained Public Suffix List. A name that it does not know, such as apps.internal, is as good as any other. */
export function isPublicSuffix(domain: string): boolean {
  return !FOR_PRIVATE_USE.has(domain) && (isListed(domain) || isListed(`any.${domain}`))
}

/** On the list so that browsers keep its names apart; each network has this one to itself (RFC 8375). */
const FOR_PRIVATE_USE: ReadonlySet<string> = new Set(['home.arpa'])

/** The list also says `*.kawasaki.jp`: every name beneath is a suffix, so the parent is no place for a project either. */
function isListed(domain: string): boolean {
  const { publicSuffix, isIcann, isPrivate } = parse(domain, OPTIONS)
  return publicSuffix === domain && (isIcann === true || isPrivate === true)
}

/** Domains come here in their one spelling. */
const OPTIONS = { allowPrivateDomains: true, extractHostname: false, validateHostname: false }
