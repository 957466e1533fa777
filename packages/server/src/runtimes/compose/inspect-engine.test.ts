// What the Engine says of an environment when it is asked without docker is what docker says of it: on a real Docker Engine.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EngineClient, hasDocker } from '../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import { inspectEngine } from './inspect-engine.ts'
import { findUsedPorts } from './ports/used-ports.ts'

const ids = { installationId: 'looking', environmentId: 7, imageToken: '', cacheToken: '' }
const own = ['shipway.installation=looking', 'shipway.environment=7']
const wordsOf = (labels: readonly string[]): string[] => labels.flatMap((label) => ['--label', label])
const project = 'com.docker.compose.project=shipway-looking-7'
const declares = 'shipway-test/looked-at:1'
const images = [declares, 'shipway-test/busybox', 'shipway-test/no-such-image']

describe.skipIf(!hasDocker)('what the Engine says of an environment', () => {
  let engine: EngineClient
  const hostWith = (settings: Readonly<Record<string, string>>) =>
    createLocalHost('here', {
      PATH: process.env.PATH ?? '',
      HOME: '/nonexistent',
      DOCKER_HOST: engine.host,
      ...settings,
    })

  beforeAll(async () => {
    engine = await sharedEngine()
    const labels = ['service=web', 'task=41', 'slot=a', 'hash=abc', 'mode=beside', 'origin=new']
    const named = [...own, ...labels.map((label) => `shipway.${label}`)]
    const compose = ['com.docker.compose.container-number=4', 'com.docker.compose.version=2.26.1', 'odd={"a":"b\n"}']
    const ran = ['--publish', '127.0.0.1::3000', '--publish', '127.0.0.1::3001', ...wordsOf([...named, ...compose])]
    const running = await engine.docker('run', '--detach', ...ran, 'shipway-test/busybox', 'sleep', '9999')
    const ended = await engine.docker('create', ...wordsOf(own), 'shipway-test/busybox', 'true')
    await engine.docker(
      'create',
      ...wordsOf(['shipway.installation=looking', 'shipway.environment=77']),
      'shipway-test/busybox',
    )
    const changes = ['EXPOSE 3000', 'VOLUME /data'].flatMap((line) => ['--change', line])
    await engine.docker('commit', ...changes, ended.trim(), declares)
    const network = (name: string, ...words: readonly string[]) => engine.docker('network', 'create', ...words, name)
    await network('looked-earlier', '--label', project, ...wordsOf(own))
    await network('looked-release', '--label', project, ...wordsOf([...own, 'shipway.release=41']))
    await network('looked-other')
    await engine.docker('network', 'connect', '--alias', 'web', 'looked-release', running.trim())
  })

  afterAll(async () => {
    const listed = await engine?.docker('ps', '--all', '--quiet', '--filter', 'label=shipway.installation=looking')
    await engine?.docker('rm', '--force', ...(listed ?? '').split('\n').filter(Boolean))
    await engine?.docker('network', 'rm', 'looked-earlier', 'looked-release', 'looked-other')
    await engine?.docker('image', 'rm', '--force', declares)
  })

  test('is what docker says of it', async () => {
    const seen = await inspectEngine(hostWith({}), ids, images)
    const byDocker = await inspectEngine(hostWith({ DOCKER_CONTEXT: 'default' }), ids, images)
    const sorted = ({ containers }: typeof seen) =>
      containers
        .map((one) => ({ ...one, ports: one.ports.toSorted(), networks: one.networks.toSorted() }))
        .toSorted((a, b) => a.task - b.task)
    expect(sorted(seen)).toEqual(sorted(byDocker))
    expect(seen.images).toEqual(byDocker.images)
    for (const { networks } of [seen, byDocker]) {
      expect(networks.toSorted((a, b) => a.release - b.release)).toEqual([
        { name: 'looked-earlier', driver: 'bridge', release: 0 },
        { name: 'looked-release', driver: 'bridge', release: 41 },
      ])
    }
    const [, web] = sorted(seen)
    expect(web).toMatchObject({ service: 'web', task: 41, slot: 'a', number: 4, composeVersion: '2.26.1' })
    expect(web?.ports).toHaveLength(2)
    expect(web?.networks).toContain('looked-release')
    expect(seen.images).toEqual([
      { id: expect.stringMatching(/^sha256:/), paths: ['/data'], exposed: ['3000/tcp'] },
      { id: expect.stringMatching(/^sha256:/), paths: [], exposed: [] },
      null,
    ])
  })

  test('reads the same ports, and whose they are', async () => {
    const sorted = (ports: ReadonlySet<number>) => [...ports].toSorted((a, b) => a - b)
    const seen = await findUsedPorts(hostWith({}), ids)
    const byDocker = await findUsedPorts(hostWith({ DOCKER_CONTEXT: 'default' }), ids)
    expect(sorted(seen.own)).toEqual(sorted(byDocker.own))
    expect(seen.own.size).toBe(2)
    for (const port of seen.own) expect([seen.inUse.has(port), byDocker.inUse.has(port)]).toEqual([true, true])
  })

  test('is asked of docker where it is more than is read', async () => {
    const long = `long=${'x'.repeat(120_000)}`
    const made = await Promise.all(
      Array.from({ length: 10 }, () =>
        engine.docker(
          'run',
          '--detach',
          '--label',
          'shipway.installation=looking',
          '--label',
          long,
          'shipway-test/busybox',
          'sleep',
          '9999',
        ),
      ),
    )
    try {
      expect((await findUsedPorts(hostWith({}), ids)).own.size).toBe(2)
    } finally {
      await engine.docker('rm', '--force', ...made.map((id) => id.trim()))
    }
  })

  test('is asked of docker where a name of an image means something in an address', async () => {
    const seen = await inspectEngine(hostWith({}), ids, ['shipway-test/busybox', 'a?b', 'a/../../containers'])
    expect(seen.images).toEqual([expect.objectContaining({ paths: [] }), null, null])
    expect(seen.networks).toHaveLength(2)
  })
})
