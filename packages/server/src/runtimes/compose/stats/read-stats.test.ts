// What a real Docker Engine and real processes use, read by the script without an agent.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type EngineClient, hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { until } from '../../../../test/steps.ts'
import type { Host } from '../../../remote/host.ts'
import type { ServiceUsage } from '../../server-stats.ts'
import { readStats } from './read-stats.ts'

const MIB = 1024 * 1024
const without = { installationId: 'none', hasContainers: false, ports: [], countKillsSince: null }

test('the machine reports its cores, memory, load, disk and how long it has run', async () => {
  const { machine, services, kills } = await readStats(createLocalHost('this machine'), without)
  expect([services, kills]).toEqual([undefined, []])
  expect(machine.cores).toBeGreaterThan(0)
  expect(machine.uptimeSeconds).toBeGreaterThan(0)
  expect(machine.cpuSeconds).toBeGreaterThan(0)
  expect(machine.load).toBeGreaterThanOrEqual(0)
  expect(machine.memoryBytes).toBeGreaterThan(0)
  expect(machine.memoryTotalBytes).toBeGreaterThan(machine.memoryBytes ?? 0)
  expect(machine.disk?.totalBytes).toBeGreaterThan(machine.disk?.freeBytes ?? 0)
})

test('a port has what its process and the children of that use', async () => {
  const work = 'const kept = Buffer.alloc(40e6, 1); while (process.cpuUsage().user < 300_000);'
  const program = `
    require('node:child_process').spawn(process.execPath, ['-e', ${JSON.stringify(`${work} console.log('ready'); setInterval(() => kept, 1e6)`)}],
      { stdio: ['ignore', 'inherit', 'inherit'] })
    const server = require('node:net').createServer().listen(0, '127.0.0.1', () => console.log('port', server.address().port))`
  const child = spawn(process.execPath, ['-e', program], { stdio: ['ignore', 'pipe', 'inherit'], detached: true })
  try {
    let printed = ''
    child.stdout.on('data', (bytes) => (printed += bytes))
    await until(async () => printed.includes('ready') && /port \d+\n/.test(printed))
    const port = Number(/port (\d+)/.exec(printed)?.[1])
    const { ports } = await readStats(createLocalHost('this machine'), { ...without, ports: [port, 1] })
    expect([...ports.keys()]).toEqual([port])
    const usage = ports.get(port)
    expect(usage?.memoryBytes).toBeGreaterThan(40e6)
    expect(usage?.cpuSeconds).toBeGreaterThan(0.25)
    expect(usage).toMatchObject({ memoryLimitBytes: null, networkInBytes: null })
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
    await once(child, 'exit')
  }
})

test('version 2 of cgroups is read under both drivers of Docker', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'shipway-cgroups-'))
  const [one, other, strange] = ['a'.repeat(64), 'b'.repeat(64), 'c'.repeat(64)]
  const files = {
    'cpu.stat': 'usage_usec 1500000\nuser_usec 1\n',
    'memory.current': `${64 * MIB}\n`,
    'memory.stat': `anon 5\ninactive_file ${24 * MIB}\n`,
    'memory.max': `${80 * MIB}\n`,
    'memory.events': 'low 0\noom 9\noom_kill 2\n',
    'cgroup.procs': `${process.pid}\n`,
  }
  const write = (path: string, own: Readonly<Record<string, string>>): void => {
    mkdirSync(join(folder, path), { recursive: true })
    for (const [name, text] of Object.entries(own)) writeFileSync(join(folder, path, name), text)
  }
  try {
    writeFileSync(join(folder, 'cgroup.controllers'), 'cpu memory\n')
    write(`docker/${one}`, files)
    write(`system.slice/docker-${other}.scope`, { ...files, 'memory.max': 'max\n', 'cgroup.procs': '' })
    write(`docker/${strange}`, files)
    const line = (id: string, service: string) => JSON.stringify({ id, environment: '7', service })
    mkdirSync(join(folder, 'bin'))
    const said = [line(one, 'web'), line(other, 'db')].map((text) => `echo '${text}'`)
    writeFileSync(join(folder, 'bin/docker'), ['#!/bin/sh', '[ "$1" = ps ] || exit 0', ...said, ''].join('\n'), {
      mode: 0o755,
    })
    const host = createLocalHost('this machine', { PATH: `${join(folder, 'bin')}:${process.env.PATH}` })
    const { services } = await readStats(host, { ...without, hasContainers: true }, folder)
    const uptimeSeconds = expect.any(Number)
    const usage = { environmentId: 7, uptimeSeconds, cpuSeconds: 1.5, memoryBytes: 40 * MIB, oomKills: 2 }
    expect(services).toEqual([
      {
        ...usage,
        key: one,
        service: 'web',
        memoryLimitBytes: 80 * MIB,
        networkInBytes: expect.any(Number),
        networkOutBytes: expect.any(Number),
      },
      { ...usage, key: other, service: 'db', memoryLimitBytes: null, networkInBytes: null, networkOutBytes: null },
    ])
  } finally {
    rmSync(folder, { recursive: true })
  }
})

describe.skipIf(!hasDocker)('containers', () => {
  const installationId = `stats-${process.pid}`
  let engine: EngineClient
  let host: Host
  beforeAll(async () => {
    engine = await sharedEngine()
    host = createLocalHost('this machine', { DOCKER_HOST: engine.host })
  })
  afterAll(async () => {
    const ids = (
      await engine.docker('ps', '--all', '--quiet', '--filter', `label=shipway.installation=${installationId}`)
    ).trim()
    if (ids !== '') await engine.docker('rm', '--force', ...ids.split('\n'))
  })

  const run = async (service: string, words: readonly string[], command: string): Promise<string> => {
    const labels = Object.entries({ installation: installationId, environment: '7', service, task: '1' })
    const labelled = labels.flatMap(([key, value]) => ['--label', `shipway.${key}=${value}`])
    const started = ['run', '--detach', '--init', '--stop-timeout', '1', ...labelled, ...words]
    return (await engine.docker(...started, 'shipway-test/busybox', 'sh', '-c', command)).trim()
  }
  const read = (more: { countKillsSince?: number } = {}) =>
    readStats(host, { installationId, hasContainers: true, ports: [], countKillsSince: null, ...more })
  const usageOf = async (id: string): Promise<ServiceUsage | undefined> =>
    (await read()).services?.find(({ key }) => key === id)
  const printed = (id: string, text: string) => until(async () => (await engine.docker('logs', id)).includes(text))

  test('use the memory that docker stats shows, without page cache', async () => {
    const keep =
      'kept=$(head -c 30000000 /dev/zero | tr "\\0" x); head -c 60000000 /dev/zero > /file; cat /file > /dev/null'
    const id = await run('web', ['--memory', '256m'], `${keep}; echo ready; sleep 999; echo $kept`)
    await printed(id, 'ready')
    const bytesShown = async () => {
      const shown = (await engine.docker('stats', '--no-stream', '--format', '{{.MemUsage}}', id)).trim()
      const [, number, unit = ''] = /^([0-9.]+)([KMG]iB) \/ 256MiB/.exec(shown) ?? []
      return Number(number) * ({ KiB: 1024, MiB: MIB, GiB: 1024 * MIB }[unit] ?? Number.NaN)
    }
    expect(await usageOf(id)).toMatchObject({ environmentId: 7, service: 'web', memoryLimitBytes: 256 * MIB })
    expect(await bytesShown()).toBeGreaterThan(30e6)
    // The kernel may move pages between the two readings.
    const difference = async () => {
      const bytes = await bytesShown()
      return Math.abs(((await usageOf(id))?.memoryBytes ?? 0) - bytes) / bytes
    }
    await expect.poll(difference).toBeLessThan(0.05)
  })

  test('use CPU and network, and have no limit unless one is set', async () => {
    const id = await run('api', [], 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done; echo ready; sleep 999')
    await printed(id, 'ready')
    const before = await usageOf(id)
    expect(before?.cpuSeconds).toBeGreaterThan(0.05)
    const { memoryTotalBytes } = (await read()).machine
    const { memoryLimitBytes = null } = before ?? {}
    expect(memoryLimitBytes === null || memoryLimitBytes >= (memoryTotalBytes ?? 0)).toBe(true)
    expect([before?.networkInBytes, before?.networkOutBytes]).toEqual([expect.any(Number), expect.any(Number)])
    await engine.docker('exec', id, 'sh', '-c', 'i=0; while [ $i -lt 300000 ]; do i=$((i + 1)); done')
    expect((await usageOf(id))?.cpuSeconds).toBeGreaterThan((before?.cpuSeconds ?? 0) + 0.05)
  })

  test('that were killed for their memory are counted, also where they started again', async () => {
    const { killsUntil } = await read()
    const eat = 'test -e /done || { touch /done; kept=$(head -c 200000000 /dev/zero | tr "\\0" x); }; sleep 999'
    const id = await run('hungry', ['--memory', '32m', '--memory-swap', '32m', '--restart', 'always'], eat)
    const restarted = async () =>
      (await engine.docker('inspect', '--format', '{{.RestartCount}} {{.State.Running}}', id)).trim()
    await until(async () => (await restarted()) === '1 true')
    // The window ends with a whole second.
    await until(async () => (await read({ countKillsSince: killsUntil ?? 0 })).kills.length > 0)
    const { kills, killsUntil: end } = await read({ countKillsSince: killsUntil ?? 0 })
    // The kernel may take two processes of a container at once. The Engine tells of each.
    const window = ['--since', String(killsUntil), '--until', String(end), '--filter', `container=${id}`]
    const oomEvents = (await engine.docker('events', ...window, '--filter', 'event=oom')).trim().split('\n')
    expect(kills).toEqual([{ environmentId: 7, service: 'hungry', times: oomEvents.length }])
    expect((await read({ countKillsSince: end ?? 0 })).kills).toEqual([])
  })

  test('leave nothing running on the server after they were read', async () => {
    await read()
    const { stdout } = await host.run(['ps', '-eo', 'args'])
    expect(stdout.toString()).not.toContain(installationId)
  })
})
