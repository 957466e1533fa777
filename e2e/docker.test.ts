// Deployments of containers on a real Docker Engine: what runs, what answers, and what a failed deployment leaves unchanged.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { sharedEngine } from '../packages/server/test/docker/shared-engine.ts'
import { ask } from './ask.ts'
import { beginJourney, ended, type Journey } from './journey.ts'

const serviceFile = `services:
  web: { port: 3000, health: /healthz }
docker:
  compose: compose.yml
`
const composeFile = `services:
  web:
    build: .
`
const dockerfile = `FROM shipway-test/node
COPY server.js /server.js
CMD ["node", "/server.js"]
`
const server = (version: string) => `
const http = require('node:http')
http.createServer((req, res) => {
  res.end(JSON.stringify({ version: '${version}', key: process.env.KEY, domain: process.env.SERVICE_DOMAIN }))
}).listen(3000)
process.on('SIGTERM', () => process.exit(0))
`
const files = (version: string) => ({
  '.service.yml': serviceFile,
  'compose.yml': composeFile,
  Dockerfile: dockerfile,
  'server.js': server(version),
})

describe.skipIf(!hasDocker)('a docker deployment', () => {
  let journey: Journey
  let docker: (...words: string[]) => Promise<string>

  beforeAll(async () => {
    const engine = await sharedEngine()
    docker = engine.docker
    journey = await beginJourney('embedded', 'ssh', {
      dockerHost: engine.host,
      settings: { SHIPWAY_LEAST_DISK_MIB: '1' },
    })
  })
  afterAll(() => journey?.stop())

  const deploy = async (id: number) => {
    const { id: taskId } = await journey.client.startDeployment({ params: { id } })
    return ended(journey.client, taskId)
  }
  const failed = async (id: number) => {
    const task = await deploy(id)
    return { ...task.failed_step, log: await journey.client.readTaskLog({ params: { id: task.id } }) }
  }
  const askFor = async (name: string) => {
    const { status, text } = await ask(journey.servingPort, `${name}.hello.localhost`)
    return status === 200 ? JSON.parse(text) : { status, text }
  }
  const containersOf = async (id: number) =>
    (await docker('ps', '--all', ...journey.ofEnvironment(id), '--format', '{{.ID}}')).split('\n').filter(Boolean)

  test('builds, answers, switches to the next version and removes the old one', async () => {
    journey.commit(files('one'))
    const id = await journey.createEnvironment('main')
    await journey.client.changeVariables({ params: { id }, body: { set: { KEY: "a $b 'c' `d`" } } })
    const task = await deploy(id)
    expect(task, JSON.stringify(task.failed_step)).toMatchObject({ status: 'succeeded' })
    expect(task.phases.map(({ name }) => name)).toEqual(['Prepare', 'Transfer', 'Build', 'Start', 'Switch', 'Clean up'])
    expect(await askFor('main')).toEqual({ version: 'one', key: "a $b 'c' `d`", domain: 'main.hello.localhost' })
    const [first] = await containersOf(id)

    journey.commit(files('two'))
    expect(await deploy(id)).toMatchObject({ status: 'succeeded' })
    expect(await askFor('main')).toMatchObject({ version: 'two' })
    // Removed in the background.
    await expect.poll(() => containersOf(id)).toHaveLength(1)
    const [second] = await containersOf(id)
    expect(second).not.toBe(first)

    expect(await deploy(id)).toMatchObject({ status: 'succeeded' })
    expect(await containersOf(id)).toEqual([second])

    await journey.client.changeVariables({ params: { id }, body: { set: { KEY: 'changed' } } })
    const changed = await deploy(id)
    expect(stepsOf(changed)).not.toContain('Build images')
    expect(await askFor('main')).toMatchObject({ version: 'two', key: 'changed' })
  })

  test('that fails says why and leaves what serves', async () => {
    journey.commit(files('good'))
    const id = await journey.createEnvironment('steady')
    expect(await deploy(id)).toMatchObject({ status: 'succeeded' })
    const [serving] = await containersOf(id)

    journey.commit({ ...files('bad'), Dockerfile: `${dockerfile}RUN echo building; exit 7\n` })
    expect(await failed(id)).toMatchObject({
      phase: 'Build',
      name: 'Build images',
      message: expect.stringMatching(/could not be built: .*exit code: 7/),
      log: expect.stringContaining('building'),
    })
    journey.commit({ ...files('bad'), 'server.js': 'console.log("no such luck"); process.exit(3)' })
    expect(await failed(id)).toMatchObject({
      phase: 'Start',
      name: 'Wait for web',
      message: 'web ended with exit code 3 before it was ready',
      exit_code: 3,
      log: expect.stringContaining('no such luck'),
    })
    journey.commit({ ...files('bad'), 'compose.yml': `${composeFile}    privileged: true\n` })
    expect(await failed(id)).toMatchObject({
      name: 'Check the compose file',
      message: expect.stringContaining('services.web.privileged'),
    })
    // A file that is included twice has different paths each time.
    journey.commit({
      ...files('bad'),
      'compose.yml': `include: [{ path: a.yml, project_directory: p/q }]
services: { web: { build: ., extends: { file: a.yml, service: inc } } }
`,
      'a.yml': 'services: { inc: { image: x, env_file: [{ path: ../secret.env, required: false }] } }\n',
    })
    expect(await failed(id)).toMatchObject({
      name: 'Find the compose file',
      message: expect.stringContaining('services.inc.env_file[0] leads out of the checkout'),
    })
    journey.commit({ ...files('bad'), 'compose.yml': 'services:\n  web: { image: shipway-test/absent }\n' })
    expect(await failed(id)).toMatchObject({
      name: 'Pull images',
      message: expect.stringContaining('could not be pulled'),
    })
    expect(await askFor('steady')).toMatchObject({ version: 'good' })
    expect(await containersOf(id)).toContain(serving)
  })

  test('is taken back to an earlier one, and everything of it goes in the end', async () => {
    journey.commit(files('first'))
    const id = await journey.createEnvironment('back')
    const first = await deploy(id)
    journey.commit(files('second'))
    await deploy(id)
    const { id: rollbackId } = await journey.client.rollBackEnvironment({
      params: { id },
      body: { task_id: first.id },
    })
    const rollback = await ended(journey.client, rollbackId)
    expect(rollback, JSON.stringify(rollback.failed_step)).toMatchObject({ status: 'succeeded', cause: 'rollback' })
    expect(stepsOf(rollback)).not.toContain('Build images')
    expect(await askFor('back')).toMatchObject({ version: 'first' })

    const { id: resetId } = await journey.client.resetEnvironment({ params: { id } })
    const reset = await ended(journey.client, resetId)
    expect(reset, JSON.stringify(reset.failed_step)).toMatchObject({ status: 'succeeded', kind: 'reset' })
    expect(await askFor('back')).toMatchObject({ version: 'second' })

    // The reset has removed the images of the others.
    for (const taskId of [first.id, rollbackId]) {
      const again = journey.client.rollBackEnvironment({ params: { id }, body: { task_id: taskId } })
      await expect(again).rejects.toMatchObject({ status: 409, code: 'too_late' })
    }
    const { id: againId } = await journey.client.rollBackEnvironment({ params: { id }, body: { task_id: resetId } })
    expect(await ended(journey.client, againId)).toMatchObject({ status: 'succeeded' })

    const { id: removeId } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, removeId)).toMatchObject({ status: 'succeeded' })
    expect(await thingsOf(id)).toEqual([])
  })

  const stepsOf = (task: Awaited<ReturnType<typeof deploy>>) =>
    task.phases.flatMap(({ steps }) => steps.map(({ name }) => name))
  const thingsOf = async (id: number) => {
    const label = ['--quiet', ...journey.ofEnvironment(id)]
    const found = [
      await docker('ps', '--all', ...label),
      await docker('network', 'ls', ...label),
      await docker('volume', 'ls', ...label),
      await docker('image', 'ls', ...label),
    ]
    return found.flatMap((lines) => lines.split('\n').filter(Boolean))
  }
})
