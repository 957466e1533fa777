// The domains that a project and its environments may have.
import { isUnder } from '@shipway/api/values/hostname'
import { pullRequestOfLabel } from '@shipway/api/values/name'
import { isPublicSuffix } from './public-suffix.ts'

export type DomainFault = {
  readonly code: 'taken' | 'reserved' | 'public_suffix' | 'outside_project'
  readonly detail: string
}

type ProjectDomains = { readonly domain: string; readonly customDomains: readonly string[] }
type OtherNames = { readonly dashboardHost: string; readonly foreign: readonly string[] }

/**
 * A name of a project must keep clear of what other organizations have: neither the same, nor above it, nor beneath it.
 * The sentence does not say who owns it.
 */
export function projectDomainFault(domain: string, { dashboardHost, foreign }: OtherNames): DomainFault | undefined {
  if (domain === dashboardHost) return DASHBOARD
  if (isPublicSuffix(domain)) return publicSuffix(domain)
  const isTaken = foreign.some((other) => isUnder(domain, other) || isUnder(other, domain))
  return isTaken ? { code: 'taken', detail: `${domain} overlaps a domain that is taken. Choose another` } : undefined
}

type NamingScope = {
  readonly project: ProjectDomains
  readonly environment: { readonly name: string; readonly type: 'pull_request' | 'manual' }
  readonly dashboardHost: string
}

type NameFault = 'dashboard' | 'outside_project' | 'public_suffix' | 'reserved'

/**
 * The one rule for the names of environments and of their services, the same for a caller of the API and for a repository
 * file. Each of the two has its own words for what is wrong.
 */
export function nameFault(domain: string, place: NamingScope): NameFault | undefined {
  const { project, environment, dashboardHost } = place
  if (domain === dashboardHost) return 'dashboard'
  if (!liesWithin(domain, project)) return 'outside_project'
  if (isPublicSuffix(domain)) return 'public_suffix'
  return isOfAnotherPullRequest(domain, environment) ? 'reserved' : undefined
}

/**
 * A name whose first label is `pr-7` or begins with `pr-7-` is for the environment of that pull request alone, wherever the project
 * has its names: `{env}` in a repository file makes them beneath every one of its domains. The table `domains` holds this too.
 */
function isOfAnotherPullRequest(domain: string, { name, type }: NamingScope['environment']): boolean {
  const owner = pullRequestOfLabel(domain.split('.', 1)[0] ?? '')
  return owner !== undefined && (type !== 'pull_request' || owner !== name)
}

export function environmentDomainFault(domain: string, place: NamingScope): DomainFault | undefined {
  const { project } = place
  switch (nameFault(domain, place)) {
    case 'dashboard':
      return DASHBOARD
    case 'outside_project': {
      const places = [project.domain, ...project.customDomains].join(', ')
      return { code: 'outside_project', detail: `Give a domain under one of the project's: ${places}` }
    }
    case 'public_suffix':
      return publicSuffix(domain)
    case 'reserved':
      return {
        code: 'reserved',
        detail: `Domains such as pr-7.${project.domain} belong to pull requests; choose another`,
      }
    default:
      return undefined
  }
}

/** Those of the domains that a project with these base and custom domains would no longer cover. */
export function outsideOf<T extends { readonly domain: string }>(taken: readonly T[], project: ProjectDomains): T[] {
  return taken.filter(({ domain }) => !liesWithin(domain, project))
}

export const defaultDomain = (name: string, project: { readonly domain: string }): string => `${name}.${project.domain}`

function liesWithin(domain: string, { domain: base, customDomains }: ProjectDomains): boolean {
  return [base, ...customDomains].some((parent) => isUnder(domain, parent))
}

const DASHBOARD: DomainFault = { code: 'reserved', detail: 'This is where the platform itself answers; choose another' }

const publicSuffix = (domain: string): DomainFault => ({
  code: 'public_suffix',
  detail: `${domain} is a public suffix, under which anybody can have a name. Give a name of your own, such as example.${domain}`,
})
