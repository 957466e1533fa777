import { hash } from 'node:crypto'
import type { ComposeModel, JsonObject } from '@shipway/rules/compose/model'
import { expect, test } from 'vitest'
import { modelOf } from '../../../../rules/test/compose.ts'
import { type Planning, planServices } from './plan-services.ts'

const routed = new Map([['web', { port: 3000, health: '/healthz' }]])

function planning(changes: Partial<Planning> = {}): Planning {
  const images = new Map(['web', 'db', 'worker', 'migrate', 'side'].map((name) => [name, `sha256:${name}`]))
  const digest = (text: string): string => hash('sha256', text)
  return { services: routed, live: new Map(), images, settings: 'v1', digest, ...changes }
}

function planOf(model: ComposeModel, name: string, changes: Partial<Planning> = {}) {
  return planServices(model, planning(changes)).services.find((service) => service.name === name)
}

test.each<[JsonObject, string | null]>([
  [{}, null],
  [{ ports: [{ target: 80, published: '8080' }] }, 'it publishes a fixed port on the machine'],
  [{ ports: [{ target: 80 }] }, null],
  [{ container_name: 'a' }, 'its container has a fixed name'],
  [{ network_mode: 'host' }, 'it listens in the network of the machine'],
  [{ volumes: [{ type: 'volume', source: 'data', target: '/d' }] }, 'it writes to a volume of its own'],
  [{ volumes: [{ type: 'volume', source: 'data', target: '/d', read_only: true }] }, null],
  [{ volumes: [{ type: 'volume', target: '/d' }] }, null],
  [{ volumes: [{ type: 'tmpfs', target: '/d' }] }, null],
  [{ volumes: [{ type: 'bind', source: '/srv', target: '/d' }] }, null],
  [{ network_mode: 'service:side' }, 'it shares the network, processes or volumes of another service'],
  [{ volumes_from: ['side:ro'] }, 'it shares the network, processes or volumes of another service'],
])('%j is in place because %s', (service, whyInPlace) => {
  const mode = whyInPlace === null ? 'beside' : 'in_place'
  expect(planOf(modelOf({ web: service, side: {} }), 'web')).toMatchObject({ mode, whyInPlace })
})

test('a service whose network another one shares is replaced in place, and the other restarts with it', () => {
  const model = modelOf({ web: {}, side: { network_mode: 'service:web' } })
  expect(planOf(model, 'web')?.whyInPlace).toBe('side shares its network, processes or volumes')
  const before = planOf(model, 'side')?.hash
  expect(
    planOf(model, 'side', {
      images: new Map([
        ['side', 'sha256:side'],
        ['web', 'sha256:new'],
      ]),
    })?.hash,
  ).not.toBe(before)
})

test('services start after those that they depend on', () => {
  const { services } = planServices(
    modelOf({
      web: {
        depends_on: {
          migrate: { condition: 'service_completed_successfully' },
          gone: { condition: 'service_started' },
        },
      },
      migrate: { depends_on: { db: { condition: 'service_healthy' } } },
      db: {},
      worker: {},
    }),
    planning(),
  )
  expect(services.map(({ name, level, mode }) => [name, level, mode])).toEqual([
    ['db', 0, 'beside'],
    ['worker', 0, 'beside'],
    ['migrate', 1, 'one_shot'],
    ['web', 2, 'beside'],
  ])
})

test('a circle of dependencies ends', () => {
  const on = (name: string): JsonObject => ({ depends_on: { [name]: { condition: 'service_started' } } })
  const { services } = planServices(modelOf({ web: on('db'), db: on('web'), worker: {} }), planning())
  expect(services.map(({ name, level }) => [name, level])).toEqual([
    ['worker', 0],
    ['web', 1],
    ['db', 1],
  ])
})

test('a routed service that the compose file does not have is named', () => {
  const services = new Map<string, { port: number; health: string | null }>([
    ...routed,
    ['admin', { port: 1, health: null }],
  ])
  expect(planServices(modelOf({ web: {} }), planning({ services })).unknownServices).toEqual(['admin'])
})

test.each([
  [3000, {}, 3000],
  [null, { expose: ['80'] }, 80],
  [null, { expose: ['80', '81'] }, null],
  [null, {}, null],
])('the port %s in .service.yml with %j in the compose file is %s', (port, service, expected) => {
  const services = new Map([['web', { port, health: null }]])
  expect(planOf(modelOf({ web: service }), 'web', { services })?.port).toBe(expected)
})

test('an unchanged service is left alone, whatever order its keys have', () => {
  const first = planOf(modelOf({ web: { user: 'a', environment: { A: '1', B: '2' } } }), 'web')
  const live = new Map([['web', { hash: first?.hash ?? '', slot: 'b' as const }]])
  const again = modelOf({ web: { environment: { B: '2', A: '1' }, user: 'a' } })
  expect(planOf(again, 'web', { live })).toMatchObject({ mode: 'unchanged', slot: 'b' })
})

const uses = {
  environment: { A: '1' },
  networks: { n: null },
  secrets: [{ source: 's' }],
  volumes: [{ type: 'volume', source: 'v', target: '/v', read_only: true }],
}
const top = { networks: { n: { internal: false } }, volumes: { v: { name: 'a' } }, secrets: { s: { file: '/a' } } }

test.each<[string, ComposeModel, Partial<Planning>, boolean]>([
  ['nothing', modelOf({ web: uses }, top), {}, false],
  ['another service', modelOf({ web: uses, db: {} }, top), {}, false],
  ['how it is built', modelOf({ web: { ...uses, build: { context: '/b' } } }, top), {}, false],
  ['the name of the same image', modelOf({ web: { ...uses, image: 'other' } }, top), {}, false],
  ['what it depends on', modelOf({ web: { ...uses, depends_on: {} } }, top), {}, false],
  ['its image', modelOf({ web: uses }, top), { images: new Map([['web', 'sha256:new']]) }, true],
  ['an image that is not known', modelOf({ web: uses }, top), { images: new Map() }, true],
  ['the settings', modelOf({ web: uses }, top), { settings: 'v2' }, true],
  ['its port', modelOf({ web: uses }, top), { services: new Map([['web', { port: 1, health: null }]]) }, true],
  ['no route', modelOf({ web: uses }, top), { services: new Map() }, true],
  ['a value', modelOf({ web: { ...uses, environment: { A: '2' } } }, top), {}, true],
  ['its network', modelOf({ web: uses }, { ...top, networks: { n: { internal: true } } }), {}, true],
  ['its volume', modelOf({ web: uses }, { ...top, volumes: { v: { name: 'b' } } }), {}, true],
  ['its secret', modelOf({ web: uses }, { ...top, secrets: { s: { file: '/b' } } }), {}, true],
])('a change of %s', (_name, model, changes, isChange) => {
  const live = new Map([['web', { hash: planOf(modelOf({ web: uses }, top), 'web')?.hash ?? '', slot: 'a' as const }]])
  expect(planOf(model, 'web', { live, ...changes })?.mode === 'beside').toBe(isChange)
})

test.each([
  ['first', {}, null, 'a'],
  ['beside a', {}, 'a', 'b'],
  ['beside b', {}, 'b', 'a'],
  ['in place of b', { container_name: 'x' }, 'b', 'b'],
] as const)('the slot of a service that starts %s', (_name, service, slot, expected) => {
  const live = new Map(slot === null ? [] : [['web', { hash: 'other', slot }] as const])
  expect(planOf(modelOf({ web: service, db: {} }), 'web', { live })?.slot).toBe(expected)
  expect(planOf(modelOf({ web: service, db: {} }), 'db', { live })?.slot).toBeNull()
})

/** What is planned where everything serves as it is planned now but for the services that have changed. */
function planAgain(model: ComposeModel, { changed, releases = {} }: { changed: string[]; releases?: JsonObject }) {
  const before = planServices(model, planning()).services
  const live = new Map(
    before.map(({ name, hash, slot }) => {
      const release = Number(releases[name] ?? 1)
      return [name, { hash: changed.includes(name) ? 'earlier' : hash, slot, release }]
    }),
  )
  const { services } = planServices(model, planning({ live }))
  return Object.fromEntries(services.map(({ name, mode, restartReason }) => [name, restartReason ?? mode]))
}

const on = (...names: string[]): JsonObject => ({
  depends_on: Object.fromEntries(names.map((name) => [name, { condition: 'service_started' }])),
})

test('whatever depends on a service that is replaced restarts with it', () => {
  const store = { volumes: [{ type: 'volume', source: 'data', target: '/d' }] }
  const model = modelOf({ web: on('worker'), worker: on('db'), db: store, side: {} })
  expect(planAgain(model, { changed: ['worker'] })).toEqual({
    db: 'unchanged',
    side: 'unchanged',
    worker: 'beside',
    web: 'since it depends on worker',
  })
  expect(planAgain(model, { changed: ['db'] })).toEqual({
    db: 'in_place',
    side: 'unchanged',
    worker: 'since it depends on db',
    web: 'since it depends on worker',
  })
})

test('what does its work once restarts nothing else', () => {
  const migrated = { depends_on: { migrate: { condition: 'service_completed_successfully' } } }
  const model = modelOf({ web: migrated, migrate: {} })
  expect(planAgain(model, { changed: ['migrate'] })).toEqual({ migrate: 'one_shot', web: 'unchanged' })
})

test('services that would keep networks of too many releases restart, but none that cannot, or that such a one needs', () => {
  const store = { volumes: [{ type: 'volume', source: 'data', target: '/d' }] }
  const model = modelOf({ web: {}, worker: {}, side: {}, migrate: {}, db: { ...store, ...on('side') } })
  const releases = { worker: 1, side: 2, migrate: 2, db: 1 }
  const unchanged = { worker: 'unchanged', side: 'unchanged', migrate: 'unchanged', db: 'unchanged' }
  expect(planAgain(model, { changed: ['web'], releases })).toEqual({ web: 'beside', ...unchanged })
  const why = 'so that the environment needs fewer networks'
  expect(planAgain(model, { changed: ['web'], releases: { ...releases, migrate: 3 } })).toEqual({
    web: 'beside',
    worker: why,
    migrate: why,
    side: 'unchanged',
    db: 'unchanged',
  })
  expect(planAgain(model, { changed: [], releases: { ...releases, migrate: 3 } })).toMatchObject(unchanged)
})
