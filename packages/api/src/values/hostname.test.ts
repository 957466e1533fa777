import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Hostname, isUnder, Port, ServerHostname, UnixUser } from './hostname.ts'
import { codeOf } from './rule.ts'

test.each([
  ['example.com', 'example.com'],
  ['EXAMPLE.com', 'example.com'],
  ['hello.localhost', 'hello.localhost'],
  ['a.b.c.d.example', 'a.b.c.d.example'],
  ['r3---sn.example', 'r3---sn.example'],
  ['1.example', '1.example'],
  ['münchen.DE', 'xn--mnchen-3ya.de'],
  ['mu\u0308nchen.de', 'xn--mnchen-3ya.de'],
  ['XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
  ['straße.example', 'xn--strae-oqa.example'],
  ['日本.例え', 'xn--wgv71a.xn--r8jz45g'],
  ['xn--e28h.example', 'xn--e28h.example'],
  [`${'a'.repeat(63)}.com`, `${'a'.repeat(63)}.com`],
])('the domain %s is stored as %s', (text, stored) => {
  expect(Hostname.parse(text)).toBe(stored)
})

const otherThings = [
  'example.com`) || PathPrefix(`/',
  'example.com;return 301 http://evil',
  'http://$(whoami).example.com',
  'http://example.com/$(whoami)',
  'http://`whoami`.example.com',
  '*.example.com',
  'user@example.com',
  'https://example.com',
  'ftp://example.com',
  '%65xample.com',
  'example.com\0.evil',
  'example.com:80',
  'example.com/',
  'example.com?x',
  'example.com#x',
  'example.com\\x',
  ' example.com',
  'example.com\n',
  'a_b.example',
  '',
]
const badLabels = [
  'example..com',
  '.example.com',
  'EXAMPLE.com.',
  'example-.com',
  '-example.com',
  `${'a'.repeat(64)}.com`,
  'a.'.repeat(130),
  `${'a.'.repeat(126)}ab`,
  'localhost',
  'a。b',
]
const addresses = [
  '[::1]',
  '::1',
  '127.0.0.1',
  '127.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  'a.0x7f',
  'example.1',
  '１.１.１.１',
]
const lookAlikes = [
  'ｅxample.com',
  'ﬁ.com',
  '①.com',
  'exam\u00adple.com',
  'exam\ufe0fple.com',
  'a\u200bb.com',
  '\ud800.com',
]
const notDecoding = [
  'xn--.com',
  'xn--a.com',
  'xn--a-.com',
  'xn--example-.com',
  'xn--99999999999.com',
  'xn--zzzzzzzz.com',
  'xn--ü.com',
]
test.each([...otherThings, ...badLabels, ...addresses, ...lookAlikes, ...notDecoding])('%j is no domain', (text) => {
  expect(Hostname.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_domain'])
})

test('every accepted domain is letters, digits and hyphens, and stays as it is', () => {
  const label = fc.oneof(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }),
    fc.stringMatching(/^(xn--)?[a-z0-9-]{1,8}$/),
  )
  const text = fc.oneof(
    fc.domain(),
    fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => labels.join('.')),
  )
  let accepted = 0
  fc.assert(
    fc.property(text, (text) => {
      const { data } = Hostname.safeParse(text)
      if (data === undefined) return
      accepted += 1
      expect(data).toMatch(/^([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/)
      expect(data).not.toMatch(/\.[0-9]+$/)
      expect(data.length).toBeLessThanOrEqual(253)
      expect(Hostname.parse(data)).toBe(data)
    }),
    { numRuns: 1000 },
  )
  expect(accepted).toBeGreaterThan(100)
})

test.each([
  ['app.example.com', 'example.com', true],
  ['example.com', 'example.com', true],
  ['badexample.com', 'example.com', false],
  ['example.com', 'app.example.com', false],
  ['example.com.evil.example', 'example.com', false],
])('whether %s is under %s: %s', (domain, parent, answer) => {
  expect(isUnder(domain, parent)).toBe(answer)
})

test.each([
  ['localhost', 'localhost'],
  ['Server-1', 'server-1'],
  ['server-1.example.com', 'server-1.example.com'],
  ['127.0.0.1', '127.0.0.1'],
  ['::1', '::1'],
  ['2001:DB8:0:0::1', '2001:db8::1'],
])('a server is reached at %s, stored as %s', (text, stored) => {
  expect(ServerHostname.parse(text)).toBe(stored)
})

const serverFields = ['host;id', 'host\nProxyCommand x', '127.0.0.1 -p 22', '', '0']
const oddAddresses = ['127.1', '0x7f000001', '127.0.0.256', '127.0.0.01', '[::1]', 'fe80::1%eth0', ':::', '1.2.3.4.5']
const options = ['-oProxyCommand=x', '-host', 'user@host', 'host:22', '*', 'host.']
test.each([...serverFields, ...oddAddresses, ...options])('no server is reached at %j', (text) => {
  expect(ServerHostname.safeParse(text).error?.issues.map(codeOf)).toEqual(['invalid_hostname'])
})

test('a port is a number from 1 to 65535', () => {
  for (const port of [1, 22, 65_535]) expect(Port.parse(port)).toBe(port)
  for (const port of [0, -1, 65_536, 22.5, '22', null]) expect(Port.safeParse(port).success).toBe(false)
})

test('a user of a server is a plain lower-case name', () => {
  for (const user of ['root', '_deploy', 'a-b_1', 'a'.repeat(32)]) expect(UnixUser.parse(user)).toBe(user)
  for (const user of ['', '-l', 'Root', '1a', 'a b', 'a;id', 'a\n', 'a@b', 'a'.repeat(33)]) {
    expect(UnixUser.safeParse(user).error?.issues.map(codeOf)).toEqual(['invalid_user'])
  }
})
