import { expect, test } from 'vitest'
import { domainTo } from '../../../test/haproxy-edge.ts'
import { haproxyFiles } from './haproxy-state.ts'

const digest = '0123456789abcdef'.repeat(4)

test('a state is one line for each domain, sorted by domain', () => {
  const domains = [
    domainTo(20_001, { domain: 'b.example.com', environmentId: 12, isSecure: true }),
    domainTo(null, { domain: 'a.example.com', environmentId: 3 }),
    domainTo(20_002, { domain: 'c.example.com', environmentId: 4, digest }),
  ]
  const { routes, acme, refused } = haproxyFiles({ domains, acmeThumbprint: null })
  expect(routes.split('\n')).toEqual([
    'a.example.com 0:3:none:http',
    'b.example.com 20001:12:none:https',
    `c.example.com 20002:4:${digest}:http`,
    '',
  ])
  expect({ acme, refused }).toEqual({ acme: '', refused: [] })
  expect(haproxyFiles({ domains: domains.toReversed(), acmeThumbprint: null }).routes).toBe(routes)
})

test('an invalid thumbprint is left out', () => {
  const thumbprint = 'x'.repeat(43)
  expect(haproxyFiles({ domains: [], acmeThumbprint: thumbprint }).acme).toBe(`thumbprint ${thumbprint}\n`)
  expect(haproxyFiles({ domains: [], acmeThumbprint: `${thumbprint}\n` }).acme).toBe('')
})

test.each([
  'example.com`) || PathPrefix(`/',
  'example.com;return 301 http://evil',
  'http://$(whoami).example.com',
  'http://example.com/$(whoami)',
  'http://`whoami`.example.com',
  '*.example.com',
  '[::1]',
  '127.0.0.1',
  'example..com',
  'example-.com',
  `${'a'.repeat(64)}.com`,
  'a.'.repeat(130),
  ' example.com',
  'EXAMPLE.com.',
  'EXAMPLE.com',
  'user@example.com',
  'https://example.com',
  'ftp://example.com',
  '%65xample.com',
  'example.com\0.evil',
  'example.com 20001:1:none:http\nevil.test',
  'example.com\n',
  'example.com #',
  '#example.com',
  'exämple.com',
  'localhost',
  '',
])('the domain %j is left out, and the others stay', (domain) => {
  const sound = domainTo(20_001, { domain: 'sound.example.com' })
  const { routes, refused } = haproxyFiles({
    domains: [domainTo(20_002, { domain }), sound],
    acmeThumbprint: null,
  })
  expect(routes).toBe('sound.example.com 20001:1:none:http\n')
  expect(refused).toEqual([domain])
})

test.each([
  { port: 0 },
  { port: 65_536 },
  { port: 1.5 },
  { port: Number.NaN },
  { environmentId: 0 },
  { environmentId: -1 },
  { digest: '' },
  { digest: digest.toUpperCase() },
  { digest: `${digest}\n` },
])('an entry with %j is left out', (changes) => {
  const { routes, refused } = haproxyFiles({ domains: [domainTo(20_001, changes)], acmeThumbprint: null })
  expect({ routes, refused }).toEqual({ routes: '', refused: ['app.test'] })
})

test('of two entries for a domain the first counts', () => {
  const domains = [domainTo(20_001), domainTo(20_002)]
  expect(haproxyFiles({ domains, acmeThumbprint: null })).toMatchObject({
    routes: 'app.test 20001:1:none:http\n',
    refused: ['app.test'],
  })
})
