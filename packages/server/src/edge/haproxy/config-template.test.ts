import { expect, test } from 'vitest'
import { configTemplate, isOurConfig } from './config-template.ts'
import { haproxyConfig } from './haproxy-config.ts'

const folder = '/home/shipway/.shipway/a1b2c3/edge'

const filled = (http: string, https: string): string =>
  configTemplate()
    .replaceAll('@folder@', folder)
    .replaceAll('@http_port@', http)
    .replaceAll('@https_port@', https)
    .replaceAll('@https_in_address@', https === '443' ? '' : `:${https}`)

test.each([
  ['80', '443'],
  ['8080', '8443'],
])('with the blanks filled in it is the configuration for the ports %s and %s', (http, https) => {
  const addresses = { folder, httpAddress: `:${http}`, httpsAddress: `:${https}` }
  expect(filled(http, https)).toBe(haproxyConfig({ ...addresses, isOnIpv6: true }))
  expect(filled(http, https).replaceAll(/^.* v6only.*\n/gm, '')).toBe(haproxyConfig(addresses))
})

test('a configuration of this version is recognized, with any ports', () => {
  expect(isOurConfig(filled('80', '443'), folder)).toBe(true)
  expect(isOurConfig(filled('80', '443').replaceAll(/^.* v6only.*\n/gm, ''), folder)).toBe(true)
  expect(isOurConfig(haproxyConfig({ folder, httpAddress: '127.0.0.1:8080', httpsAddress: null }), folder)).toBe(true)
})

test('a configuration for balance groups is another one', () => {
  const text = haproxyConfig({ folder, httpAddress: ':80', httpsAddress: ':443', isBalanced: true })
  expect(configTemplate({ isBalanced: true }).replaceAll('@folder@', folder)).toContain(`${folder}/routes.map`)
  expect(isOurConfig(text, folder, { isBalanced: true })).toBe(true)
  expect(isOurConfig(text, folder)).toBe(false)
  expect(isOurConfig(filled('80', '443'), folder, { isBalanced: true })).toBe(false)
})

test('a changed configuration, or one for another folder, is not', () => {
  const text = filled('80', '443')
  expect(isOurConfig(text.replace('maxconn', 'nbthread 1\n  maxconn'), folder)).toBe(false)
  expect(isOurConfig(text, '/srv/edge')).toBe(false)
  expect(isOurConfig('', folder)).toBe(false)
  expect(isOurConfig('  bind :99999999999\n', folder)).toBe(false)
})
