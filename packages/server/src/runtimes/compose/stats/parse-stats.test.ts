// What a hostile server may print instead of its counters.
import { expect, test } from 'vitest'
import { parseReport, parseStats } from './parse-stats.ts'

const id = 'a'.repeat(64)
const container = (more: object = {}) => JSON.stringify({ id, environment: '7', service: 'web', ...more })
const parse = (...lines: readonly string[]) =>
  parseStats([...lines, ''].join('\n'), { ports: [80], hasContainers: true })
const unread = {
  cpuSeconds: null,
  memoryBytes: null,
  memoryLimitBytes: null,
  networkInBytes: null,
  networkOutBytes: null,
}

test.each([
  ['usage', 'nothing behind it'],
  [`usage ${id} 3 1 1 1 1 1 1 1`, 'an unknown version'],
  [`usage ${id} 2 -5 -1 -1 -1 -1 -1 -1`, 'negative numbers'],
  [`usage ${id} 2 1e9 1e9 0x10 1.5 nan inf ∞`, 'other spellings of numbers'],
  [
    `usage ${id} 2 ${'9'.repeat(19)} ${'9'.repeat(19)} 0 ${'9'.repeat(19)} ${'9'.repeat(19)} ${'9'.repeat(19)} ${'9'.repeat(19)}`,
    'absurd numbers',
  ],
  [`usage ${id} 2 ${'9'.repeat(2000)}`, 'a long line'],
])('%s counts as not measured: %s', (line) => {
  expect(parse(container(), line).services).toEqual([
    { key: id, environmentId: 7, service: 'web', uptimeSeconds: 0, ...unread, oomKills: null },
  ])
})

test.each([
  container({ id: 'short' }),
  container({ id: `${'a'.repeat(63)}/` }),
  container({ environment: '-1' }),
  container({ environment: 7 }),
  container({ environment: '1e3' }),
  container({ service: '' }),
  container({ service: 'x'.repeat(201) }),
  '{',
  '{}',
  'null',
])('%s is no container', (line) => {
  expect(parse(line).services).toEqual([])
})

test('more cache than memory is no negative use, and a limit that no machine has is none', () => {
  const [usage] = parse(container(), `usage ${id} 1 2000000000 10 20 9223372036854771712 0 1 2`).services ?? []
  expect(usage).toMatchObject({ cpuSeconds: 2, memoryBytes: 0, memoryLimitBytes: null, networkInBytes: 1 })
})

test('containers, kills and ports are bounded, and only ports that were asked for count', () => {
  const many = Array.from({ length: 5_000 }, (_, index) => container({ id: index.toString(16).padStart(64, '0') }))
  const kills = Array.from({ length: 5_000 }, () => 'oom {"environment":"7","service":"web"}')
  const stats = parse(...many, ...kills, 'port 80 100 10', 'port 81 100 10', 'port 80 x 1', 'clock 12')
  expect(stats.services).toHaveLength(2_000)
  expect(stats.kills).toEqual([{ environmentId: 7, service: 'web', times: 1_000 }])
  expect([...stats.ports]).toEqual([[80, { ...unread, cpuSeconds: 1, memoryBytes: 10_240, oomKills: null }]])
  expect(stats.killsUntil).toBe(12)
})

test('the report of a machine has its time, and what each container uses', () => {
  const { uptimeSeconds, usages } = parseReport(
    `disk x\nuptime 12.34 1\nusage ${id} 2 2000000 30 10 max 1 5 6\nusage x`,
  )
  expect(uptimeSeconds).toBe(12.34)
  expect(usages.get(id)).toEqual({
    ...{ cpuSeconds: 2, memoryBytes: 20, memoryLimitBytes: null, networkInBytes: 5, networkOutBytes: 6 },
    oomKills: 1,
  })
  expect(parseReport('')).toEqual({ uptimeSeconds: 0, usages: new Map() })
})

test('where Docker gave no answer, nothing is known of services', () => {
  expect(parse('unasked', container())).toMatchObject({ services: undefined, kills: [], killsUntil: null })
})

test('a machine that lies about itself has no figures', () => {
  const lies = ['uptime -5', 'cores 99999', 'cpu 1 2 x 4 5 6 7 8', 'memory 10 20', 'load nan']
  expect(parse(...lies).machine).toEqual({
    uptimeSeconds: 0,
    cores: null,
    cpuSeconds: null,
    memoryBytes: null,
    memoryTotalBytes: null,
    load: null,
    disk: null,
  })
  expect(parse('cpu 100 0 200 9999 9999 0 100 0 7 7').machine.cpuSeconds).toBe(4)
})

test('nothing at all is read as nothing', () => {
  expect(parseStats('', { ports: [], hasContainers: true }).services).toEqual([])
})
