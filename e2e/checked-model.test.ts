// What was checked is what runs, on a real Docker Engine: a container that changes its own release gains nothing.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { beginJourney, ended, type Journey, until } from './journey.ts'

const steady = `sh -c "trap 'exit 0' TERM; sleep 9999 & wait"`
/** `first` ends before `second` begins. */
const composeFile = (first: string, second: string) => `services:
  web:
    image: shipway-test/busybox
    command: sh -c "mkdir /www && echo web > /www/index.html && exec httpd -f -p 3000 -h /www"
    stop_grace_period: 0s
  first:
    image: shipway-test/busybox
    command: sh /src/first.sh
    ${first}
  second:
    image: shipway-test/busybox
    command: ${steady}
    depends_on: { first: { condition: service_completed_successfully } }
    ${second}
`
const serviceFile = 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n'

describe.skipIf(!hasDocker)('a release that its own container changes', () => {
  let journey: Journey
  let docker: (...words: string[]) => Promise<string>
  /** A folder of the machine with private files. */
  let foreign: string

  beforeAll(async () => {
    foreign = mkdtempSync(join(tmpdir(), 'shipway-foreign-'))
    writeFileSync(join(foreign, 'secret.env'), 'STOLEN=yes\n')
    const engine = await sharedEngine()
    docker = engine.docker
    journey = await beginJourney('embedded', 'ssh', {
      dockerHost: engine.host,
      settings: { SHIPWAY_LEAST_DISK_MIB: '1', SHIPWAY_DRAIN_SECONDS: '0' },
    })
  })
  afterAll(async () => {
    await journey?.stop()
    rmSync(foreign, { recursive: true })
  })

  const start = async (id: number) => (await journey.client.startDeployment({ params: { id } })).id
  const result = async (taskId: number) => {
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const containerOf = async (id: number, service: string) => {
    const words = [...journey.ofEnvironment(id), '--filter', `label=shipway.service=${service}`]
    return (await docker('ps', '--quiet', ...words)).trim()
  }
  const inspect = async (container: string) => {
    const [found] = JSON.parse(await docker('inspect', container))
    return {
      isPrivileged: found.HostConfig.Privileged,
      mounts: found.Mounts.map(({ Source }: { Source: string }) => Source),
      environment: found.Config.Env.filter((entry: string) => entry.startsWith('STOLEN')),
    }
  }
  const harmless = { isPrivileged: false, mounts: [], environment: [] }

  test('gives the next service no privileges, folders or files of the machine', async () => {
    journey.commit({
      '.service.yml': serviceFile,
      'compose.yml': composeFile("volumes: ['./:/src:rw']", 'env_file: [second.env]'),
      'evil.yml': composeFile("volumes: ['./:/src:rw']", "privileged: true\n    volumes: ['/:/machine']"),
      'second.env': 'A=1\n',
      'first.sh': `cp /src/evil.yml /src/compose.yml; ln -sf ${foreign}/secret.env /src/second.env\n`,
    })
    const id = await journey.createEnvironment('altered')
    const task = await result(await start(id))
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(await inspect(await containerOf(id, 'second'))).toEqual(harmless)
  })

  test('cannot put a link in the place of a folder that the next service mounts', async () => {
    const files = (mode: string) => ({
      '.service.yml': serviceFile,
      'compose.yml': composeFile(`volumes: ['./:/src${mode}']`, "volumes: ['./folder:/folder']"),
      'folder/file': 'committed\n',
      'first.sh': `rm -rf /src/folder; ln -s ${foreign} /src/folder; true\n`,
    })
    journey.commit(files(''))
    const id = await journey.createEnvironment('link')
    const task = await result(await start(id))
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(await docker('exec', await containerOf(id, 'second'), 'ls', '/folder')).toBe('file\n')

    journey.commit(files(':rw'))
    expect(await result(await start(id))).toMatchObject({
      status: 'failed',
      failed_step: {
        name: 'Check the compose file',
        message: expect.stringContaining('services.second.volumes[0] mounts something out of a folder that'),
      },
    })
  })

  test('has no link in it that a dollar sign hides from the check', async () => {
    journey.commit({
      '.service.yml': serviceFile,
      'compose.yml': composeFile("volumes: ['./:/src:ro']", "volumes: ['./a$$b:/machine']"),
      'first.sh': 'true\n',
      a$b: { content: '/', mode: '120000' },
    })
    const id = await journey.createEnvironment('dollar')
    expect(await result(await start(id))).toMatchObject({
      status: 'failed',
      failed_step: {
        name: 'Check the compose file',
        message: expect.stringContaining('services.second.volumes[0].source mounts a path outside the checkout'),
      },
    })
    journey.commit({ a$b: null })
  })

  test('continues as it was checked when another process takes over the task', async () => {
    journey.commit({
      '.service.yml': serviceFile,
      'compose.yml': composeFile("volumes: ['./:/src:rw']", ''),
      'evil.yml': composeFile("volumes: ['./:/src:rw']", 'privileged: true'),
      'first.sh': 'cp /src/evil.yml /src/compose.yml; touch /altered; until [ -e /go ]; do sleep 0.1; done\n',
    })
    const id = await journey.createEnvironment('taken')
    const taskId = await start(id)
    const first = await until(async () => {
      const container = await containerOf(id, 'first')
      if (container === '') return undefined
      return (await docker('exec', container, 'ls', '/')).includes('altered') ? container : undefined
    }, 'the release is altered')
    journey.platform.process.kill('SIGKILL')
    await journey.platform.restart()
    await docker('exec', first, 'touch', '/go')
    const task = await result(taskId)
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(await inspect(await containerOf(id, 'second'))).toEqual(harmless)
  })
})
