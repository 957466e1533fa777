import { expect, test } from 'vitest'
import { defaultDomain, environmentNameOf } from './default-domain.ts'

test.each([
  [{ name: 'shop', projectDomains: ['books.example.com'], hostnames: ['harbor.example.net'] }, 'shop.example.com'],
  [{ name: 'My Shop', projectDomains: [], hostnames: ['harbor.example.net'] }, 'my-shop.harbor.example.net'],
  [{ name: 'shop', projectDomains: ['blog.localhost'], hostnames: [] }, 'shop.localhost'],
  [{ name: 'shop', projectDomains: ['example'], hostnames: ['203.0.113.7'] }, ''],
  [{ name: 'shop', projectDomains: [], hostnames: ['2001:db8::1'] }, ''],
  [{ name: '---', projectDomains: ['books.example.com'], hostnames: [] }, ''],
])('%j gets the domain %s', (known, domain) => {
  expect(defaultDomain(known)).toBe(domain)
})

test.each([
  ['main', 'main'],
  ['feature/New_Checkout', 'feature-new-checkout'],
  ['/', 'main'],
])('the environment of the branch %s is called %s', (branch, name) => {
  expect(environmentNameOf(branch)).toBe(name)
})
