import { expect, test } from 'vitest'
import { canonicalIp, mayConnectTo, networkOf } from './ip-address.ts'

test.each([
  ['192.0.2.10', '192.0.2.10'],
  ['2001:DB8::0001', '2001:db8::1'],
  ['::ffff:10.0.0.1', '::ffff:a00:1'],
  ['127.1', undefined],
  ['2130706433', undefined],
  ['010.0.0.1', undefined],
  ['256.0.0.1', undefined],
  ['[::1]', undefined],
  ['::1%lo', undefined],
  ['1::2::3', undefined],
  ['example.com', undefined],
])('the address in %s is %s', (text, address) => {
  expect(canonicalIp(text)).toBe(address)
})

test.each([
  '8.8.8.8',
  '168.63.129.15',
  '168.63.129.17',
  '100.128.0.1',
  '172.32.0.1',
  '2606:4700::1111',
  '::ffff:8.8.8.8',
])('%s is public', (address) => {
  expect(mayConnectTo(address, [])).toBe(true)
})

const ipv4 = ['0.0.0.0', '10.0.0.5', '100.100.100.200', '127.0.0.1', '127.255.255.255', '169.254.169.254', '172.17.0.1']
const otherIpv4 = ['172.31.255.255', '192.168.1.1', '198.19.0.1', '224.0.0.1', '255.255.255.255']
const ipv6 = [
  '::',
  '::1',
  'fd00::1',
  'fe80::1',
  'ff02::1',
  '64:ff9b::a00:1',
  '2002:a00:1::',
  '2001::1',
  '::ffff:127.0.0.1',
]
/** Where clouds answer their own machines, also as they are spelled through IPv6, NAT64 and 6to4. */
const clouds = [
  ...['168.63.129.16', '::ffff:168.63.129.16', '64:ff9b::a83f:8110', '64:ff9b:1::a83f:8110', '2002:a83f:8110::1'],
  ...['169.254.169.254', '::ffff:a9fe:a9fe', '169.254.170.2', '169.254.42.42', '192.0.0.192', '100.100.100.200'],
  ...['fd00:ec2::254', 'fd20:ce::254', 'fd00:42::42', 'fe80::a9fe:a9fe'],
]
const registry = ['192.0.0.9', '192.88.99.1', '100::1', '2001:20::1', '3fff::1', '5f00::1', 'fec0::1', '::8.8.8.8']
test.each([...ipv4, ...otherIpv4, ...ipv6, ...clouds, ...registry, 'example.com', ''])(
  '%s is not to be connected to',
  (address) => {
    expect(mayConnectTo(address, [])).toBe(false)
  },
)

test.each([
  ['10.1.2.3', '10.0.0.0/8', true],
  ['11.1.2.3', '10.0.0.0/8', true],
  ['172.16.0.1', '10.0.0.0/8', false],
  ['127.0.0.1', '127.0.0.1', true],
  ['127.0.0.2', '127.0.0.1', false],
  ['192.168.1.130', '192.168.1.128/25', true],
  ['192.168.1.127', '192.168.1.128/25', false],
  ['::ffff:10.0.0.1', '10.0.0.0/8', true],
  ['fd00::1', 'fd00::/8', true],
  ['fe80::1', 'fd00::/8', false],
  ['10.0.0.1', '10.0.0.0/33', false],
  ['10.0.0.1', '10.0.0.0/8/8', false],
  ['10.0.0.1', '10.0.0.0/', false],
  ['10.0.0.1', 'everything', false],
  ['10.0.0.1', '0.0.0.0/0', true],
])('%s with %s allowed: %s', (address, network, answer) => {
  expect(mayConnectTo(address, [network])).toBe(answer)
})

test.each([
  ['203.0.113.1', '203.0.113.1'],
  ['::ffff:203.0.113.1', '203.0.113.1'],
  ['2001:db8:1:2:3:4:5:6', '20010db800010002/64'],
  ['2001:DB8:1:2::', '20010db800010002/64'],
  ['fe80::1%eth0', 'fe80000000000000/64'],
  ['::1', '0000000000000000/64'],
  ['unknown', 'unknown'],
  ['', ''],
])('a caller from %s is counted as %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
