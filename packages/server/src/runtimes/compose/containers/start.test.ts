// Containers are started beside what serves, and what cannot run twice last; a failure is reported, and what it replaced comes back.
import { describe, expect, test } from 'vitest'
import {
  deployOnFakeHost,
  environmentFolder,
  type FakeContainer,
  failOnFakeHost,
  linesOf,
  listed,
  type Scenario,
  stepOf,
} from '../../../../test/docker/fake-deployment.ts'

const image = { image: 'busybox' }
const live: Scenario['deployment'] = { servingTaskId: 41, live: { taskId: 41, commitSha: 'b'.repeat(40) } }
const store = { ...image, volumes: [{ type: 'volume', source: 'data', target: '/data' }] }
const definition = {
  Name: '/store',
  Image: 'sha256:store',
  Mounts: [],
  Config: { Labels: {} },
  HostConfig: { Binds: ['data:/data'] },
  NetworkSettings: { Networks: { front: { Aliases: ['store', 'memory'] } } },
}

test('those of one level start together, beside the containers that they have, and each is waited for', async () => {
  const services = {
    web: { ...image, depends_on: { api: { condition: 'service_started' } } },
    api: image,
    worker: image,
  }
  const containers = [{ service: 'api', task: 41, slot: 'a' }]
  const deployed = await deployOnFakeHost({ services, containers, deployment: live })
  const started = deployed.steps.filter(({ phase }) => phase === 'Start').map(({ key, name }) => [key, name])
  expect(started.slice(1)).toEqual([
    ['Start level 0', 'Start api, worker'],
    ['Wait for service 0', 'Wait for api'],
    ['Wait for service 1', 'Wait for worker'],
    ['Start level 1', 'Start web'],
    ['Wait for service 2', 'Wait for web'],
  ])
  expect(linesOf(deployed, 'Start api, worker').at(-1)).toMatch(/--scale api=2 --scale worker=1 -- api worker$/)
})

test.each(['constructor', 'toString'])('a service may be called %s, and has no port for that', async (name) => {
  const deployed = await deployOnFakeHost({ services: { web: image, [name]: image } })
  expect(linesOf(deployed, `Wait for ${name}`).at(-1)).toContain(` ${name} running 0 / `)
})

describe('a container that does not become ready', () => {
  const end = JSON.stringify({ exitCode: 3, isOutOfMemory: false, memoryBytes: 0, error: '' })
  const fail = (exitCode: number, stdout: string, ended = `${end}\n`) =>
    failOnFakeHost({
      services: { web: image },
      answers: { 'wait-until-ready': { exitCode, stdout }, 'container-end': { stdout: ended } },
    })

  test('is reported with how it ended and the beginning of its output', async () => {
    const failed = await fail(41, 'It ended with exit code 3\n')
    expect(failed).toMatchObject({
      step: 'Wait for web',
      message: 'web ended with exit code 3 before it was ready',
      error: { kind: 'check', exitCode: 3 },
      lines: [
        'durably in TASK/4 within 90 s',
        expect.stringContaining('wait-until-ready main 7 42 web http 20000 /healthz'),
        'head -c 16384 -- TASK/4/output',
        expect.stringMatching(/^container-end main 7 42 web /),
      ],
    })
  })

  test('and listens elsewhere is reported with its ports', async () => {
    const said = 'No request gets in at port 3000: it listens on 8080\nIt goes on listening elsewhere\n'
    const failed = await fail(46, said)
    expect(failed.message).toMatch(/^Nothing in web listens on port 3000, .* it listens on port 8080/)
    // The script gets the expected port.
    expect(failed.lines[1]).toMatch(/^wait-until-ready main 7 42 web http 20000 \/healthz .* 30 3000$/)
  })

  test('and is gone is reported as gone', async () => {
    expect(await fail(44, '', '')).toMatchObject({
      message: 'The new container of web is gone from the server',
    })
  })
})

test('a container that Compose cannot start is reported with the last line of its output', async () => {
  const stdout = 'Container web-1 Creating\nError response from daemon: no such network\n'
  const failed = await failOnFakeHost({ services: { web: image }, answers: { 'run-checked': { exitCode: 1, stdout } } })
  expect(failed).toMatchObject({
    step: 'Start web',
    message: 'Docker Compose could not start it: Error response from daemon: no such network',
    error: { kind: 'command', exitCode: 1 },
  })
  // Nothing was replaced, so there is nothing to bring back.
  expect(failed.lines.slice(2)).toEqual(['tail -c 16384 -- TASK/3/output'])
})

describe('a service that cannot run twice', () => {
  const services = { web: image, store }
  const old: FakeContainer = { service: 'store', task: 41, mode: 'in_place' }
  const web: FakeContainer = { service: 'web', task: 41, slot: 'a', ports: [20_000] }
  const replacement: FakeContainer = { service: 'store', task: 42, mode: 'in_place', origin: 'replaced' }
  const inspected = { 'docker inspect': { stdout: JSON.stringify(definition) } }
  const scenario: Scenario = { services, containers: [web, old], deployment: live, answers: inspected }

  test('is recreated when all others are ready, and how it was made is kept before', async () => {
    const deployed = await deployOnFakeHost(scenario)
    const started = deployed.steps.filter(({ phase }) => phase === 'Start').map(({ key, name }) => [key, name])
    expect(started.slice(1)).toEqual([
      ['Start level 0', 'Start web'],
      ['Wait for service 0', 'Wait for web'],
      ['Recreate service 1', 'Recreate store'],
      ['Wait for service 1', 'Wait for store'],
    ])
    expect(stepOf(deployed, 'Recreate store').said).toEqual([
      'store cannot run twice (it writes to a volume of its own): it is away until its new container has started',
    ])
    expect(linesOf(deployed, 'Recreate store')).toEqual([
      'list-containers main 7 …',
      'docker inspect --type container --format {{json .}} -- store-of-41',
      'write ENVIRONMENT/replaced/store.json',
      'follow-output ENVIRONMENT/output 1073741824 store-of-41',
      'durably in TASK/5',
      expect.stringMatching(
        /^run-checked RELEASE .* --force-recreate --no-build --pull never --scale store=1 -- store$/,
      ),
    ])
    expect(JSON.parse(deployed.files.get(`${environmentFolder}/replaced/store.json`) ?? '')).toEqual({
      ...definition,
      Name: 'store',
    })
  })

  test('is not kept where its definition would not be all of it', async () => {
    const configs = { configs: [{ source: 'copied' }] }
    const model = {
      name: 'shipway-main-7',
      services: { web: image, store: { ...store, ...configs } },
      volumes: { data: {} },
      configs: { copied: { content: 'text' } },
    }
    const answers = { ...inspected, compose: { stdout: JSON.stringify(model) } }
    const lines = linesOf(await deployOnFakeHost({ ...scenario, answers }), 'Recreate store')
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'list-containers',
      'follow-output',
      'durably',
      'run-checked',
    ])
  })

  /** Listings by the plan, of the step that recreates, then those of the failure and of bringing back. */
  const listings = (...later: (readonly FakeContainer[])[]) => ({
    'list-containers': [listed([web, old]), listed([web, old]), ...later.map(listed)],
  })
  const broughtBack = [
    'list-containers main 7 …',
    'cat -- ENVIRONMENT/replaced/store.json',
    'create-container store.back',
    'docker stop -- store-of-42',
    'docker update --restart no -- store-of-42',
    'connect-container store.back front 2 store memory',
    'take-name store.back store-of-42 store',
    'docker start -- store',
    'keep-output ENVIRONMENT/output 14 1073741824 store-of-42',
    'docker rm --force -- store-of-42',
  ]

  test('comes back where its new container does not become ready', async () => {
    const waiting = [{}, { exitCode: 43 }]
    const answers = { ...inspected, ...listings([web, replacement]), 'wait-until-ready': waiting }
    const failed = await failOnFakeHost({ ...scenario, answers })
    expect(failed).toMatchObject({
      step: 'Wait for store',
      message: 'store is unhealthy: its own health check says no',
      said: ['store is back as it was before'],
    })
    expect(failed.lines.slice(4)).toEqual(broughtBack)
  })

  test('comes back where Compose could not start the new one, by the old container that is still there', async () => {
    const created = { ...replacement, status: 'created' }
    const answers = {
      ...inspected,
      ...listings([web, old, created]),
      'run-checked': [{}, { exitCode: 1, stdout: 'no\n' }],
    }
    const failed = await failOnFakeHost({ ...scenario, answers })
    expect(failed).toMatchObject({
      step: 'Recreate store',
      said: [expect.anything(), 'store is back as it was before'],
    })
    expect(failed.lines.slice(-9)).toEqual([
      'cat -- ENVIRONMENT/replaced/store.json',
      'docker stop -- store-of-41',
      'docker stop -- store-of-42',
      'docker update --restart no -- store-of-42',
      'connect-container store-of-41 front 2 store memory',
      'take-name store-of-41 store-of-42 store',
      'docker start -- store',
      'keep-output ENVIRONMENT/output 14 1073741824 store-of-42',
      'docker rm --force -- store-of-42',
    ])
  })

  test.each([
    ['docker start', 'store cannot be brought back on fake server: no'],
    ['create-container', 'store cannot be made again on fake server: no'],
  ])('that cannot be restored because of "%s" is reported beside the failure itself', async (command, said) => {
    const failing = { 'wait-until-ready': [{}, { exitCode: 43 }], [command]: { exitCode: 1, stderr: 'no\nmore\n' } }
    const failed = await failOnFakeHost({
      ...scenario,
      answers: { ...inspected, ...listings([web, replacement]), ...failing },
    })
    expect(failed).toMatchObject({ message: 'store is unhealthy: its own health check says no', said: [said] })
  })

  test('stays as it is if its earlier definition is not known', async () => {
    const failing = { 'wait-until-ready': [{}, { exitCode: 43 }], 'cat -- ': { exitCode: 1 } }
    const failed = await failOnFakeHost({
      ...scenario,
      answers: { ...inspected, ...listings([web, replacement]), ...failing },
    })
    expect(failed.said).toEqual(['How store was before is not known: it stays as it is'])
  })

  test('is left to the clean-up where the deployment was canceled', async () => {
    const stopper = new AbortController()
    const cancel = () => {
      stopper.abort('canceled_by_user')
      return { exitCode: 143 }
    }
    let times = 0
    const answers = { ...inspected, 'wait-until-ready': () => (times++ === 0 ? {} : cancel()) }
    const failed = await failOnFakeHost({ ...scenario, answers, signal: stopper.signal })
    expect(failed).toMatchObject({ step: 'Wait for store', said: [] })
    expect(failed.lines.some((line) => line.startsWith('docker '))).toBe(false)
  })
})
