// Two environments of one project on one real Docker Engine with firewall rules: neither reaches the other, and removing one removes
// nothing else.
import { existsSync, globSync, statSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { hasHaproxy } from '../packages/server/test/haproxy.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { beginJourney, comesTrue, ended, type Journey, until } from './journey.ts'
import { addDockerServer, type DockerServer } from './servers.ts'

const files = {
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:
  web:
    build: .
    volumes: [data:/data, './written:/written:rw']
    extra_hosts: ['host.docker.internal:host-gateway']
volumes:
  data: {}
`,
  'written/committed': '',
  Dockerfile: `FROM shipway-test/busybox
STOPSIGNAL SIGKILL
CMD mkdir -p /written/deep && touch /written/deep/by-root && chmod 700 /written/deep && cp /bin/busybox /data/hello && \\
  mkdir -p /www && echo "$SERVICE_ENV_IDENTIFIER" > /www/index.html && exec httpd -f -p 3000 -h /www
`,
}

describe.skipIf(!hasDocker || !hasSshd || !hasHaproxy)('two environments on one server', () => {
  let journey: Journey
  let server: DockerServer
  let docker: (...words: string[]) => Promise<string>
  const ids: Record<'one' | 'two', number> = { one: 0, two: 0 }

  /** The container of the version before may still be on its way out. */
  const containerOf = (id: number): Promise<string> =>
    until(async () => {
      const running = await docker('ps', '--quiet', '--no-trunc', '--filter', `label=shipway.environment=${id}`)
      const [container, ...others] = running.split('\n').filter(Boolean)
      return others.length === 0 ? container : undefined
    }, 'one container runs')
  const inspect = async (id: number) => JSON.parse(await docker('inspect', await containerOf(id)))[0]
  /** What a container of the environment gets from an address, with a short timeout. */
  const reach = async (id: number, address: string): Promise<string> =>
    docker('exec', await containerOf(id), 'timeout', '2', 'wget', '-q', '-O-', `http://${address}`).catch(
      () => 'out of reach',
    )
  const deploy = async (id: number) => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    const task = await ended(journey.client, taskId)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
  }

  beforeAll(async () => {
    journey = await beginJourney('embedded', 'local', {
      settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '0' },
    })
    const { client, projectId } = journey
    server = await addDockerServer(client, 'Docker')
    docker = server.engine.docker
    await client.updateProject({
      params: { id: projectId },
      body: { server_ids: [server.id], default_recipe: 'docker' },
    })
    journey.commit(files)
    for (const name of ['one', 'two'] as const) ids[name] = await journey.createEnvironment(name)
    const limits = { cpus: 64, memory_mb: 128, processes: 50 }
    await client.updateEnvironment({ params: { id: ids.one }, body: { limits } })
    for (const name of ['one', 'two'] as const) await deploy(ids[name])
  })
  afterAll(async () => {
    await journey?.stop()
    await server?.stop()
  })

  test('cannot reach each other by name, by address, or through the machine', async () => {
    const other = await inspect(ids.two)
    const [network] = Object.values<{ IPAddress: string; Gateway: string }>(other.NetworkSettings.Networks)
    const own = await inspect(ids.one)
    const [ownNetwork] = Object.values<{ Gateway: string }>(own.NetworkSettings.Networks)
    const published = other.NetworkSettings.Ports['3000/tcp'][0]
    expect(published.HostIp).toBe('127.0.0.1')
    const port = published.HostPort

    // All of these addresses are correct: the environment itself, or the machine, gets a response there.
    await expect.poll(() => reach(ids.two, 'web:3000')).toBe('two\n')
    await expect.poll(() => reach(ids.two, `${network?.IPAddress}:3000`)).toBe('two\n')
    expect(await server.run('curl', '--silent', `http://127.0.0.1:${port}/`)).toBe('two\n')

    await expect.poll(() => reach(ids.one, 'web:3000')).toBe('one\n')
    const names = [
      other.Name.slice(1),
      other.Id.slice(0, 12),
      `${other.Config.Labels['com.docker.compose.project']}-web-1`,
    ]
    for (const name of names) expect(await reach(ids.one, `${name}:3000`), name).toBe('out of reach')
    expect(await reach(ids.one, `${network?.IPAddress}:3000`)).toBe('out of reach')
    for (const gateway of [ownNetwork?.Gateway, network?.Gateway, '172.17.0.1'])
      expect(await reach(ids.one, `${gateway}:${port}`), gateway).toBe('out of reach')
    expect(await reach(ids.one, `host.docker.internal:${port}`)).toBe('out of reach')
  })

  test('have volumes of their own', async () => {
    const volumeOf = async (id: number) =>
      (await inspect(id)).Mounts.find((mount: { Type: string }) => mount.Type === 'volume').Name
    expect(await volumeOf(ids.one)).not.toBe(await volumeOf(ids.two))
  })

  test('have everything labelled', async () => {
    for (const id of [ids.one, ids.two]) {
      const label = ['--quiet', '--filter', `label=shipway.environment=${id}`]
      for (const words of [['ps'], ['network', 'ls'], ['volume', 'ls'], ['image', 'ls']])
        expect((await docker(...words, ...label)).trim().split('\n').filter(Boolean), words.join(' ')).toHaveLength(1)
      const { Config } = await inspect(id)
      expect(Config.Labels).toMatchObject({ 'shipway.environment': String(id), 'shipway.service': 'web' })
      expect(Config.Labels['shipway.installation']).toMatch(/./)
      expect(Config.Labels['shipway.task']).toMatch(/^\d+$/)
    }
  })

  test('run within their limits, as far as the machine can enforce them', async () => {
    const processors = Number((await docker('info', '--format', '{{.NCPU}}')).trim())
    expect((await inspect(ids.one)).HostConfig).toMatchObject({
      NanoCpus: processors * 1e9,
      Memory: 128 * 1024 ** 2,
      PidsLimit: 50,
    })
    expect((await inspect(ids.two)).HostConfig).toMatchObject({ NanoCpus: 0, Memory: 0 })
    const bomb = 'i=0; while [ $i -lt 80 ]; do sleep 5 & i=$((i+1)); done'
    await expect(docker('exec', await containerOf(ids.one), 'sh', '-c', bomb)).rejects.toThrow(/fork/)
  })

  test('are limited by the platform if a limit of the file is too small to be valid', async () => {
    const processors = Number((await docker('info', '--format', '{{.NCPU}}')).trim())
    for (const cpus of ['0.0000000001', '0.000005']) {
      journey.commit({ 'compose.yml': files['compose.yml'].replace('build: .', `build: .\n    cpus: ${cpus}`) })
      await deploy(ids.one)
      expect((await inspect(ids.one)).HostConfig.NanoCpus, cpus).toBe(processors * 1e9)
    }
    journey.commit({ 'compose.yml': files['compose.yml'] })
  })

  test('get only the grants of their own', async () => {
    journey.commit({
      'compose.yml': `${files['compose.yml']}`.replace('build: .', 'build: .\n    cap_add: [NET_ADMIN]'),
    })
    const run = async (id: number) => {
      const { id: taskId } = await journey.client.startDeployment({ params: { id } })
      return ended(journey.client, taskId)
    }
    const refused = { status: 'failed', failed_step: { name: 'Check the compose file' } }
    expect(await run(ids.two)).toMatchObject(refused)
    const params = { id: ids.two }
    await journey.client.changeGrants({ params, body: { capabilities: ['capabilities'] } })
    expect(await run(ids.two)).toMatchObject({ status: 'succeeded' })
    expect((await inspect(ids.two)).HostConfig.CapAdd).toEqual(['NET_ADMIN'])
    expect(await run(ids.one)).toMatchObject(refused)
    await journey.client.changeGrants({ params, body: { capabilities: [] } })
    expect(await run(ids.two)).toMatchObject(refused)
  })

  test('are removed with files that root wrote, and leave everything else', async () => {
    const folderOf = (id: number) => globSync(`${server.home}/.shipway/*/environments/${id}`)
    const [written] = globSync(`${folderOf(ids.one)[0]}/releases/*/written/deep`)
    expect(statSync(`${written}/by-root`).uid).toBe(0)
    expect(statSync(`${written}/../committed`).uid).not.toBe(0)

    await docker('tag', 'shipway-test/busybox', 'foreign:1')
    await docker('volume', 'create', 'foreign')
    await docker('network', 'create', '--internal', 'foreign')
    const foreign = (
      await docker('run', '-d', '--net', 'foreign', '-v', 'foreign:/x', 'foreign:1', 'sleep', '999')
    ).trim()
    const before = await everything()
    expect(await server.ask('one.hello.localhost')).toBe('one\n')

    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id: ids.one } })
    const task = await ended(journey.client, taskId)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })

    const label = ['--quiet', '--filter', `label=shipway.environment=${ids.one}`]
    const gone = before.ofOne
    expect(gone.length).toBeGreaterThanOrEqual(4)
    for (const words of [
      ['ps', '-a'],
      ['network', 'ls'],
      ['volume', 'ls'],
      ['image', 'ls', '-a'],
    ])
      expect(await docker(...words, ...label), words.join(' ')).toBe('')
    expect((await everything()).all).toEqual(before.all.filter((thing) => !gone.includes(thing)))
    expect(folderOf(ids.one)).toEqual([])
    expect(folderOf(ids.two)).toHaveLength(1)
    expect(existsSync(`${server.home}/.shipway`)).toBe(true)
    expect(await docker('inspect', '--format', '{{.State.Running}}', foreign)).toBe('true\n')
    await expect.poll(() => reach(ids.two, 'web:3000')).toBe('two\n')
    expect(await server.ask('two.hello.localhost')).toBe('two\n')
    const answer = () => server.ask('one.hello.localhost').catch(String)
    expect(await comesTrue(async () => (await answer()).includes('404'))).toBe(true)
    const left = await journey.client.listEnvironments({ params: { id: journey.projectId } })
    expect(left.map(({ name }) => name)).toEqual(['two'])
  })

  /** All objects of the Engine, and those of the first environment. */
  async function everything(): Promise<{ all: string[]; ofOne: string[] }> {
    const list = async (...filter: string[]): Promise<string[]> => {
      const kinds = [
        ['ps', '-a', '--no-trunc'],
        ['network', 'ls', '--no-trunc'],
        ['volume', 'ls'],
        ['image', 'ls', '-a', '--no-trunc'],
      ]
      const found = await Promise.all(kinds.map((words) => docker(...words, '--quiet', ...filter)))
      return found.flatMap((lines) => lines.split('\n').filter(Boolean)).sort()
    }
    return { all: await list(), ofOne: await list('--filter', `label=shipway.environment=${ids.one}`) }
  }
})
