// Where the images of a deployment come from: an earlier one, a build or a registry; and what each of these can fail with.
import { describe, expect, test } from 'vitest'
import {
  deployOnFakeHost,
  failOnFakeHost,
  linesOf,
  release,
  type Scenario,
  sha,
  shop,
  stepOf,
  taskFolder,
} from '../../../../../test/docker/fake-deployment.ts'
import { Secret } from '../../../../secrets/secret.ts'
import { buildStamp } from './build-stamp.ts'

const again: Scenario['deployment'] = { live: { taskId: 41, commitSha: sha }, servingTaskId: 41 }
const GONE = { exitCode: 3, stderr: 'shipway-images7-web:41 is gone\n' }
const buildSteps = ({ steps }: Awaited<ReturnType<typeof deployOnFakeHost>>) =>
  steps.filter(({ phase }) => phase === 'Build').map(({ name }) => name)

describe('images of an earlier deployment', () => {
  test('of the same commit are taken, and nothing is built', async () => {
    const deployed = await deployOnFakeHost({ deployment: again })
    expect(buildSteps(deployed)).toEqual(['Check the compose file', 'Take over images', 'Pull images'])
    expect(stepOf(deployed, 'Take over images')).toMatchObject({
      lines: ['tag-images  shipway-images7-web:41 shipway-images7-web:42'],
      result: true,
    })
  })

  test('are those of the deployment that is rolled back to, whatever serves', async () => {
    const deployed = await deployOnFakeHost({ deployment: { ...again, rollbackTo: 30 } })
    expect(linesOf(deployed, 'Take over images')).toEqual([
      'tag-images any shipway-images7-web:30 shipway-images7-web:42',
    ])
  })

  test('are taken only where they were built with the variables that builds get now', async () => {
    const taken = async (value: string, buildKeys: readonly string[]) => {
      const variables = new Map([['MODE', new Secret(value)]])
      const deployed = await deployOnFakeHost({ deployment: { ...again, variables, buildKeys: new Set(buildKeys) } })
      return linesOf(deployed, 'Take over images')[0]?.split(' ')[1]
    }
    const inHex = expect.stringMatching(/^(DIGEST|[0-9a-f]{64})$/)
    expect([await taken('a', []), await taken('a', ['MODE'])]).toEqual(['', inHex])
    expect(buildStamp({ variables: new Map([['A', new Secret('1')]]), buildKeys: new Set(['A']) })).not.toBe(
      buildStamp({ variables: new Map([['A', new Secret('2')]]), buildKeys: new Set(['A']) }),
    )
  })

  test('of another commit are not looked for', async () => {
    const live = { taskId: 41, commitSha: 'b'.repeat(40) }
    expect(buildSteps(await deployOnFakeHost({ deployment: { ...again, live } }))).not.toContain('Take over images')
  })

  test('that are gone are built again', async () => {
    const deployed = await deployOnFakeHost({ deployment: again, answers: { 'tag-images': GONE } })
    expect(buildSteps(deployed)).toEqual([
      'Check the compose file',
      'Take over images',
      'Check the disk',
      'Build images',
      'Pull images',
    ])
    expect(stepOf(deployed, 'Take over images')).toMatchObject({
      said: ['Those of deployment 41 are gone, or were built with other variables: they are built again'],
      result: false,
    })
  })

  test.each([
    [GONE, 'The images of deployment 30 are gone from fake server. Deploy its commit instead'],
    [{ exitCode: 1, stderr: 'no space\n' }, 'Images cannot be named on fake server: no space'],
  ])('end a rollback that cannot have them: %j', async (answer, message) => {
    const failed = await failOnFakeHost({ deployment: { rollbackTo: 30 }, answers: { 'tag-images': answer } })
    expect(failed).toMatchObject({ step: 'Take over images', message })
  })
})

describe('a build', () => {
  const built = (build: object) => ({ services: { web: { build: { context: release, ...build } } } })

  test('is not begun on a disk that stays too full', async () => {
    const failed = await failOnFakeHost({ answers: { 'check-disk': { stdout: `${100 * 1024}\n${9000 * 1024}\n` } } })
    expect(failed).toMatchObject({
      step: 'Check the disk',
      message: 'fake server has 100 MiB of disk left, and a build needs 2048 MiB. Free some, or enlarge the disk',
      // It was checked before, while the commit was laid out.
      lines: ['free the disk', 'check-disk /shipway'],
    })
  })

  test('is not begun where a link is in the way to what it reads', async () => {
    expect(await failOnFakeHost({ paths: { '': 'link' } })).toMatchObject({
      step: 'Build images',
      message: expect.stringContaining('A link leads elsewhere from'),
      lines: ['fetch cccccccccccccccccccccccccccccccccccccccc', 'inspect-paths RELEASE'],
    })
  })

  test('that fails is reported with the last message of BuildKit about that image', async () => {
    const stdout = [
      'web | #1 building',
      'web | ERROR: failed to build: failed to solve: process "/bin/sh -c make" did not complete: exit code: 2',
      'Not built: web',
    ].join('\n')
    expect(await failOnFakeHost({ answers: { 'build-images': { exitCode: 2, stdout } } })).toMatchObject({
      step: 'Build images',
      message: 'The image of web could not be built: process "/bin/sh -c make" did not complete: exit code: 2',
      error: { kind: 'command', exitCode: 2 },
    })
  })

  test('that was killed is reported with how much memory it may use', async () => {
    const stdout = 'web | ERROR: failed to solve: did not complete successfully: exit code: 137\nNot built: web\n'
    expect(await failOnFakeHost({ answers: { 'build-images': { exitCode: 1, stdout } } })).toMatchObject({
      message: expect.stringMatching(/exit code: 137\. A build of this environment may use 512 MiB of memory$/),
    })
  })

  test('goes on without limits on a server that cannot keep them, and says so', async () => {
    const answers = { 'change-build-group': { exitCode: 1, stderr: 'Read-only file system\n' } }
    const { said, lines } = stepOf(await deployOnFakeHost({ answers }), 'Build images')
    expect(said).toEqual(['fake server cannot limit what builds use: Read-only file system'])
    expect(lines.at(-1)).not.toContain('--cgroup-parent')
  })

  test('asks for no limits where there are none', async () => {
    const limits = { cpus: null, memoryBytes: null, processes: null }
    const lines = linesOf(await deployOnFakeHost({ deployment: { limits } }), 'Build images')
    expect(lines.map((line) => line.split(' ')[0])).toEqual([
      'fetch',
      'inspect-paths',
      'read',
      'durably',
      'build-images',
    ])
  })

  test('gets a Dockerfile of the compose file, and variables under names of ours', async () => {
    const web = { build: { context: release, dockerfile_inline: 'FROM a', secrets: [{ source: 'token' }] } }
    const model = { name: 'shipway-main-7', services: { web }, secrets: { token: { environment: 'TOKEN' } } }
    const deployed = await deployOnFakeHost({ answers: { compose: { stdout: JSON.stringify(model) } } })
    const lines = linesOf(deployed, 'Build images')
    expect(lines).toContain('write TASK/web.Dockerfile')
    expect(lines).toContain('durably in TASK/1 with SHIPWAY_BUILD_SECRET_0=t0ken')
    expect(lines.at(-1)).toContain('--secret "id=token","env=SHIPWAY_BUILD_SECRET_0"')
    expect(lines.at(-1)).not.toContain('t0ken')
  })

  test('of an image that others are built from comes first', async () => {
    const services = {
      base: { build: { context: release } },
      ...built({ additional_contexts: { base: 'service:base' } }).services,
    }
    expect(linesOf(await deployOnFakeHost({ services }), 'Build images').at(-1)).toMatch(
      /^build-images … \S+ base \d+ docker buildx .* {2}0 web \d+ docker .* base=docker-image:\/\/shipway-images7-base:42 .* {2}0$/,
    )
  })
})

describe('where builds and pulls fetch from', () => {
  const denied = (source: string) => ({
    exitCode: 1,
    stdout: `web | ERROR: failed to solve: x: source "${source}" denied by policy: source denied by policy\nNot built: web\n`,
  })

  test('a URL or a repository that a build fetches itself ends it, with the other way', async () => {
    const answers = { 'build-images': denied('http://127.0.0.1:9999/x') }
    expect(await failOnFakeHost({ answers })).toMatchObject({
      step: 'Build images',
      message:
        'The image of web could not be built: it fetches http://127.0.0.1:9999/x itself, in the network of the server, where builds ' +
        'may fetch nothing. Fetch it in RUN, with curl or git. An organization owner can grant "remote_build_sources" to this environment',
      error: { kind: 'check' },
    })
  })

  test('a registry that the Dockerfile names is looked up beforehand, and built from where it is public', async () => {
    const committed = { Dockerfile: 'FROM ghcr.io/shop/base\n' }
    const answers = { 'resolve-registries': { stdout: '140.82.121.34 \n' } }
    const deployed = await deployOnFakeHost({ committed, answers })
    expect(deployed.error).toBeUndefined()
    expect(linesOf(deployed, 'Build images')).toContain('resolve-registries ghcr.io')
    expect(buildSteps(deployed).filter((name) => name === 'Build images')).toHaveLength(1)
  })

  test('a registry that was not guessed is looked up, and the images are built again', async () => {
    const answers = {
      'build-images': [denied('docker-image://quay.io/shop/base:1'), {}],
      'resolve-registries': { stdout: '52.0.0.1 \n' },
    }
    const deployed = await deployOnFakeHost({ answers })
    expect(deployed.error).toBeUndefined()
    const builds = deployed.steps.filter(({ name }) => name === 'Build images')
    expect(builds.map(({ result }) => result)).toEqual(['quay.io', null])
    expect(builds[0]?.said).toEqual([
      'quay.io is looked up before anything is taken from there. Then the images are built again',
    ])
    expect(builds[1]?.lines).toContain('resolve-registries quay.io')
    expect(builds.map(({ lines }) => lines.find((line) => line.startsWith('durably')))).toEqual([
      `durably in ${taskFolder}/1`,
      `durably in ${taskFolder}/10001`,
    ])
  })

  test('one that leads into the network of the server ends it, and no number of others goes on for ever', async () => {
    const inside = {
      'build-images': denied('docker-image://evil.example.com/x:1'),
      'resolve-registries': { stdout: '203.0.114.1 127.0.0.1 \n' },
    }
    expect(await failOnFakeHost({ answers: inside })).toMatchObject({
      step: 'Build images',
      message: expect.stringMatching(
        /^The image of web is built from the registry evil\.example\.com, which leads to 127\.0\.0\.1, .*"private_registries"/,
      ),
    })
    const outside = { ...inside, 'resolve-registries': { stdout: '52.0.0.1 \n' } }
    const { steps, error } = await deployOnFakeHost({ answers: outside })
    expect(String(error)).toContain('too many registries')
    expect(steps.filter(({ name }) => name === 'Build images')).toHaveLength(6)
  })

  test('no image is pulled from such a registry, unless the server is signed in to it', async () => {
    const services = { web: { image: '10.0.0.5:5000/shop/web:1' } }
    const pulled = { services, answers: { 'resolve-registries': { stdout: '10.0.0.5 \n' } } }
    expect(await failOnFakeHost(pulled)).toMatchObject({
      step: 'Pull images',
      message: expect.stringMatching(
        /^10\.0\.0\.5:5000\/shop\/web:1 comes from the registry 10\.0\.0\.5:5000, which leads to 10\.0\.0\.5/,
      ),
    })
    const named = await deployOnFakeHost({ services, answers: { 'resolve-registries': { stdout: 'named\n' } } })
    expect(named.error).toBeUndefined()
    const granted = await deployOnFakeHost({ services, deployment: { grants: new Set(['private_registries']) } })
    expect(linesOf(granted, 'Pull images').join()).not.toContain('resolve-registries')
  })

  test('a cache is taken from no such registry', async () => {
    // Behind more registries than are looked up for the sake of speed.
    const others = Array.from({ length: 20 }, (_, at) => `FROM r${at}.example.com/x`).join('\n')
    const build = { context: release, dockerfile_inline: others, cache_from: ['localhost:5000/cache'] }
    const services = { web: { build } }
    const answers = { 'resolve-registries': { stdout: '127.0.0.1 \n' } }
    expect(await failOnFakeHost({ services, answers })).toMatchObject({
      step: 'Build images',
      message: expect.stringContaining('cache_from takes an image from the registry localhost:5000'),
    })
  })

  test('nothing is built where Docker does not obey the policy', async () => {
    const stdout = 'ERROR: Get "http://127.0.0.1:1/": connection refused\nNo policy\n'
    expect(await failOnFakeHost({ answers: { 'build-images': { exitCode: 1, stdout } } })).toMatchObject({
      step: 'Build images',
      message:
        'Docker on the server does not obey source policies, so builds could read what is not theirs. Install Docker Engine 24 and ' +
        'Buildx 0.11 or newer there. A build that must be refused ended with: ERROR: Get "http://127.0.0.1:1/": connection refused',
    })
  })
})

test('an image that cannot be pulled is named, with the reason', async () => {
  const stdout = 'Pulling migrate:1\nPulling redis:7\nError: manifest unknown\n'
  expect(await failOnFakeHost({ answers: { 'pull-images': { exitCode: 1, stdout } } })).toMatchObject({
    step: 'Pull images',
    message: 'redis:7 is missing and could not be pulled: Error: manifest unknown',
    error: { kind: 'command', exitCode: 1 },
  })
})

test('a long output that names no image is read in a time that grows with its length alone', async () => {
  const stdout = `${'layer: Pulling fs layer\n'.repeat(30_000)}denied\n`
  expect(await failOnFakeHost({ answers: { 'pull-images': { exitCode: 1, stdout } } })).toMatchObject({
    message: 'An image is missing and could not be pulled: denied',
  })
})

test('nothing is pulled where everything is built', async () => {
  const { web } = shop
  expect(
    buildSteps(await deployOnFakeHost({ services: { web: { ...(web as object), depends_on: {} } } })),
  ).not.toContain('Pull images')
})
