// The cgroup of builds on a real machine with a real Engine: as root, and as a user who may use docker and nothing more.
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { afterEach, describe, expect, test } from 'vitest'
import { hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { type Host, localGit } from '../../../remote/host.ts'
import { runProcess } from '../../../remote/process.ts'
import { limitBuilds, removeBuildGroup } from './build-limits.ts'

const owner = { installationId: `test${process.pid}`, environmentId: 7 }
const NONE = { cpus: null, memoryBytes: null, processes: null }

const groups = (): string[] => globSync(`/sys/fs/cgroup/{,*/}shipway-${owner.installationId}-7`)
/** A limit in the file of the first or of the second version of cgroups. */
const limit = (one: string, two: string): string | undefined =>
  groups()
    .flatMap((folder) => [`${folder}/${one}`, `${folder}/${two}`])
    .filter((file) => existsSync(file))
    .map((file) => readFileSync(file, 'utf8').trim())[0]
const limits = () => [
  limit('cpu.cfs_quota_us', 'cpu.max')?.split(' ')[0],
  limit('memory.limit_in_bytes', 'memory.max'),
  limit('pids.max', 'pids.max'),
]

/** Who may use docker is in the group of its socket. */
async function hostOf(user: 'root' | 'nobody'): Promise<Host & { docker(...words: string[]): Promise<string> }> {
  const engine = await sharedEngine()
  const group = statSync(engine.host.replace('unix://', '')).gid
  const words = user === 'root' ? [] : ['setpriv', '--reuid=65534', `--regid=${group}`, '--clear-groups', '--']
  const environment = { PATH: process.env.PATH ?? '', DOCKER_HOST: engine.host, HOME: '/nonexistent' }
  return {
    name: user,
    run: ([program, ...others], options) => {
      const [first = program, ...rest] = [...words, program, ...others]
      return runProcess([first, ...rest], { ...options, environment })
    },
    git: localGit,
    docker: engine.docker,
  }
}

describe.skipIf(!hasDocker).each(['root', 'nobody'] as const)('the cgroup of builds, by %s', (user) => {
  afterEach(async () => removeBuildGroup(await hostOf('root'), owner))

  test('has its limits, changes with them, and goes', async () => {
    const host = await hostOf(user)
    const set = { cpus: 1.5, memoryBytes: 64 * 1024 ** 2, processes: 30 }
    expect(await limitBuilds(host, owner, set)).toEqual({ cgroup: `/shipway-${owner.installationId}-7` })
    expect(limits()).toEqual(['150000', String(64 * 1024 ** 2), '30'])
    expect(await limitBuilds(host, owner, { ...set, cpus: null, processes: 40 })).toHaveProperty('cgroup')
    expect(limits()).toEqual([expect.stringMatching(/^(-1|max)$/), String(64 * 1024 ** 2), '40'])
    await removeBuildGroup(host, owner)
    expect(groups()).toEqual([])
    const left = ['--filter', `label=shipway.installation=${owner.installationId}`, '--quiet']
    expect(await host.docker('image', 'ls', '--all', ...left)).toBe('')
    expect(await host.docker('ps', '--all', ...left)).toBe('')
  })

  test('is not there without limits', async () => {
    expect(await limitBuilds(await hostOf(user), owner, NONE)).toBeNull()
    expect(groups()).toEqual([])
  })
})

test.skipIf(!hasDocker)('a server that cannot limit builds says why', async () => {
  const host = await hostOf('nobody')
  const away: Host = {
    ...host,
    run: (command, options) => host.run(['env', 'DOCKER_HOST=unix:///gone', ...command], options),
  }
  expect(await limitBuilds(away, owner, { ...NONE, cpus: 1 })).toEqual({ reason: expect.stringContaining('/gone') })
})
