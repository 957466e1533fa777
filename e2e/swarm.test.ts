// An environment on a real Docker Swarm, through the platform and back: every node is a machine of its own, the lines that the platform shows
// have set it up, and requests come in all the time. `npm run swarm` is the long form.
import { get, type IncomingMessage } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { hasRegistry } from '../packages/server/test/docker/swarm-registry.ts'
import { canSetUp } from '../packages/server/test/machine-to-set-up.ts'
import { download } from './actions/download.ts'
import { ask } from './ask.ts'
import { openProgram, type Program } from './cli/program.ts'
import { ended } from './journey.ts'
import { type RequestFigures, sendRequests } from './load/requests.ts'
import { sampleFiles } from './load/sample.ts'
import { leftOn } from './swarm/left-on.ts'
import { beginSwarmWorld, type SwarmWorld } from './swarm/world.ts'

const HOST = 'main.hello.localhost'

/** The service with the volume. From version 3 on it has another name, and the file no longer says on which node it runs. */
const keeperOf = (version: string) => (version === '3' ? 'vault' : 'keeper')

const files = (version: string) => ({
  ...sampleFiles(version),
  '.service.yml': `services:
  web: { port: 3000, health: /healthz, sticky_sessions: true }
docker:
  compose: compose.yml
  release: { name: Migrate, run: echo migrated to ${version} with $KEY, service: web }
actions:
  greet: { run: "echo greeted with $KEY; cat /keeper/note", service: ${keeperOf(version)} }
  report: { run: "echo made with $KEY | tee report.txt", service: web, artifacts: { paths: [report.txt] } }
`,
  'compose.yml': `services:
  web:
    build: .
    environment: { KEY: "\${KEY}" }
    deploy: { replicas: 2 }
  ${keeperOf(version)}:
    image: shipway-test/busybox
    command: sh -c "echo the keeper of ${version}; echo kept by ${version} >> /keeper/note; exec sleep 9999"
    environment: { KEY: "\${KEY}" }
    volumes: [data:/keeper]
    stop_grace_period: 0s
${version === '3' ? '' : '    deploy: { placement: { constraints: [node.role==worker] } }\n'}volumes: { data: {} }
`,
  'server.js': `console.log('version ${version} starts')
${sampleFiles(version)['server.js'].replace('() => res.end(version)', '() => res.setHeader("x-container", require("node:os").hostname()).end(version)')}`,
})

describe.skipIf(!hasDocker || !hasRegistry || !canSetUp)('an environment on a Swarm', () => {
  let world: SwarmWorld
  let program: Program
  let id: number

  beforeAll(async () => {
    world = await beginSwarmWorld({ managers: 1, workers: 1 })
    const { platform } = world.journey
    program = openProgram({ SHIPWAY_URL: platform.url, SHIPWAY_TOKEN: platform.filled.token })
    id = await world.createEnvironment('main')
    await world.client.changeVariables({ params: { id }, body: { set: { KEY: 'canary-of-a-swarm' } } })
  })
  afterAll(async () => {
    program?.stop()
    await world?.stop()
  })

  const edge = () => world.managers[0]?.node.address ?? ''
  const end = async ({ id: taskId }: { readonly id: number }) => {
    const task = await ended(world.client, taskId)
    return { ...task, log: await world.client.readTaskLog({ params: { id: taskId } }) }
  }
  const deploy = async (version: string, changes: Readonly<Record<string, string>> = {}) => {
    world.journey.commit({ ...files(version), ...changes })
    return end(await world.client.startDeployment({ params: { id } }))
  }
  const served = async () => (await ask(80, HOST, '/', edge())).text
  const succeeded = (task: Awaited<ReturnType<typeof end>>) =>
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
  /** The names of the nodes that run tasks of web now. */
  const nodesOfWeb = async () => {
    const running = ['--filter', 'label=shipway.service=web', '--filter', 'status=running', '--quiet']
    const counts = await Promise.all(
      world.machines.map(async ({ node }) => {
        const lines = await node.docker('ps', ...running)
        return lines
          .split('\n')
          .filter(Boolean)
          .map(() => node.name)
      }),
    )
    return counts.flat()
  }
  const client = async (...words: string[]) => {
    const run = await program.inProcess.run(words)
    expect(run, run.err).toMatchObject({ code: 0 })
    return run.out
  }
  const worker = () => world.workers[0] ?? world.machines[0]
  /** The volumes of the environment on the worker, and what the service wrote into each. */
  const notesOnWorker = async () => {
    const names =
      (await worker()?.node.docker('volume', 'ls', '--quiet', '--filter', 'label=shipway.environment')) ?? ''
    const read = (name: string) =>
      worker()?.run(`cat "$(docker volume inspect --format '{{.Mountpoint}}' ${name})/note"`)
    return new Map(
      await Promise.all(
        names
          .split('\n')
          .filter(Boolean)
          .map(async (name) => [name, await read(name)] as const),
      ),
    )
  }
  const logs = (...words: string[]) => client('logs', '-p', 'hello', '-e', 'main', ...words)

  test('passes the check of its server, and lists its nodes', async () => {
    const { checks } = await world.client.checkServer({ params: { id: world.serverId } })
    expect(checks.filter(({ status }) => status === 'failed')).toEqual([])
    await world.managers[0]?.node.docker('node', 'update', '--label-add', 'zone=north', 'worker-1')
    await expect
      .poll(() => client('servers', 'nodes', 'Swarm'))
      .toMatch(/^ *worker-1 +worker +ready +active +\S+ +\d+(?: +[\d.]+ GiB){3} +zone=north *$/m)
  })

  test('is deployed on both nodes', async () => {
    const task = await deploy('1')
    succeeded(task)
    expect(task.log).toContain('migrated to 1 with [hidden]')
    expect(await served()).toBe('1')
    expect((await nodesOfWeb()).sort()).toEqual(['manager-1', 'worker-1'])
  })

  test('keeps a browser at the container that it met first', async () => {
    const visit = (cookie?: string): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const headers = { host: HOST, ...(cookie && { cookie }) }
        get({ host: edge(), port: 80, headers, agent: false }, (answer) => resolve(answer.resume())).once(
          'error',
          reject,
        )
      })
    const containersOf = async (cookie?: string) =>
      new Set(
        (await Promise.all(Array.from({ length: 20 }, () => visit(cookie)))).map(
          ({ headers }) => headers['x-container'],
        ),
      )
    expect((await containersOf()).size).toBe(2)
    const { headers } = await visit()
    expect(await containersOf(headers['set-cookie']?.[0]?.split(';')[0])).toEqual(new Set([headers['x-container']]))
  })

  describe('with requests under way', () => {
    let stop: () => Promise<RequestFigures>
    let figures: RequestFigures | undefined
    const stopOnce = async () => {
      figures ??= await stop?.()
      return figures
    }
    let first: number

    beforeAll(() => {
      ;({ stop } = sendRequests({ port: 80, host: HOST, address: edge() }, 40))
    })
    afterAll(() => stopOnce())

    test('switches to the next version', async () => {
      first = (await world.client.listTasks({ params: { id } }))[0]?.id ?? 0
      succeeded(await deploy('2'))
      expect(await served()).toBe('2')
    })

    test('keeps the version that serves where the next one is bad', async () => {
      const task = await deploy('bad', { 'server.js': 'console.log("no such luck"); process.exit(3)\n' })
      expect(task, task.log).toMatchObject({
        status: 'failed',
        failed_step: { name: 'Wait for web', message: 'web ended with exit code 3 before it was ready' },
      })
      expect(task.log).toContain('no such luck')
      expect(await served()).toBe('2')
    })

    test('goes back to an earlier version', async () => {
      const task = await end(await world.client.rollBackEnvironment({ params: { id }, body: { task_id: first } }))
      succeeded(task)
      expect(task.phases.flatMap(({ steps }) => steps.map(({ name }) => name))).not.toContain('Build images')
      expect(await served()).toBe('1')
    })

    test('is scaled without a deployment', async () => {
      expect(await client('scale', 'web=3', '-p', 'hello', '-e', 'main')).toMatch(/^ *web +3$/m)
      await expect.poll(nodesOfWeb).toHaveLength(3)
      await client('scale', 'web=2', '-p', 'hello', '-e', 'main')
      await expect.poll(nodesOfWeb).toHaveLength(2)
    })

    test('leaves a node that is drained, and comes back to it', async () => {
      await client('servers', 'drain', 'Swarm', 'worker-1')
      await expect.poll(nodesOfWeb).toEqual(['manager-1', 'manager-1'])
      await client('servers', 'activate', 'Swarm', 'worker-1')
      world.journey.commit(files('3'))
      succeeded(await end(await world.client.startDeployment({ params: { id } })))
      expect(await served()).toBe('3')
      await expect.poll(async () => (await nodesOfWeb()).sort()).toEqual(['manager-1', 'worker-1'])
      expect(await served()).toBe('3')
    })

    test('loses none of them, and no bad version gets any', async () => {
      const { failed = [], versions = new Map() } = (await stopOnce()) ?? {}
      expect({ failed, versions: [...versions.keys()].sort() }).toEqual({ failed: [], versions: ['1', '2', '3'] })
    })
  })

  test('runs actions and one-off commands beside the service', async () => {
    const action = await end(await world.client.runAction({ params: { id, name: 'greet' } }))
    succeeded(action)
    // The service has another name than before, and its volume is the same, on the same node.
    expect(action.log).toMatch(/greeted with \[hidden\]\nkept by 1\n(?:kept by \d\n)*kept by 3\n/)
    expect([...(await notesOnWorker()).values()]).toEqual([expect.stringContaining('kept by 1')])
    const body = { command: ['sh', '-c', 'echo once; exit 4'], service: 'web' }
    const run = await end(await world.client.startRun({ params: { id }, body }))
    expect(run, run.log).toMatchObject({ status: 'failed', failed_step: { exit_code: 4 } })
    expect(run.log).toContain('once')
  })

  test('keeps files of actions, and runs commands with piped input', async () => {
    const action = await end(await world.client.runAction({ params: { id, name: 'report' } }))
    succeeded(action)
    const [artifact] = await world.client.listArtifacts({ params: { id: action.id } })
    const { url, filled } = world.journey.platform
    const file = await download(url, `/api/artifacts/${artifact?.id}`, { authorization: `Bearer ${filled.token}` })
    expect(file.body.toString()).toBe('made with canary-of-a-swarm\n')
    const words = ['run', '-p', 'hello', '-e', 'main', '-s', 'web', '--', 'sh', '-c', 'cat; echo " $KEY"; exit 4']
    const run = await program.run(words, { input: 'piped' })
    expect(run, run.err).toMatchObject({ code: 4, out: 'piped canary-of-a-swarm\n' })
    const oneOffs = () =>
      world.managers[0]?.node.docker('service', 'ls', '--quiet', '--filter', 'label=shipway.mode=one_off')
    await expect.poll(oneOffs).toBe('')
  })

  test('has the output of all tasks in one stream, also of versions that are gone', async () => {
    const lines = (await logs('--service', 'web')).split('\n').filter(Boolean)
    expect(lines.filter((line) => line.endsWith('version 3 starts'))).toHaveLength(2)
    expect(lines.filter((line) => line.endsWith('version 2 starts'))).toHaveLength(2)
    expect(await logs('--service', 'vault', '--tail', '1')).toMatch(/the keeper of 3$/m)
    const times = lines.map((line) => line.slice(0, 24))
    expect(times).toEqual(times.toSorted())
  })

  test('has metrics of its services, on whichever node they run', async () => {
    const measured = async () => {
      const { services } = await world.client.getEnvironmentMetrics({ params: { id }, query: { range: '2h' } })
      return services
        .filter((service) => service.memory_bytes.some((bytes) => bytes !== null && bytes > 0))
        .map(({ name }) => name)
    }
    // That service runs on the worker alone.
    await expect.poll(measured).toEqual(expect.arrayContaining(['vault', 'web']))
  })

  test('is reset, with new volumes, and names the one that no manager can delete', async () => {
    const before = await notesOnWorker()
    const task = await end(await world.client.resetEnvironment({ params: { id } }))
    succeeded(task)
    expect(await served()).toBe('3')
    // On two nodes that have nothing to do, the new one is on the first.
    const [, where, command = ''] =
      /Data of the environment stay on (\S+), .*: (docker volume rm -- .+)/.exec(task.log) ?? []
    expect([where, command]).toEqual(['worker-1', `docker volume rm -- ${[...before.keys()].join(' ')}`])
    expect(await notesOnWorker()).toEqual(before)
    await worker()?.run(command)
  })

  test('leaves nothing on any node when it is removed', async () => {
    expect(await leftOn(world.machines)).not.toEqual([])
    succeeded(await end(await world.client.deleteEnvironment({ params: { id } })))
    await expect.poll(() => leftOn(world.machines)).toEqual([])
    // The edge forgets the domain a moment after the removal.
    await expect.poll(async () => (await ask(80, HOST, '/', edge())).status).toBe(404)
  })

  test('takes a machine again that is its node, and refuses one of another Swarm', async () => {
    const joinAgain = async () => {
      const { command } = await world.client.joinServer({ params: { id: world.serverId }, body: { role: 'worker' } })
      return (await worker()?.run(`${command} 2>&1 >/dev/null; echo "exit $?"`)) ?? ''
    }
    // Without systemd something is left to do.
    expect(await joinAgain()).toMatch(/^exit 3$/m)
    const node = worker()?.node
    await node?.docker('swarm', 'leave')
    await node?.docker('swarm', 'init', '--advertise-addr', node.address)
    expect(await joinAgain()).toMatch(/^This machine is a node of another Swarm, .*docker swarm leave.*\nexit 19$/m)
  })
})
