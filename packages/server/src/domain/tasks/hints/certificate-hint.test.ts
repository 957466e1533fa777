// Hints after failed orders, from the words of authorities.
import { expect, test } from 'vitest'
import { certificateHint } from './certificate-hint.ts'

test.each([
  [
    'DNS problem: NXDOMAIN looking up A for app.example.com - check that a DNS record exists for this domain',
    /add an A or AAAA record/,
  ],
  [
    'no valid A records found for app.example.com; no valid AAAA records found for app.example.com',
    /add an A or AAAA record/,
  ],
  ['192.0.2.7: Fetching http://app.example.com/.well-known/acme-challenge/x: Connection refused', /reach port 80/],
  [
    '192.0.2.7: Fetching http://app.example.com/.well-known/acme-challenge/x: Timeout during connect (likely firewall problem)',
    /reach port 80/,
  ],
  [
    '192.0.2.7: Invalid response from http://app.example.com/.well-known/acme-challenge/x: 404',
    /Something else answers/,
  ],
  [
    'too many certificates (5) already issued for this exact set of identifiers in the last 168h0m0s',
    /limits how often/,
  ],
  ['CAA record for app.example.com prevents issuance', /CAA record of the domain forbids/],
  ['The edge of harbor does not answer yet; a certificate is ordered as soon as it does', /check the server/],
  ['\u001b]8;;https://evil.example\u0007look\u001b]8;;\u0007', /settings of the project show/],
])('%s', (error, words) => {
  const hint = certificateHint({ domain: 'app.example.com', error })
  expect(hint).toMatch(/^The certificate of app\.example\.com could not be ordered/)
  expect(hint).toMatch(words)
  expect(hint).not.toMatch(/evil|acme-challenge/)
})
