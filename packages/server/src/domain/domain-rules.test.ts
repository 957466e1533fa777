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

  test('the sentence does not tell whose domain it meets', () => {
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
    ['pr-9.example.com', undefined],
    ['pr-7.shop.test', undefined],
    ['pr-x.example.com', undefined],
    ['pr-7.example.com', 'reserved'],
    ['pr-7-api.example.com', 'reserved'],
    ['ship.example.com', 'reserved'],
    ['elsewhere.test', 'outside_project'],
    ['notexample.com', 'outside_project'],
    ['com', 'outside_project'],
  ])('%s is %s', (domain, code) => {
    expect(environmentDomainFault(domain, { project, name: 'main', dashboardHost })?.code).toBe(code)
  })

  test('a public suffix beneath a domain of the project is nobody\u2019s', () => {
    const fault = (domain: string) =>
      environmentDomainFault(domain, {
        project: { domain: 'amazonaws.com', customDomains: [] },
        name: 'main',
        dashboardHost,
      })
    expect(fault('s3.amazonaws.com')?.code).toBe('public_suffix')
    expect(fault('www.amazonaws.com')).toBeUndefined()
  })

  test('a pull-request environment may go back to the domain of its own number, and to no other', () => {
    const own = { project, name: 'pr-7', dashboardHost }
    expect(environmentDomainFault('pr-7.example.com', own)).toBeUndefined()
    expect(environmentDomainFault('pr-8.example.com', own)?.code).toBe('reserved')
  })
})

test('a project that changes its domains leaves outside what neither its base nor a custom domain covers', () => {
  const taken = [{ domain: 'a.old.test' }, { domain: 'b.new.test' }, { domain: 'shop.test' }]
  expect(outsideOf(taken, { domain: 'new.test', customDomains: ['shop.test'] })).toEqual([{ domain: 'a.old.test' }])
})
