// Containers of deployments that never became live are removed soon after their task has ended. Live containers stay, whichever task
// started them.
import { once } from 'node:events'
import { request } from 'node:http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { beginDockerJourney, type DockerJourney } from './docker-journey.ts'
import { comesTrue, ended, until } from './journey.ts'

const server = (version: string) => `
const http = require('node:http')
http.createServer((req, res) => res.end('${version}')).listen(3000)
process.on('SIGTERM', () => process.exit(0))
`
const files = (version: string, program = server(version)) => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:
  web: { build: ., depends_on: [side] }
  side: { image: shipway-test/busybox, command: sleep 9999, stop_grace_period: 0s }
`,
  Dockerfile: 'FROM shipway-test/node\nCOPY server.js /server.js\nCMD ["node", "/server.js"]\n',
  'server.js': program,
})
/** It runs, and never answers. */
const silent = 'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000)'

describe.skipIf(!hasDocker)('orphaned containers', () => {
  let journey: DockerJourney
  let id: number

  beforeAll(async () => {
    journey = await beginDockerJourney('local', { drainSeconds: 5 })
    journey.commit(files('one'))
    id = await journey.createEnvironment('main')
  })
  afterAll(() => journey?.stop())

  /** The running services, each with the task that started it. */
  const containers = async (): Promise<string[]> => {
    const format = '{{.Label "shipway.service"}} {{.Label "shipway.task"}}'
    return (await journey.docker('ps', '--all', ...journey.ofEnvironment(id), '--format', format))
      .split('\n')
      .filter(Boolean)
      .sort()
  }
  const start = async () => (await journey.client.startDeployment({ params: { id } })).id
  const succeed = async () => {
    const task = await ended(journey.client, await start())
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    return task.id
  }
  const cancel = async (taskId: number) => {
    await journey.client.cancelTask({ params: { id: taskId } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'canceled' })
  }
  const soon = async (...wanted: string[]) => {
    await comesTrue(async () => JSON.stringify(await containers()) === JSON.stringify(wanted))
    expect(await containers()).toEqual(wanted)
  }

  test('are removed after a canceled or failed deployment', async () => {
    const first = await succeed()
    const serving = [`side ${first}`, `web ${first}`]
    expect(await containers()).toEqual(serving)

    journey.commit(files('two', silent))
    const canceled = await start()
    await until(async () => ((await containers()).includes(`web ${canceled}`) ? true : undefined), 'a new container')
    await cancel(canceled)
    await soon(...serving)

    journey.commit(files('three'))
    const third = await succeed()
    // A service that no later deployment has changed belongs to an old task, and is live.
    await soon(`side ${first}`, `web ${third}`)
    journey.commit(files('four', 'process.exit(3)'))
    expect(await ended(journey.client, await start())).toMatchObject({ status: 'failed' })
    await soon(`side ${first}`, `web ${third}`)
    expect(await ask('/')).toBe('three')
  })

  test('are removed even if the platform died in between', async () => {
    const before = await containers()
    journey.commit(files('five', silent))
    const killed = await start()
    await until(async () => ((await containers()).includes(`web ${killed}`) ? true : undefined), 'a new container')
    const died = once(journey.platform.process, 'exit')
    journey.platform.process.kill('SIGKILL')
    await died
    await journey.platform.restart()
    await cancel(killed)
    await soon(...before)
    expect(await ask('/')).toBe('three')
  })

  function ask(path: string): Promise<string> {
    const { port } = new URL(journey.platform.url)
    return new Promise((resolve, reject) => {
      const headers = { host: 'main.hello.localhost' }
      const asked = request({ host: '127.0.0.1', port, path, headers, agent: false }, async (res) => {
        let text = ''
        for await (const bytes of res) text += bytes
        resolve(res.statusCode === 200 ? text : `status ${res.statusCode}`)
      })
      asked.once('error', reject)
      asked.end()
    })
  }
})
