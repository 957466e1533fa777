// Ports that another program on the server uses: before the first deployment, between two of them, and during one.
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { type PortBlock, takePortBlock } from '../tools/port-block.ts'
import { ask } from './ask.ts'
import { beginJourney, ended, type Journey, until } from './journey.ts'

/** Answers in place of the application, on every address of the machine. */
async function listenOn(port: number): Promise<Server> {
  const server = createServer((_, response) => response.end('foreign')).listen(port, '0.0.0.0')
  await once(server, 'listening')
  return server
}

async function close(server: Server): Promise<void> {
  server.close()
  server.closeAllConnections()
  await once(server, 'close')
}

let journey: Journey
let ports: PortBlock
let first: number
let foreign: Server | undefined

/** No other platform of a test uses them. */
const takePorts = async (): Promise<void> => {
  ports = await takePortBlock()
  first = Number.parseInt(ports.range, 10)
}

/** Replaces the previous listener. */
const takePort = async (port: number): Promise<void> => {
  await freePort()
  foreign = await listenOn(port)
}
const freePort = async (): Promise<void> => {
  if (foreign) await close(foreign)
  foreign = undefined
}
afterEach(freePort)

const deploy = async (id: number) => {
  const { id: taskId } = await journey.client.startDeployment({ params: { id } })
  const task = await ended(journey.client, taskId)
  return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
}
const answerOf = async (name: string) => (await ask(journey.servingPort, `${name}.hello.localhost`)).text
const portIn = (log: string) => Number(/leads to port (\d+)/.exec(log)?.[1])

describe('a manual deployment', () => {
  beforeAll(async () => {
    await takePorts()
    journey = await beginJourney('embedded', 'local', { settings: { SHIPWAY_PORTS: `${first}-${first + 3}` } })
  })
  // The destroy tasks of the environment end its processes.
  afterAll(async () => {
    for (const { id } of await journey.client.listEnvironments({ params: { id: journey.projectId } })) {
      const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
      await ended(journey.client, taskId)
    }
    await journey.stop()
    await ports.release()
  })

  const stop = 'if [ -e ../../pid ]; then kill "$(cat ../../pid)" 2>/dev/null; rm ../../pid; fi'
  const program = (word: string) => `
const server = require('node:http').createServer((request, response) => response.end('${word}'))
server.listen(process.env.PORT, '127.0.0.1')
`
  const restart = `${stop}
setsid node app.js </dev/null >/dev/null 2>&1 &
echo $! > ../../pid
until node -e 'fetch("http://127.0.0.1:" + process.env.PORT).then(() => process.exit(0), () => process.exit(1))'; do sleep 0.1; done
`
  const filesOf = (word: string) => ({
    '.service.yml': JSON.stringify({
      services: { web: {} },
      manual: { deploy: [{ name: 'Restart', run: 'sh restart.sh' }], destroy: [{ run: stop }] },
    }),
    'restart.sh': restart,
    'app.js': program(word),
  })

  test('gets free ports, keeps them, and replaces one that was taken meanwhile', async () => {
    journey.commit(filesOf('one'))
    const id = await journey.createEnvironment('web')
    await takePort(first)
    const one = await deploy(id)
    expect(one, one.log).toMatchObject({ status: 'succeeded' })
    expect([portIn(one.log), await answerOf('web')]).toEqual([first + 1, 'one'])
    journey.commit(filesOf('two'))
    const two = await deploy(id)
    expect([two.status, portIn(two.log), await answerOf('web')]).toEqual(['succeeded', first + 1, 'two'])

    // The application ends, and another program takes its port before the next deployment.
    journey.commit({
      '.service.yml': JSON.stringify({ services: { web: {} }, manual: { deploy: [{ name: 'Stop', run: stop }] } }),
    })
    expect(await deploy(id)).toMatchObject({ status: 'succeeded' })
    await takePort(first + 1)
    journey.commit(filesOf('three'))
    const three = await deploy(id)
    expect(three, three.log).toMatchObject({ status: 'succeeded' })
    expect(three.log).toContain(`Port ${first + 1} of the server is used by something else: web has port`)
    expect([portIn(three.log), await answerOf('web')]).toEqual([first, 'three'])
  })

  test('does not mistake another process for its own on a port that its file names', async () => {
    const port = first + 3
    await takePort(port)
    journey.commit({
      '.service.yml': JSON.stringify({
        services: { web: { port } },
        manual: { deploy: [{ name: 'Do nothing', run: 'echo nothing' }] },
      }),
    })
    const id = await journey.createEnvironment('named')
    const refused = await deploy(id)
    expect(refused).toMatchObject({ status: 'failed', failed_step: { phase: 'Start', name: 'Check who listens' } })
    expect(refused.failed_step?.message).toContain(`web: on port ${port} listens what was there before this deployment`)
    expect(await answerOf('named')).not.toContain('foreign')
  })
})

describe.skipIf(!hasDocker)('a docker deployment', () => {
  let docker: (...words: string[]) => Promise<string>

  beforeAll(async () => {
    const engine = await sharedEngine()
    docker = engine.docker
    await takePorts()
    journey = await beginJourney('embedded', 'ssh', {
      dockerHost: engine.host,
      settings: {
        SHIPWAY_PORTS: `${first}-${first + 8}`,
        SHIPWAY_LEAST_DISK_MIB: '1',
        SHIPWAY_DRAIN_SECONDS: '0',
      },
    })
  })
  afterAll(async () => {
    await journey?.stop()
    await ports?.release()
  })

  const filesOf = (word: string, work = 'true') => ({
    '.service.yml': 'services:\n  web: { port: 3000 }\ndocker:\n  build: .\n',
    Dockerfile: `FROM shipway-test/busybox
RUN mkdir /www && echo ${word} > /www/index.html && ${work}
STOPSIGNAL SIGKILL
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
  })
  const publishedBy = async (id: number) =>
    (await docker('ps', '--format', '{{.Ports}}', ...journey.ofEnvironment(id))).trim()

  test('gets free ports, and others if they were taken meanwhile', async () => {
    journey.commit(filesOf('one'))
    const id = await journey.createEnvironment('web')
    await takePort(first)
    const one = await deploy(id)
    expect(one, one.log).toMatchObject({ status: 'succeeded' })
    expect([portIn(one.log), await answerOf('web')]).toEqual([first + 1, 'one\n'])
    expect(await publishedBy(id)).toContain(`127.0.0.1:${first + 1}->3000/tcp`)

    // The other slot, where the next container will publish its port.
    await takePort(first + 2)
    journey.commit(filesOf('two'))
    const two = await deploy(id)
    expect(two, two.log).toMatchObject({ status: 'succeeded' })
    expect(two.log).toContain(`Port ${first + 2} of the server is used by something else: web has port ${first} from`)
    expect([portIn(two.log), await answerOf('web')]).toEqual([first, 'two\n'])
  })

  /** Deploys the last commit, and calls `overtake` while its image is being built. */
  const overtaken = async (id: number, overtake: () => Promise<void>) => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    await until(async () => {
      const { phases } = await journey.client.getTask({ params: { id: taskId } })
      return phases.flatMap(({ steps }) => steps).find(({ name }) => name === 'Build images')
    }, 'the image is being built')
    await overtake()
    const task = await ended(journey.client, taskId)
    const log = await journey.client.readTaskLog({ params: { id: taskId } })
    return { ...task, log, steps: task.phases.flatMap(({ steps }) => steps.map(({ name }) => name)) }
  }

  test('that loses its port after the check starts on another one', async () => {
    journey.commit(filesOf('one'))
    const id = await journey.createEnvironment('late')
    const before = await deploy(id)
    expect(before, before.log).toMatchObject({ status: 'succeeded' })
    journey.commit(filesOf('two', 'sleep 5'))
    // The port of its other slot.
    const late = await overtaken(id, () => takePort(portIn(before.log) + 1))
    expect(late, late.log).toMatchObject({ status: 'succeeded' })
    expect(late.steps).toContain('Start web on another port')
    expect(late.log).toContain(`Port ${portIn(before.log) + 1} of the server is used by something else`)
    expect(await answerOf('late')).toBe('two\n')
    expect(await publishedBy(id)).toContain(`127.0.0.1:${portIn(late.log)}->3000/tcp`)
  })

  test('that is recreated in place and loses its port starts on another one', async () => {
    const withVolume = (word: string, work?: string) => {
      const files = filesOf(word, work)
      return { ...files, Dockerfile: `${files.Dockerfile}VOLUME /data\n` }
    }
    journey.commit(withVolume('one'))
    const id = await journey.createEnvironment('alone')
    const before = await deploy(id)
    expect(before, before.log).toMatchObject({ status: 'succeeded' })
    journey.commit(withVolume('two', 'sleep 5'))
    const late = await overtaken(id, async () => {
      const container = (await docker('ps', '--quiet', ...journey.ofEnvironment(id))).trim()
      await docker('stop', container)
      await takePort(portIn(before.log))
    })
    expect(late, late.log).toMatchObject({ status: 'succeeded' })
    expect(late.steps).toContain('Recreate web on another port')
    expect(await answerOf('alone')).toBe('two\n')
  })
})
