import { expect, test } from 'vitest'
import { Secret } from '../secrets/secret.ts'
import { basicAuthOf, hostnameOf, isAuthorized } from './route.ts'

const header = (credentials: string | Buffer): string => `Basic ${Buffer.from(credentials).toString('base64')}`

test.each([
  ['ada', 'secret'],
  ['ada', 'with:colons:'],
  ['ada', ' spaces around '],
  ['ada', '"; <script> $(id) `id` \\'],
  ['Ærøskøbing', 'pässwörd ✓ 🙂'],
  ['a', 'x'.repeat(72)],
])('the credentials of %j are accepted, and nothing near them', (username, password) => {
  const basicAuth = basicAuthOf(username, new Secret(password))
  expect(isAuthorized(basicAuth, header(`${username}:${password}`))).toBe(true)
  expect(isAuthorized(basicAuth, header(`${username}:${password}`).replace('Basic', 'bAsIc'))).toBe(true)
  for (const wrong of [
    `${username}:`,
    `:${password}`,
    `${username}:${password} `,
    `${username}:${password}\0`,
    ` ${username}:${password}`,
    `${username}${password}`,
    `${username.toUpperCase()}x:${password}`,
    '',
    ':',
  ]) {
    expect(isAuthorized(basicAuth, header(wrong)), wrong).toBe(false)
  }
})

test('a password in another encoding is another password', () => {
  const basicAuth = basicAuthOf('ada', new Secret('pässwörd'))
  expect(isAuthorized(basicAuth, header(Buffer.from('ada:pässwörd', 'latin1')))).toBe(false)
})

test.each([
  undefined,
  '',
  'Basic',
  'Basic ',
  'Basic =',
  'Basic ====',
  'Bearer YWRhOnNlY3JldA==',
  'BasicYWRhOnNlY3JldA==',
  'Basic YWRhOnNlY3JldA== x',
  'Basic YWRhOnNlY3JldA==, Basic YWRhOnNlY3JldA==',
  'Basic ada:secret',
  `Basic ${'A'.repeat(15_000)}`,
])('the header %j opens nothing', (authorization) => {
  expect(isAuthorized(basicAuthOf('ada', new Secret('secret')), authorization)).toBe(false)
})

test('the stored digest does not contain the password', () => {
  expect(JSON.stringify(basicAuthOf('ada', new Secret('hunter2')))).not.toContain('hunter2')
})

test.each([
  ['app.test', 'app.test'],
  ['APP.Test:8080', 'app.test'],
  ['app.test.', 'app.test'],
  ['app.test.:80', 'app.test'],
  ['app.test:', 'app.test'],
  ['app.test..', 'app.test.'],
  ['app.test:80:90', 'app.test:80'],
  ['[::1]:80', '[::1]'],
  ['', ''],
])('the Host %j is the name %j', (host, name) => {
  expect(hostnameOf(host)).toBe(name)
})
