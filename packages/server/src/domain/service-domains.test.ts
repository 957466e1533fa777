import type { Service } from '@shipway/rules/service-file/repository-config'
import { expect, test } from 'vitest'
import { domainsOf, MAIN_SERVICE, serviceInRoute } from './service-domains.ts'

const service = (name: string, more: Partial<Service> = {}): Service => ({
  name,
  label: name,
  port: null,
  health: null,
  domain: null,
  isMain: false,
  hasStickySessions: false,
  ...more,
})

const place = {
  environment: { name: 'main', type: 'manual', domain: 'main.shop.example.com' },
  project: { domain: 'shop.example.com', customDomains: ['example.org'] },
  dashboardHost: 'ship.shop.example.com',
} as const

const faultOf = (domain: string) => domainsOf([service('api', { domain })], place).faults

test('services answer at names made from the environment, or at those that the file gives them', () => {
  const services = [
    service('web', { isMain: true }),
    service('api'),
    service('more', { domain: '{env}-more.example.org' }),
  ]
  expect(domainsOf(services, place).domains.map(({ domain }) => domain)).toEqual([
    'main.shop.example.com',
    'main-api.shop.example.com',
    'main-more.example.org',
  ])
})

test('a pull request leaves a custom domain, and says so', () => {
  const environment = { name: 'pr-7', type: 'pull_request', domain: 'pr-7.shop.example.com' } as const
  const { domains, notes } = domainsOf([service('api', { domain: 'api.example.org' })], { ...place, environment })
  expect(domains[0]?.domain).toBe('pr-7-api.shop.example.com')
  expect(notes).toEqual([
    'api: api.example.org is for manual environments; this pull request answers at pr-7-api.shop.example.com',
  ])
})

test.each([
  ['api.shop.example.com', undefined],
  ['api.example.org', undefined],
  ['ship.shop.example.com', 'api: ship.shop.example.com is where the platform itself answers'],
  [
    'api.example.net',
    "api: api.example.net lies under none of the project's domains (shop.example.com, example.org). " +
      "Choose one that does, or have an admin add it to the project's custom domains",
  ],
])('%s: %s', (domain, fault) => {
  expect(faultOf(domain)).toEqual(fault === undefined ? [] : [fault])
})

test.each([
  'pr-7.shop.example.com',
  'pr-7.example.org',
  'pr-7-web.example.org',
  'pr-7-{env}.example.org',
  'pr-7.{env}.example.org',
])('a manual environment cannot claim %s', (domain) => {
  const name = domain.replace('{env}', 'main')
  expect(faultOf(domain)).toEqual([
    `api: ${name} belongs to a pull request, as all names do that begin with pr- and a number. Give api another domain`,
  ])
})

test('a pull request has the names of its own number, and of no other', () => {
  const environment = { name: 'pr-7', type: 'pull_request', domain: 'pr-7.shop.example.com' } as const
  const services = [service('web', { isMain: true }), service('api'), service('more', { domain: '{env}.example.org' })]
  expect(domainsOf(services, { ...place, environment }).faults).toEqual([])
  const evil = [service('web', { domain: 'pr-8-{env}.example.org' })]
  expect(domainsOf(evil, { ...place, environment }).faults).toMatchObject([expect.stringContaining('pr-8-pr-7')])
})

test('two services cannot share a domain', () => {
  const domain = 'api.example.org'
  expect(domainsOf([service('one', { domain }), service('two', { domain })], place).faults).toEqual([
    'api.example.org is named by one and two',
  ])
})

test('only at the domain of its environment does a service stand in routes without its name', () => {
  const { environment } = place
  expect(serviceInRoute({ service: service('web'), domain: environment.domain }, environment)).toBe(MAIN_SERVICE)
  expect(serviceInRoute({ service: service('web'), domain: 'example.org' }, environment)).toBe('web')
})
