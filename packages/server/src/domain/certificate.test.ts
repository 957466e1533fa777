// Names that a certificate is shown for, and the times at which something is done about it.
import { expect, test } from 'vitest'
import { certificateProblems, covers, hostsOf, isAboutToEnd, renewalAt, retryDelay } from './certificate.ts'

const DAY_MS = 86_400_000

test.each([
  ['app.example.com', ['app.example.com'], true],
  ['app.example.com', ['*.example.com'], true],
  ['a.b.example.com', ['*.example.com'], false],
  ['example.com', ['*.example.com'], false],
  ['com', ['*.com', '*'], false],
  ['appexample.com', ['*.example.com'], false],
])('%s under %j is covered: %s', (domain, names, expected) => {
  expect(covers(names, domain)).toBe(expected)
})

const project = { domain: 'app.example.com', customDomains: ['shop.example.org'] }

test.each([
  [['*.app.example.com'], ['*.app.example.com']],
  [
    ['app.example.com', 'www.app.example.com'],
    ['app.example.com', 'www.app.example.com'],
  ],
  [['*.example.com'], ['app.example.com']],
  [
    ['*.example.org', '*.app.example.com'],
    ['*.app.example.com', 'shop.example.org'],
  ],
  [['other.example.com', '*.com', 'xapp.example.com'], []],
])('a supplied certificate for %j is shown for %j', (names, hosts) => {
  expect(hostsOf(names, project)).toEqual(hosts)
})

test.each([
  [90, 60, 67.5],
  [365, 365 - 365 / 3, 335],
  [0.5, 0.5 - 0.5 / 3, 0.375],
])('a certificate of %d days is renewed after %d, and about to end after %d', (days, renewal, end) => {
  const validity = { notBefore: 0, notAfter: days * DAY_MS }
  expect(renewalAt(validity)).toBeCloseTo(renewal * DAY_MS)
  expect(isAboutToEnd(validity, end * DAY_MS - 1)).toBe(false)
  expect(isAboutToEnd(validity, end * DAY_MS)).toBe(true)
})

test('failed orders wait longer each time, up to a day', () => {
  expect([1, 2, 3, 4, 5, 6, 7, 50].map((failures) => retryDelay(failures) / 60_000)).toEqual([
    5, 15, 45, 135, 405, 1215, 1440, 1440,
  ])
})

test('problems are said in sentences', () => {
  const supplied = {
    source: 'supplied',
    domain: null,
    names: ['*.app.example.com'],
    lastError: null,
    issued: { notBefore: 0, notAfter: DAY_MS },
  } as const
  const ordered = { ...supplied, source: 'acme', domain: 'a.app.example.com', names: ['a.app.example.com'] } as const
  const domains = ['a.app.example.com', 'shop.example.org']
  const at = (tls: 'off' | 'certificate' | 'automatic', now: number) => ({ project: { ...project, tls }, domains, now })
  expect(certificateProblems(supplied, at('certificate', 0))).toEqual(['It does not cover shop.example.org'])
  expect(certificateProblems(supplied, at('off', DAY_MS))).toEqual([
    'It ended at 1970-01-02T00:00:00.000Z',
    "It is not in use: the project's tls is off, not certificate",
    'It does not cover shop.example.org',
  ])
  expect(certificateProblems(ordered, at('automatic', 0))).toEqual([])
  expect(
    certificateProblems({ ...ordered, lastError: 'It was refused' }, { ...at('automatic', 0), domains: [] }),
  ).toEqual(['No environment answers at a.app.example.com any more', 'It was refused'])
})
