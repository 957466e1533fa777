// What the plan of a deployment finds on the server, takes away there, and writes down for Compose.
import { describe, expect, test } from 'vitest'
import {
  deployOnFakeHost,
  type FakeContainer,
  failOnFakeHost,
  linesOf,
  release,
  type Scenario,
  shop,
  stepOf,
  taskFolder,
} from '../../../test/docker/fake-deployment.ts'

const STEP = 'Plan services'
const live: Scenario['deployment'] = { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) } }
const documentIn = (files: ReadonlyMap<string, string>) => JSON.parse(files.get(`${taskFolder}/compose.json`) ?? '{}')
const hashesIn = (files: ReadonlyMap<string, string>): Record<string, string> =>
  Object.fromEntries(
    Object.entries<{ labels: Record<string, string> }>(documentIn(files).services).map(([name, { labels }]) => [
      name,
      labels['shipway.hash'] ?? '',
    ]),
  )

/** Containers of task 41 with the hashes that task 42 comes to: nothing has changed. */
async function unchanged(changes: Readonly<Record<string, Partial<FakeContainer>>> = {}): Promise<FakeContainer[]> {
  const hashes = hashesIn((await deployOnFakeHost()).files)
  return [
    { service: 'web', task: 41, slot: 'a', ports: [20_000], hash: hashes.web, ...changes.web },
    { service: 'store', task: 41, mode: 'in_place', hash: hashes.store, ...changes.store },
  ]
}

describe('a service whose container serves', () => {
  const planOf = async (containers: readonly FakeContainer[], services = shop) => {
    const deployed = await deployOnFakeHost({ containers, services, deployment: live })
    return { ...deployed, said: stepOf(deployed, STEP).said, steps: deployed.steps }
  }

  test('is left alone where nothing of it has changed, and its port stays', async () => {
    const { said, steps } = await planOf(await unchanged())
    expect(said).toEqual([
      'store: unchanged, is not touched',
      'migrate: does its work once',
      'web: unchanged, is not touched',
    ])
    expect(steps.filter(({ phase }) => phase === 'Start').map(({ name }) => name)).toEqual([
      STEP,
      'Start migrate',
      'Wait for migrate',
    ])
    expect(stepOf({ steps }, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20000'])
  })

  test.each([
    ['has ended up unhealthy', { health: 'unhealthy' }],
    ['does not publish the port of its slot', { ports: [] }],
    ['is paused', { status: 'paused' }],
  ])('is replaced though nothing has changed where it %s, on its other port', async (_, web) => {
    const { said, steps } = await planOf(await unchanged({ web }))
    expect(said).toContain('web: a new container starts beside the old one')
    expect(stepOf({ steps }, 'Switch routes').said).toEqual(['main.shop.example.com leads to port 20001'])
  })

  test('is replaced where its variables or limits are others', async () => {
    const containers = await unchanged()
    const deployed = await deployOnFakeHost({ containers, deployment: { ...live, variables: new Map() } })
    expect(stepOf(deployed, STEP).said).toEqual([
      'store: is recreated in place',
      'migrate: does its work once',
      'web: a new container starts beside the old one',
    ])
    expect(stepOf(deployed, STEP).result).toMatchObject({
      services: [{ hasContainer: true }, {}, { port: 20_001, oldPorts: [20_000], hasContainer: true }],
    })
  })

  test('is drained at the port that it has, where its slot has another one by now', async () => {
    const deployed = await planOf(await unchanged({ web: { ports: [25_000] } }))
    expect(linesOf(deployed, 'Drain the old version')).toEqual(['count streams 25000'])
  })

  test('is distinguished from its replacement by labels', async () => {
    const { files } = await planOf(await unchanged({ store: { hash: 'other' }, web: { hash: 'other' } }))
    const { web, store } = documentIn(files).services
    expect(web.labels).toMatchObject({ 'shipway.slot': 'b', 'shipway.mode': 'beside', 'shipway.origin': 'new' })
    expect(web.ports).toEqual(['127.0.0.1:20001:3000'])
    expect(store.labels).toMatchObject({ 'shipway.mode': 'in_place', 'shipway.origin': 'replaced' })
  })
})

test('what nothing serves with is removed before, and what keeps data in place stays', async () => {
  const containers = [
    { service: 'web', task: 41, slot: 'a' },
    { service: 'web', task: 40, slot: 'b' },
    { service: 'api', task: 41, status: 'exited' },
    { service: 'store', task: 41, mode: 'in_place', status: 'exited' },
  ]
  const deployed = await deployOnFakeHost({ containers, deployment: live })
  expect(linesOf(deployed, STEP)).toContain('remove-containers web-of-40 api-of-41')
  // The other one has ended already.
  expect(stepOf(deployed, STEP).said[0]).toBe(
    'Waiting for web of an earlier deployment to stop. ' +
      'A process that ignores its stop signal is killed when its stop_grace_period is over, by default after 10 s',
  )
})

test('an image that declares a volume makes its service one that cannot run twice', async () => {
  const answers = { 'find-images': { stdout: 'sha256:web {"/unnamed":{}}\tnull\nnone\nsha256:store null\tnull\n' } }
  const { said } = stepOf(await deployOnFakeHost({ answers }), STEP)
  expect(said).toContain('web: is recreated in place')
})

test.each([
  ['health', { healthcheck: { test: ['CMD', 'true'] } }, undefined],
  ['http', {}, undefined],
  ['port', {}, 'services:\n  web: { port: 3000 }\n'],
  ['running', {}, 'services:\n  other: { port: 3000 }\n'],
])('the gate of a service is %s by what is known of it', async (gate, definition, serviceFile) => {
  const services = { web: { image: 'web:1', ...definition }, other: { image: 'other:1' } }
  const deployed = await deployOnFakeHost({ services, ...(serviceFile && { serviceFile }) })
  expect(stepOf(deployed, STEP).result).toMatchObject({ services: [{ name: 'web', gate }, {}] })
})

test('limits of processors are those that the server has', async () => {
  const { files } = await deployOnFakeHost({ answers: { 'docker info': { stdout: '2\n' } } })
  expect(documentIn(files).services.web).toMatchObject({ cpus: 2, mem_limit: 512 * 1024 ** 2 })
})

test('mount points inside other mounts are made in the release', async () => {
  const volumes = [
    { type: 'bind', source: `${release}/config`, target: '/app' },
    { type: 'volume', source: 'data', target: '/app/data' },
  ]
  const services = { web: { image: 'web:1', volumes } }
  expect(linesOf(await deployOnFakeHost({ services }), STEP)).toContain('make-mount-points RELEASE')
  const answers = { 'make-mount-points': { exitCode: 1, stderr: 'No space left\n' } }
  expect(await failOnFakeHost({ services, answers })).toMatchObject({
    step: STEP,
    message: 'Mount points cannot be made on fake server: No space left',
  })
})

test.each([
  ['list-containers', 'Docker on fake server cannot be asked: Cannot connect'],
  ['docker info', 'Docker on fake server cannot be asked: Cannot connect'],
  ['remove-containers', 'Containers cannot be removed from fake server: Cannot connect'],
  [
    'write /shipway/environments/7/tasks/42/compose.json',
    'compose.json could not be written on fake server: Cannot connect',
  ],
])('a failing "%s" ends it there, and nothing is started', async (command, message) => {
  const containers = [{ service: 'web', task: 40, status: 'exited' }]
  const answers = { [command]: { exitCode: 1, stderr: 'Cannot connect\n' } }
  expect(await failOnFakeHost({ containers, answers, deployment: live })).toMatchObject({ step: STEP, message })
})
