// What is said of the set-up line where the platform has an address that others may not reach.
import { expect, test } from 'vitest'
import { setUpWarning } from './set-up-warning.ts'

test.each([
  [
    'http://localhost:7878',
    /^No other machine reaches http:\/\/localhost:7878, .*a proxy with TLS.*, set SHIPWAY_BASE_URL/,
  ],
  [
    'http://192.168.1.5:7878',
    /^Only machines in the same network reach http:\/\/192\.168\.1\.5:7878, .* set SHIPWAY_BASE_URL/,
  ],
])('%s', (baseUrl, words) => expect(setUpWarning(baseUrl)).toMatch(words))

test('a public name needs no warning', () => expect(setUpWarning('https://ship.example.com')).toBeNull())
