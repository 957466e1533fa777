// The domain of each service of an environment.

import type { Service } from '@shipway/rules/service-file/repository-config'
import { nameFault } from './domain-rules.ts'

/**
 * Stands in routes and in the table of domains where another service's name would stand: the service that answers at the
 * environment's own domain. No service can have this name.
 */
export const MAIN_SERVICE = ''

/** A domain that is not the environment's own must be claimed by its service's name, and may turn out to be taken. */
export function serviceInRoute(
  { service, domain }: { readonly service: Pick<Service, 'name'>; readonly domain: string },
  environment: { readonly domain: string },
): string {
  return domain === environment.domain ? MAIN_SERVICE : service.name
}

type ServiceNamingScope = {
  readonly environment: { readonly name: string; readonly type: 'pull_request' | 'manual'; readonly domain: string }
  readonly project: { readonly domain: string; readonly customDomains: readonly string[] }
  readonly dashboardHost: string
}

export type NamedService = { readonly service: Service; readonly domain: string }

export type ServiceDomains = {
  /** The main service has the environment's own domain unless it names another. */
  readonly domains: readonly NamedService[]
  /** What the output should say. */
  readonly notes: readonly string[]
  readonly faults: readonly string[]
}

export function domainsOf(services: readonly Service[], place: ServiceNamingScope): ServiceDomains {
  const notes: string[] = []
  const domains = services.map((service) => {
    const wanted = customDomain(service, place)
    if (wanted !== undefined) return { service, domain: wanted }
    const domain = ownDomain(service, place)
    if (service.domain !== null) {
      notes.push(
        `${service.name}: ${service.domain} is for manual environments; this pull request answers at ${domain}`,
      )
    }
    return { service, domain }
  })
  return { domains, notes, faults: [...faultsOf(domains, place), ...doublesOf(domains)] }
}

/** A custom domain without `{env}` can be one environment's only, so pull requests leave it. */
function customDomain({ domain }: Service, { environment }: ServiceNamingScope): string | undefined {
  if (domain === null) return undefined
  if (domain.includes('{env}')) return domain.replace('{env}', environment.name)
  return environment.type === 'manual' ? domain : undefined
}

function ownDomain(service: Service, { environment, project }: ServiceNamingScope): string {
  return service.isMain ? environment.domain : `${environment.name}-${service.label}.${project.domain}`
}

type ServiceAtDomain = { readonly service: Service; readonly domain: string }

/** A repository file alone can never claim a name: an administrator has set where the project's names may lie. */
function faultsOf(domains: readonly ServiceAtDomain[], place: ServiceNamingScope): string[] {
  const { environment, project } = place
  const places = [project.domain, ...project.customDomains]
  return domains.flatMap(({ service, domain }) => {
    const fault = nameFault(domain, place)
    if (fault === 'dashboard') return [`${service.name}: ${domain} is where the platform itself answers`]
    if (fault === undefined || domain === environment.domain) return []
    if (fault === 'reserved') {
      return [
        `${service.name}: ${domain} belongs to a pull request, as all names do that begin with pr- and a number. ` +
          `Give ${service.name} another domain`,
      ]
    }
    if (fault === 'public_suffix') {
      return [
        `${service.name}: ${domain} is a public suffix, under which anybody can have a name. Give a name beneath it`,
      ]
    }
    return [
      `${service.name}: ${domain} lies under none of the project's domains (${places.join(', ')}). ` +
        "Choose one that does, or have an admin add it to the project's custom domains",
    ]
  })
}

function doublesOf(domains: readonly ServiceAtDomain[]): string[] {
  const byDomain = Map.groupBy(domains, ({ domain }) => domain)
  return [...byDomain]
    .filter(([, services]) => services.length > 1)
    .map(([domain, services]) => `${domain} is named by ${services.map(({ service }) => service.name).join(' and ')}`)
}
