import { expect, test } from 'vitest'
import type { Upstream } from '../balance-group.ts'
import { upstreamList } from './upstream-list.ts'

const sound: Upstream = { name: 't1', address: '10.0.0.5', port: 32_768 }
const textOf = (changes: Partial<Upstream>, port = 20_000) =>
  upstreamList([{ port, upstreams: [{ ...sound, ...changes }] }]).text

test('each upstream is a line, whatever the order they come in', () => {
  const groups = [
    { port: 20_002, upstreams: [{ name: 'b', address: 'fd00::5', port: 80 }, sound] },
    { port: 20_000, upstreams: [] },
  ]
  const text = '20002 b fd00::5 80\n20002 t1 10.0.0.5 32768\n'
  expect(upstreamList(groups)).toEqual({ text, refused: [] })
  const turned = groups.map((group) => ({ ...group, upstreams: group.upstreams.toReversed() })).toReversed()
  expect(upstreamList(turned).text).toBe(text)
})

test.each<[string, Partial<Upstream>]>([
  ['a second command', { name: 't1;shutdown sessions server kept20001/t9' }],
  ['a second line', { name: 't1 10.0.0.6 80\n20001 t2' }],
  ['a space', { name: 't 1' }],
  ['nothing', { name: '' }],
  ['an option', { name: '-t1' }],
  ['another backend', { name: 'kept20001/t1' }],
  ['a comma', { name: 't1,t2' }],
  ['a long name', { name: 'x'.repeat(65) }],
  ['a name in place of an address', { address: 'metadata.internal' }],
  ['an address with more behind it', { address: '10.0.0.5 weight 256' }],
  ['an address with a command', { address: '10.0.0.5;show info' }],
  ['a socket', { address: 'unix@/run/docker.sock' }],
  ['the address of every machine', { address: '0.0.0.0' }],
  ['where a cloud answers its machines', { address: '169.254.169.254' }],
  ['a link-local address', { address: 'fe80::1' }],
  ['an IPv4 address in another spelling', { address: '::ffff:10.0.0.5' }],
  ['an IPv6 address in another spelling', { address: 'FD00::5' }],
  ['multicast', { address: '224.0.0.1' }],
  ['port 0', { port: 0 }],
  ['a port that is none', { port: 65_536 }],
  ['half a port', { port: 80.5 }],
  ['no number', { port: Number.NaN }],
])('%s is refused, and the others stay', (_, changes) => {
  const other = { ...sound, name: 'other' }
  const { text, refused } = upstreamList([{ port: 20_000, upstreams: [{ ...sound, ...changes }, other] }])
  expect(text).toBe('20000 other 10.0.0.5 32768\n')
  expect(refused).toHaveLength(1)
  expect(refused.join()).not.toContain('\n')
})

test.each([19_999, 21_000, 0, -1, 20_000.5, Number.NaN])('%d is no group', (port) => {
  expect(textOf({}, port)).toBe('')
})

test('a name counts once, so that no upstream takes the place of another', () => {
  const groups = [20_000, 20_001].map((port) => ({ port, upstreams: [sound] }))
  expect(upstreamList(groups)).toEqual({ text: '20000 t1 10.0.0.5 32768\n', refused: ['"20001/t1"'] })
})

test('a huge group is cut, takes nothing from another, and what is refused is bounded', () => {
  const upstreams = Array.from({ length: 100_000 }, (_, at) => ({ ...sound, name: `t${at}` }))
  const other = { port: 20_001, upstreams: [{ ...sound, name: 'other' }] }
  const { text, refused } = upstreamList([{ port: 20_000, upstreams }, other])
  expect(text.split('\n')).toHaveLength(252)
  expect(text).toContain('20001 other ')
  expect(refused).toHaveLength(100)
})
