import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { networkKey, releaseNetworks, unneededNetworks } from './release-networks.ts'

const networksOf = (networks: Record<string, unknown>) =>
  releaseNetworks(modelOf({ web: {} }, { networks }), 42).map(({ key, name }) => [key, name])
const project = modelOf({}).name

test('a release has networks of its own, named so that later releases come later, and earlier forms first', () => {
  expect(networksOf({ default: {}, back: { internal: true } })).toEqual([
    ['default', `${project}r0000000042_default`],
    ['back', `${project}r0000000042_back`],
  ])
  const names = [9, 10, 1_000_000].map((task) => releaseNetworks(modelOf({}, { networks: { a: {} } }), task)[0]?.name)
  expect([...names, `${project}_zone`].toSorted()).toEqual([`${project}_zone`, ...names])
})

test.each([
  [{ external: true, name: 'proxy' }],
  [{ driver: 'macvlan' }],
  [{ driver_opts: { 'com.docker.network.bridge.name': 'br0' } }],
  [{ driver_opts: { 'com.docker.network.driver.mtu': 'much' } }],
  [{ enable_ipv6: true, ipam: { config: [{ subnet: 'fd00::/64' }] } }],
  [{ enable_ipv4: false }],
  [{ ipam: { driver: 'other' } }],
])('all versions share the network %j', (definition) => {
  expect(networksOf({ n: definition })).toEqual([])
})

test('settings that each network can have are those of the release too', () => {
  const networks = {
    n: { internal: true, attachable: true, enable_ipv6: true, driver_opts: { 'com.docker.network.driver.mtu': 1400 } },
  }
  expect(releaseNetworks(modelOf({}, { networks }), 1)).toMatchObject([
    { isInternal: true, isAttachable: true, hasIpv6: true, mtu: '1400' },
  ])
})

test('the key of a network is read from its name, of whichever release it is', () => {
  expect(networkKey('shipway-main-7_a_b', 'shipway-main-7')).toBe('a_b')
  expect(networkKey('shipway-main-7r0000000042_a_b', 'shipway-main-7')).toBe('a_b')
  expect(networkKey('shipway-main-77_a', 'shipway-main-7')).toBeUndefined()
  expect(networkKey('bridge', 'shipway-main-7')).toBeUndefined()
})

test('a network goes with the last container of its release, and one without a release when nothing is in it', () => {
  const network = (name: string, release: number, driver = 'bridge') => ({ name, release, driver })
  const networks = [
    ...[network('r1', 1), network('r2', 2), network('r3', 3)],
    ...[network('before', 0), network('empty', 0), network('shared', 0, 'macvlan')],
  ]
  const containers = [
    { release: 1, networks: ['r1', 'r2', 'r3'] },
    { release: 3, networks: ['r3', 'before'] },
  ]
  expect(unneededNetworks(networks, containers).map(({ name }) => name)).toEqual(['r2', 'empty'])
})
