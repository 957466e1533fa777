// Moves an environment to another server: the old one serves until the new one does, then everything but the data is removed there.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { hasHaproxy } from '../packages/server/test/haproxy.ts'
import { hasSshd } from '../packages/server/test/sshd.ts'
import { askAlways } from './ask-always.ts'
import { comesTrue, ended } from './journey.ts'
import type { DockerServer } from './servers.ts'
import { stageTwoServers } from './stage-two-servers.ts'

const DOMAIN = 'main.hello.localhost'

const files = (version: string, command = 'exec httpd -f -p 3000 -h /www') => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:
  web: { build: . }
  data:
    image: shipway-test/busybox
    command: sh -c 'touch /data/here; exec sleep 9999'
    restart: always
    stop_grace_period: 0s
    volumes: [kept:/data]
volumes: { kept: {} }
`,
  Dockerfile: `FROM shipway-test/busybox
RUN mkdir /www && echo ${version} > /www/index.html
CMD ${command}
`,
})

describe.skipIf(!hasDocker || !hasSshd || !hasHaproxy)('an environment that is moved', () => {
  const { journey, first, second } = stageTwoServers()
  let id: number
  beforeAll(async () => {
    id = await journey.createEnvironment('main')
  })

  const deploy = async (environmentId: number) => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id: environmentId } })
    return ended(journey.client, taskId)
  }
  const succeed = async (environmentId: number) => {
    const task = await deploy(environmentId)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    return task
  }
  const moveTo = (server: DockerServer) =>
    journey.client.updateEnvironment({ params: { id }, body: { server_id: server.id } })
  const namesOf = (text: string): string[] => [...new Set(text.split('\n').filter(Boolean))].sort()
  /** The environment's objects in docker there. */
  const inDocker = async ({ engine }: DockerServer) => {
    const ours = journey.ofEnvironment(id)
    const label = '{{.Label "shipway.service"}}'
    return {
      running: namesOf(await engine.docker('ps', ...ours, '--format', label)),
      all: namesOf(await engine.docker('ps', '--all', ...ours, '--format', label)),
      volumes: namesOf(await engine.docker('volume', 'ls', '--quiet', ...ours)).map((name) => name.replace(/.*_/, '')),
      images: namesOf(await engine.docker('image', 'ls', '--quiet', ...ours)).length,
    }
  }
  const folderOn = ({ home }: DockerServer): string => {
    const [installation = ''] = readdirSync(join(home, '.shipway'))
    return join(home, '.shipway', installation, 'environments', String(id))
  }
  const becomes = async (server: DockerServer, wanted: Partial<Awaited<ReturnType<typeof inDocker>>>) => {
    const isSo = async () => {
      const now = await inDocker(server)
      return JSON.stringify({ ...now, ...wanted }) === JSON.stringify(now)
    }
    await comesTrue(isSo)
    expect(await inDocker(server)).toMatchObject(wanted)
  }

  test('is served by the old server until the new one serves it', async () => {
    journey.commit(files('one'))
    await succeed(id)
    expect(await first.ask(DOMAIN)).toBe('one\n')
    // It uses the port on the second server that the moving environment has on the first.
    const body = { name: 'other', branch: 'main', server_id: second.id }
    const { id: other } = await journey.client.createEnvironment({ params: { id: journey.projectId }, body })
    await succeed(other)

    const stopper = new AbortController()
    const asking = askAlways(() => first.ask(DOMAIN), stopper.signal)
    await moveTo(second)
    journey.commit(files('two', 'exit 3'))
    expect(await deploy(id)).toMatchObject({ status: 'failed' })
    await expect(second.ask(DOMAIN)).rejects.toThrow(/404|503/)
    await becomes(second, { all: [] })
    stopper.abort()
    const { answers, failures } = await asking
    expect(failures).toEqual([])
    expect(new Set(answers)).toEqual(new Set(['one\n']))
    expect(await inDocker(first)).toMatchObject({ running: ['data', 'web'], volumes: ['kept'] })
  })

  test('then leaves only its data and logs on the old server', async () => {
    journey.commit(files('three'))
    const { id: taskId } = await succeed(id)
    expect(await second.ask(DOMAIN)).toBe('three\n')
    expect(
      await comesTrue(
        () =>
          first.ask(DOMAIN).then(
            () => false,
            () => true,
          ),
        30,
      ),
    ).toBe(true)
    // A container with data in a volume is kept, but does not run.
    await becomes(first, { running: [], all: ['data'], volumes: ['kept'] })
    await comesTrue(async () => readdirSync(folderOn(first)).join() === 'output')
    expect(readdirSync(folderOn(first))).toEqual(['output'])
    const log = await journey.client.readTaskLog({ params: { id: taskId } })
    expect(log).toContain('It was deployed on First last')
    expect(await inDocker(second)).toMatchObject({ running: ['data', 'web'], volumes: ['kept'] })
  })

  test('is gone from both once it is removed', async () => {
    const { id: removal } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, removal)).toMatchObject({ status: 'succeeded' })
    const nothing = { running: [], all: [], volumes: [], images: 0 }
    expect(await inDocker(second)).toEqual(nothing)
    await becomes(first, nothing)
    expect(await comesTrue(async () => !existsSync(folderOn(first)))).toBe(true)
    expect(existsSync(folderOn(second))).toBe(false)
  })
})
