// The platform reports what visitors get: services that are stopped, replaced, or killed by a release.
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { ask } from './ask.ts'
import { beginDockerJourney, type DockerJourney } from './docker-journey.ts'
import { beginJourney, ended, type Journey, until } from './journey.ts'

const server = (version: string) => `
const http = require('node:http')
http.createServer((req, res) => res.end('${version}')).listen(process.env.PORT || 3000)
process.on('SIGTERM', () => process.exit(0))
// Ends even if the test fails.
setTimeout(() => process.exit(), 300_000)
console.log('listening')
`
const containerFiles = (version: string) => ({
  '.service.yml': 'services:\n  web: { port: 3000 }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': 'services:\n  web:\n    build: .\n',
  Dockerfile: 'FROM shipway-test/node\nCOPY server.js /server.js\nCMD ["node", "/server.js"]\n',
  'server.js': server(version),
})

const statusOf = async ({ client }: Journey, id: number) => (await client.getEnvironment({ params: { id } })).status
const deploy = async ({ client }: Journey, id: number) =>
  ended(client, (await client.startDeployment({ params: { id } })).id)

describe.skipIf(!hasDocker)('services in containers', () => {
  let journey: DockerJourney
  let id: number

  beforeAll(async () => {
    journey = await beginDockerJourney('ssh', { drainSeconds: 1 })
    journey.commit(containerFiles('one'))
    id = await journey.createEnvironment('main')
    expect(await deploy(journey, id)).toMatchObject({ status: 'succeeded' })
  })
  afterAll(() => journey?.stop())

  const containers = async (...words: string[]) =>
    (await journey.docker('ps', ...words, ...journey.ofEnvironment(id), '--format', '{{.ID}}'))
      .split('\n')
      .filter(Boolean)
  const answers = async () => {
    const { live } = await journey.client.getEnvironment({ params: { id } })
    return live?.answers === true || undefined
  }

  test('are reported as they stop and come back', async () => {
    await until(answers, 'the first look')
    expect(await statusOf(journey, id)).toBe('running')
    const [container = ''] = await containers()
    await journey.docker('stop', container)
    const seen = await until(async () => {
      const environment = await journey.client.getEnvironment({ params: { id } })
      return environment.status === 'degraded' && environment.services[0]?.state === 'exited' ? environment : undefined
    }, 'the stopped service')
    expect(seen.services).toMatchObject([{ name: 'web', domain: 'main.hello.localhost', exit_code: 0 }])
    expect((await ask(journey.servingPort, 'main.hello.localhost')).status).toBeGreaterThanOrEqual(500)
    const [service] = await journey.client.listServices({ params: { id } })
    expect(service).toMatchObject({ name: 'web', routed: true, last_lines: 'listening' })
    await journey.docker('start', container)
    await until(answers, 'the started service')
    expect(await statusOf(journey, id)).toBe('running')
  })

  test('are never degraded while a deployment replaces them', async () => {
    await until(answers, 'a service that answers')
    for (const version of ['two', 'three']) {
      journey.commit(containerFiles(version))
      const { id: taskId } = await journey.client.startDeployment({ params: { id } })
      let isOver = false
      const task = ended(journey.client, taskId).finally(() => {
        isOver = true
      })
      const statuses = new Set<string>()
      while (!isOver) {
        statuses.add(await statusOf(journey, id))
        // Without a pause, the requests would slow down the deployment.
        await pause(20)
      }
      await until(async () => {
        statuses.add(await statusOf(journey, id))
        return answers()
      }, 'the look after the deployment')
      expect(await task).toMatchObject({ status: 'succeeded' })
      expect([...statuses].toSorted()).toEqual(['deploying', 'running'])
    }
  })

  test('are reported as running after a failed deployment', async () => {
    journey.commit({ ...containerFiles('four'), 'server.js': 'process.exit(3)' })
    expect(await deploy(journey, id)).toMatchObject({ status: 'failed' })
    await until(answers, 'the look after the failure')
    expect(await statusOf(journey, id)).toBe('failed')
    expect((await ask(journey.servingPort, 'main.hello.localhost')).text).toBe('three')
  })
})

describe('services of the manual recipe', () => {
  let journey: Journey
  beforeAll(async () => {
    journey = await beginJourney('embedded', 'local')
  })
  afterAll(() => journey?.stop())

  const service = (end: string) => `services:
  web: {}
manual:
  deploy:
    - name: Release
      run: |
        [ ! -e ../../web.pid ] || kill "$(cat ../../web.pid)"
        ${end}
  destroy:
    - run: kill "$(cat ../../web.pid)" || true
`
  const START = 'setsid node server.js >/dev/null 2>&1 </dev/null & echo $! > ../../web.pid'

  test('that a failed release has killed are reported as gone', async () => {
    journey.commit({ '.service.yml': service(START), 'server.js': server('one') })
    const id = await journey.createEnvironment('main')
    expect(await deploy(journey, id)).toMatchObject({ status: 'succeeded' })
    const seen = async (answered: boolean) => {
      const environment = await journey.client.getEnvironment({ params: { id } })
      return environment.live?.answers === answered ? environment : undefined
    }
    expect(await until(() => seen(true), 'the service answers')).toMatchObject({ status: 'running' })
    journey.commit({ '.service.yml': service('exit 4') })
    expect(await deploy(journey, id)).toMatchObject({ status: 'failed' })
    expect(await until(() => seen(false), 'the look after the failure')).toMatchObject({
      status: 'failed',
      services: [{ name: 'web', state: 'exited' }],
    })
    const task = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, task.id)).toMatchObject({ status: 'succeeded' })
  })
})
