import { describe, expect, test } from 'vitest'
import { environmentDomainFault, outsideOf, projectDomainFault } from './domain-rules.ts'

const dashboardHost = 'ship.example.com'

describe('a domain of a project', () => {
  test.each([
    ['free.test', [], undefined],
    ['example.com', [], undefined],
    ['apps.ship.example.com', [], undefined],
    ['ship.example.com', [], 'reserved'],
    ['acme.test', ['acme.test'], 'taken'],
    ['app.acme.test', ['acme.test'], 'taken'],
    ['acme.test', ['deep.app.acme.test'], 'taken'],
    ['myacme.test', ['acme.test'], undefined],
    ['acme.test', ['other.test', 'acme.test.example'], undefined],
    ['co.uk', [], 'public_suffix'],
    ['github.io', ['acme.github.io'], 'public_suffix'],
    ['acme.co.uk', ['other.co.uk'], undefined],
    ['apps.internal', [], undefined],
  ])('%s beside %j is %s', (domain, foreign, code) => {
    expect(projectDomainFault(domain, { dashboardHost, foreign })?.code).toBe(code)
  })

  test('the sentence does not reveal who owns the other domain', () => {
    const fault = projectDomainFault('acme.test', { dashboardHost, foreign: ['secret.acme.test'] })
    expect(fault?.detail).not.toContain('secret')
  })
})

describe('a domain of an environment', () => {
  const project = { domain: 'example.com', customDomains: ['shop.test', 'pr-9.example.com'] }
  test.each([
    ['main.example.com', undefined],
    ['example.com', undefined],
    ['a.b.example.com', undefined],
    ['shop.test', undefined],
    ['www.shop.test', undefined],
    ['pr-x.example.com', undefined],
    ['pr-7x.example.com', undefined],
    ['xpr-7.example.com', undefined],
    ['a.pr-7.example.com', undefined],
    ['pr-7.example.com', 'reserved'],
    ['pr-7-api.example.com', 'reserved'],
    ['pr-007.example.com', 'reserved'],
    ['pr-9.example.com', 'reserved'],
    ['pr-7.shop.test', 'reserved'],
    ['pr-7-.shop.test', 'reserved'],
    ['pr-7.api.shop.test', 'reserved'],
    ['ship.example.com', 'reserved'],
    ['elsewhere.test', 'outside_project'],
    ['notexample.com', 'outside_project'],
    ['com', 'outside_project'],
  ])('%s is %s', (domain, code) => {
    const environment = { name: 'main', type: 'manual' } as const
    expect(environmentDomainFault(domain, { project, environment, dashboardHost })?.code).toBe(code)
  })

  test('a public suffix beneath a domain of the project is refused', () => {
    const fault = (domain: string) =>
      environmentDomainFault(domain, {
        project: { domain: 'amazonaws.com', customDomains: [] },
        environment: { name: 'main', type: 'manual' },
        dashboardHost,
      })
    expect(fault('s3.amazonaws.com')?.code).toBe('public_suffix')
    expect(fault('www.amazonaws.com')).toBeUndefined()
  })

  test('a pull-request environment may go back to the domains of its own number, and to no other', () => {
    const own = { project, environment: { name: 'pr-7', type: 'pull_request' }, dashboardHost } as const
    for (const domain of ['pr-7.example.com', 'pr-7-api.example.com', 'pr-7.shop.test', 'more.example.com']) {
      expect(environmentDomainFault(domain, own)).toBeUndefined()
    }
    for (const domain of ['pr-8.example.com', 'pr-70.example.com', 'pr-8-api.shop.test']) {
      expect(environmentDomainFault(domain, own)?.code).toBe('reserved')
    }
  })
})

test('a project that changes its domains leaves outside what neither its base nor a custom domain covers', () => {
  const taken = [{ domain: 'a.old.test' }, { domain: 'b.new.test' }, { domain: 'shop.test' }]
  expect(outsideOf(taken, { domain: 'new.test', customDomains: ['shop.test'] })).toEqual([{ domain: 'a.old.test' }])
})
