import { expect, test } from 'vitest'
import { modelOf } from '../../test/compose.ts'
import { readComposeModel, UnreadableCompose } from './read-compose-model.ts'

test('reads what the plan needs, and keeps every key for the policy', () => {
  const { services } = modelOf({
    web: {
      build: { context: '/c' },
      scale: 2,
      expose: ['80', '90/tcp', '53/udp'],
      ports: [{ target: 80, published: '8080' }, { target: 81 }, { target: 54, protocol: 'udp' }],
      volumes: [
        { type: 'volume', source: 'data', target: '/d', read_only: true },
        { type: 'tmpfs', target: '/t' },
      ],
      depends_on: { db: { condition: 'service_healthy', restart: true } },
      healthcheck: { test: ['CMD', 'true'] },
      unheard_of: { a: 1 },
    },
  })
  const web = services.get('web')
  expect(web).toMatchObject({ image: null, replicas: 2, hasHealthcheck: true, exposed: [80, 81, 90] })
  expect(web?.ports).toEqual([
    { target: 80, published: '8080', protocol: 'tcp' },
    { target: 81, published: null, protocol: 'tcp' },
    { target: 54, published: null, protocol: 'udp' },
  ])
  expect(web?.mounts[0]).toEqual({ type: 'volume', source: 'data', target: '/d', isReadOnly: true })
  expect(web?.dependsOn.get('db')).toEqual({ condition: 'service_healthy', isRequired: true })
  expect(web?.definition).toHaveProperty('unheard_of', { a: 1 })
})

test.each([
  [
    { cpus: 0.5, mem_limit: '1024', pids_limit: 5 },
    { cpus: 0.5, memoryBytes: 1024, processes: 5 },
  ],
  [{ mem_limit: '2g' }, { cpus: null, memoryBytes: 2 * 1024 ** 3, processes: null }],
  [
    { pids_limit: -1, cpus: 0 },
    { cpus: null, memoryBytes: null, processes: null },
  ],
  [
    { cpus: 2, deploy: { resources: { limits: { cpus: '1.5', memory: '100', pids: 9 } } } },
    { cpus: 1.5, memoryBytes: 100, processes: 9 },
  ],
  // In the units that Docker counts in these are zero, which is no limit.
  [
    { cpus: 0.0000000001, mem_limit: '0.9', pids_limit: 0.9 },
    { cpus: null, memoryBytes: null, processes: null },
  ],
  [
    { deploy: { resources: { limits: { cpus: '0.00000999', memory: '0.9b', pids: 0 } } } },
    { cpus: null, memoryBytes: null, processes: null },
  ],
  [{ cpus: 0.00001 }, { cpus: 0.00001, memoryBytes: null, processes: null }],
])('%j has the limits %j', (service, limits) => {
  expect(modelOf({ web: service }).services.get('web')?.limits).toEqual(limits)
})

test('a disabled health check is none', () => {
  expect(modelOf({ web: { healthcheck: { disable: true } } }).services.get('web')?.hasHealthcheck).toBe(false)
})

test.each([
  ['hunter2', 'it is not JSON'],
  ['{"name":"a","services":{"web":{"ports":"hunter2"}}}', 'services.web.ports'],
  ['{"name":"a","services":{"__proto__":{"image":"hunter2"}}}', '__proto__'],
  ['{"name":"a","services":{"web":{"build":{"__proto__":{"a":"hunter2"}}}}}', '__proto__'],
])('%s is refused by its key, without its value', (text, place) => {
  const read = (): unknown => readComposeModel(text)
  expect(read).toThrow(UnreadableCompose)
  expect(read).toThrow(place)
  expect(read).not.toThrow('hunter2')
})

test.each([
  ['keys', `{"name":"x","services":{"web":{${Array.from({ length: 20_001 }, (_, at) => `"k${at}":1`).join()}}}}`],
  ['services', `{"name":"x","services":{${Array.from({ length: 20_001 }, (_, at) => `"s${at}":{}`).join()}}}`],
  ['levels', `{"name":"x","services":{"web":{"x":${'['.repeat(1_000_000)}}}}`],
])('too many %s are refused, whatever else is wrong', (_, text) => {
  expect(() => readComposeModel(text)).toThrow('more than 20,000 values, or are nested too deep')
})
