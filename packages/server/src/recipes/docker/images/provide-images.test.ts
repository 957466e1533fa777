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
} from '../../../../test/docker/fake-deployment.ts'
import { Secret } from '../../../secrets/secret.ts'
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
      // It was looked at before, while the commit was laid out.
      lines: ['free the disk', 'check-disk /shipway'],
    })
  })

  test('is not begun where a link is in the way to what it reads', async () => {
    expect(await failOnFakeHost({ paths: { '': 'link' } })).toMatchObject({
      step: 'Build images',
      message: expect.stringContaining('A link leads elsewhere from'),
      lines: ['look-at-paths RELEASE'],
    })
  })

  test('that fails is told by what BuildKit said last of that image', async () => {
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

  test('that was killed is told how much memory it may use', async () => {
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
    expect(lines.map((line) => line.split(' ')[0])).toEqual(['look-at-paths', 'durably', 'build-images'])
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
      /^build-images base \d+ docker buildx .* {2}0 web \d+ docker .* base=docker-image:\/\/shipway-images7-base:42 .* {2}0$/,
    )
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

test('nothing is pulled where everything is built', async () => {
  const { web } = shop
  expect(
    buildSteps(await deployOnFakeHost({ services: { web: { ...(web as object), depends_on: {} } } })),
  ).not.toContain('Pull images')
})
