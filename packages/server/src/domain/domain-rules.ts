// Which names a project and its environments may answer at.
import { isUnder } from '@shipway/api/values/hostname'
import { isPublicSuffix } from './public-suffix.ts'

export type DomainFault = {
  readonly code: 'taken' | 'reserved' | 'public_suffix' | 'outside_project'
  readonly detail: string
}

type ProjectDomains = { readonly domain: string; readonly customDomains: readonly string[] }
type Others = { readonly dashboardHost: string; readonly foreign: readonly string[] }

/**
 * A name of a project must keep clear of what other organizations have: neither the same, nor above it, nor beneath it.
 * The sentence does not tell whose it is.
 */
export function projectDomainFault(domain: string, { dashboardHost, foreign }: Others): DomainFault | undefined {
  if (domain === dashboardHost) return DASHBOARD
  if (isPublicSuffix(domain)) return publicSuffix(domain)
  const isTaken = foreign.some((other) => isUnder(domain, other) || isUnder(other, domain))
  return isTaken ? { code: 'taken', detail: `${domain} overlaps a domain that is taken. Choose another` } : undefined
}

export function environmentDomainFault(
  domain: string,
  { project, name, dashboardHost }: { project: ProjectDomains; name: string; dashboardHost: string },
): DomainFault | undefined {
  if (domain === dashboardHost) return DASHBOARD
  if (domain === defaultDomain(name, project) || project.customDomains.includes(domain)) return undefined
  if (!liesWithin(domain, project)) {
    const places = [project.domain, ...project.customDomains].join(', ')
    return { code: 'outside_project', detail: `Give a domain under one of the project's: ${places}` }
  }
  if (isPublicSuffix(domain)) return publicSuffix(domain)
  if (isForPullRequests(domain, project)) {
    return {
      code: 'reserved',
      detail: `Domains such as pr-7.${project.domain} belong to pull requests; choose another`,
    }
  }
  return undefined
}

/** Those of the domains that a project with these base and custom domains would no longer cover. */
export function outsideOf<T extends { readonly domain: string }>(taken: readonly T[], project: ProjectDomains): T[] {
  return taken.filter(({ domain }) => !liesWithin(domain, project))
}

export const defaultDomain = (name: string, project: { readonly domain: string }): string => `${name}.${project.domain}`

function liesWithin(domain: string, { domain: base, customDomains }: ProjectDomains): boolean {
  return [base, ...customDomains].some((parent) => isUnder(domain, parent))
}

/** The label directly beneath the base domain; deeper names are nobody's default. */
function isForPullRequests(domain: string, { domain: base }: ProjectDomains): boolean {
  if (!domain.endsWith(`.${base}`)) return false
  return /^pr-[0-9]+(-[^.]*)?$/.test(domain.slice(0, -base.length - 1))
}

const DASHBOARD: DomainFault = { code: 'reserved', detail: 'This is where the platform itself answers; choose another' }

const publicSuffix = (domain: string): DomainFault => ({
  code: 'public_suffix',
  detail: `${domain} is a public suffix, under which anybody can have a name. Give a name of your own, such as example.${domain}`,
})
