// Rules of certificates: which names one serves, when it is renewed, and when an order is retried.
import { isUnder } from '@shipway/api/values/hostname'

/** A wildcard covers one label, as in browsers. */
export function covers(names: readonly string[], domain: string): boolean {
  const dot = domain.indexOf('.')
  return names.includes(domain) || (dot > 0 && names.includes(`*${domain.slice(dot)}`))
}

type ProjectDomains = { readonly domain: string; readonly customDomains: readonly string[] }

/**
 * The names that a project's supplied certificate is shown for: those of its names that lie within the project, and those
 * of the project's domains that a wildcard above them covers. It is never shown for another name, even if an admin approved that name.
 */
export function hostsOf(names: readonly string[], { domain, customDomains }: ProjectDomains): readonly string[] {
  const places = [domain, ...customDomains]
  const within = names.filter((name) => places.some((place) => isUnder(name.replace(/^\*\./, ''), place)))
  return [...new Set([...within, ...places.filter((place) => covers(names, place))])]
}

export type Validity = { readonly notBefore: number; readonly notAfter: number }

/** When a third of its life is left, however long that is: in whole milliseconds, as times are kept. */
export const renewalAt = ({ notBefore, notAfter }: Validity): number =>
  notAfter - Math.floor((notAfter - notBefore) / 3)

/** Needs attention: a renewal is overdue by then, and a supplied certificate needs a successor. */
export function isAboutToEnd({ notBefore, notAfter }: Validity, now: number): boolean {
  return now >= notAfter - Math.min(30 * DAY_MS, (notAfter - notBefore) / 4)
}

/**
 * How long after the last of so many failed orders the next may come: 5 minutes, then thrice as long each time, up to a
 * day. Authorities allow few failures an hour for one name.
 */
export function retryDelay(failures: number): number {
  return Math.min(5 * MINUTE_MS * 3 ** Math.max(0, failures - 1), DAY_MS)
}

type KeptCertificate = {
  readonly source: 'supplied' | 'acme'
  readonly domain: string | null
  readonly names: readonly string[]
  readonly issued: Validity | null
  readonly lastError: string | null
}

type RenewalFacts = {
  readonly project: ProjectDomains & { readonly tls: 'off' | 'certificate' | 'automatic' }
  /** Where environments of the project answer. */
  readonly domains: readonly string[]
  readonly now: number
}

/** Warnings about a certificate, as sentences. */
export function certificateProblems(
  certificate: KeptCertificate,
  { project, domains, now }: RenewalFacts,
): readonly string[] {
  const { source, domain, names, issued, lastError } = certificate
  const used = source === 'supplied' ? 'certificate' : 'automatic'
  const hosts = hostsOf(names, project)
  const uncovered = source === 'supplied' ? domains.filter((name) => !covers(hosts, name)) : []
  return [
    ...(issued !== null && now >= issued.notAfter ? [`It ended at ${new Date(issued.notAfter).toISOString()}`] : []),
    ...(project.tls === used ? [] : [`It is not in use: the project's tls is ${project.tls}, not ${used}`]),
    ...(uncovered.length > 0 ? [`It does not cover ${uncovered.slice(0, 10).join(', ')}`] : []),
    ...(domain !== null && !domains.includes(domain) ? [`No environment answers at ${domain} any more`] : []),
    ...(lastError === null ? [] : [lastError]),
  ]
}

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000
