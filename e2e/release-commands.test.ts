// Commands before the switch, on a real Docker Engine: release commands with each deployment, seed commands with the first one. Each
// writes to a database, which web writes to as well when it starts, so that the order shows.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { ask } from './ask.ts'
import { beginDockerJourney, type DockerJourney } from './docker-journey.ts'
import { comesTrue, ended } from './journey.ts'

const note = (words: string) => `wget -q -O /dev/null "http://db:3000/cgi-bin/note?${words}"`

/** Writes to the volume of its service, which the database reads. */
const publish = "{ name: Publish, run: 'echo published >> /data/notes', service: db, on_rollback: true }"

const files = (version: string, release = note('release-$VERSION'), more: readonly string[] = []) => ({
  '.service.yml': `services:
  web: { port: 3000, health: / }
docker:
  compose: compose.yml
  release: [${[`{ name: Migrate, run: '${release}', service: web, timeout: 2m }`, ...more].join(', ')}]
  seed: { name: Seed, run: '${note('seed-$VERSION-$KEY')}' }
`,
  'compose.yml': `services:
  web:
    build: web
    depends_on: [db]
    stop_grace_period: 0s
  worker:
    image: shipway-test/busybox
    command: sh -c "${note('worker').replaceAll('"', '\\"')}; sleep 9999"
    stop_grace_period: 0s
  db:
    build: db
    volumes: [data:/data]
    stop_grace_period: 0s
    healthcheck: { test: [CMD, wget, -q, -O, /dev/null, "http://127.0.0.1:3000/"], interval: 1s }
volumes: { data: {} }
`,
  'web/Dockerfile': `FROM shipway-test/busybox
ENV VERSION=${version}
RUN mkdir /www && echo ${version} > /www/index.html
CMD ["sh", "-c", "wget -q -O /dev/null http://db:3000/cgi-bin/note?web-$VERSION; exec httpd -f -p 3000 -h /www"]
`,
  'db/Dockerfile': `FROM shipway-test/busybox
COPY note /www/cgi-bin/note
RUN chmod +x /www/cgi-bin/note && echo up > /www/index.html
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
  'db/note': '#!/bin/sh\necho "$QUERY_STRING" >> /data/notes\necho\n',
})

describe.skipIf(!hasDocker)('commands before the switch', () => {
  let journey: DockerJourney
  let id: number

  beforeAll(async () => {
    journey = await beginDockerJourney('ssh', { drainSeconds: 0 })
    id = await journey.createEnvironment('main')
    await journey.client.changeVariables({ params: { id }, body: { set: { KEY: 'canary-secret-of-seed' } } })
  })
  afterAll(() => journey?.stop())

  const start = async () => (await journey.client.startDeployment({ params: { id } })).id
  const end = async (taskId: number) => {
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const deploy = async () => end(await start())
  const inDatabase = async (...words: string[]) => {
    const running = [...journey.ofEnvironment(id), '--filter', 'label=shipway.service=db']
    const container = (await journey.docker('ps', '--quiet', ...running)).trim()
    return journey.docker('exec', container, ...words)
  }
  /** What was noted since the last time, in its order. */
  const notes = async () => {
    const lines = (await inDatabase('cat', '/data/notes')).split('\n').filter(Boolean)
    await inDatabase('rm', '/data/notes')
    return lines
  }
  const isNoted = async (words: string) =>
    (await inDatabase('sh', '-c', 'cat /data/notes 2>/dev/null || :')).includes(words)
  const served = async () => (await ask(journey.servingPort, 'main.hello.localhost')).text.trim()
  const containers = async () =>
    (await journey.docker('ps', '--all', ...journey.ofEnvironment(id), '--format', '<{{.Label "shipway.service"}}>'))
      .split('\n')
      .filter(Boolean)
      .map((service) => service.slice(1, -1))
  const networks = async () =>
    (await journey.docker('network', 'ls', '--quiet', ...journey.ofEnvironment(id))).split('\n')

  test('run in their order, after what they depend on and before all else', async () => {
    journey.commit(files('one'))
    const task = await deploy()
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    // Nothing waits for the first command of the worker.
    expect(await comesTrue(() => isNoted('worker'))).toBe(true)
    const [first, second, ...others] = await notes()
    expect([first, second]).toEqual(['release-one', 'seed-one-canary-secret-of-seed'])
    expect(others.toSorted()).toEqual(['web-one', 'worker'])
    const phases = task.phases.map(({ name }) => name)
    expect(phases).toEqual(['Prepare', 'Transfer', 'Build', 'Start', 'Release', 'Switch', 'Clean up'])
    expect(task.phases[4]?.steps.map(({ name, status }) => [name, status])).toEqual([
      ['Migrate', 'succeeded'],
      ['Seed', 'succeeded'],
    ])
    expect(await served()).toBe('one')
  })

  test('run with each deployment, also where nothing else changed, with the volumes of their service, and leave nothing', async () => {
    journey.commit(files('two', undefined, [publish]))
    const task = await deploy()
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(await notes()).toEqual(['release-two', 'published', 'web-two'])
    await comesTrue(async () => (await containers()).length === 3)
    const before = await networks()
    expect(await deploy()).toMatchObject({ status: 'succeeded' })
    expect(await notes()).toEqual(['release-two', 'published'])
    expect(await comesTrue(async () => (await networks()).length === before.length)).toBe(true)
    expect((await containers()).toSorted()).toEqual(['db', 'web', 'worker'])
  })

  test('switch nothing where one fails, and say what stays', async () => {
    journey.commit(files('three', `${note('half-$VERSION')}; echo Cannot add the column twice; exit 3`))
    const task = await deploy()
    expect(task).toMatchObject({ status: 'failed', failed_step: { phase: 'Release', name: 'Migrate', exit_code: 3 } })
    expect(task.failed_step?.message).toBe(
      'Migrate ended with exit code 3: Cannot add the column twice. ' +
        'What it has changed, for example in a database, stays changed',
    )
    expect(await served()).toBe('two')
    expect(await notes()).toEqual(['half-three'])
    const diagnostics = await journey.client.getDiagnostics({ params: { id } })
    expect(JSON.stringify(diagnostics)).toContain('Cannot add the column twice')
  })

  test('run once, however the platform ends meanwhile', async () => {
    journey.commit(files('four', `${note('begun-$VERSION')}; sleep 5; ${note('done-$VERSION')}`))
    const taskId = await start()
    expect(await comesTrue(() => isNoted('begun-four'))).toBe(true)
    journey.platform.process.kill('SIGKILL')
    await journey.platform.restart()
    const task = await end(taskId)
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(await notes()).toEqual(['begun-four', 'done-four', 'web-four'])
  })

  test('end with the deployment that is canceled', async () => {
    journey.commit(files('five', `${note('begun-$VERSION')}; sleep 9999`))
    const taskId = await start()
    const commands = async () => (await containers()).filter((service) => service === '')
    expect(await comesTrue(() => isNoted('begun-five'))).toBe(true)
    expect(await commands()).toHaveLength(1)
    await journey.client.cancelTask({ params: { id: taskId } })
    expect(await end(taskId)).toMatchObject({ status: 'canceled' })
    expect(await comesTrue(async () => (await commands()).length === 0)).toBe(true)
    expect(await served()).toBe('four')
    await notes()
  })

  test('run on a rollback only if they say so, and seed again after a reset', async () => {
    const tasks = await journey.client.listTasks({ params: { id }, query: {} })
    const earlier = tasks.filter(({ status }) => status === 'succeeded')[1]
    const rollback = await journey.client.rollBackEnvironment({
      params: { id },
      body: { task_id: earlier?.id ?? 0 },
    })
    const rolledBack = await end(rollback.id)
    expect(rolledBack, rolledBack.log).toMatchObject({ status: 'succeeded' })
    const release = rolledBack.phases.find(({ name }) => name === 'Release')
    expect(release?.steps.map(({ name }) => name)).toEqual(['Publish'])
    expect(await served()).toBe('two')
    expect(await notes()).toEqual(['published', 'web-two'])
    journey.commit(files('six'))
    const reset = await journey.client.resetEnvironment({ params: { id } })
    const task = await end(reset.id)
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect((await notes()).slice(0, 2)).toEqual(['release-six', 'seed-six-canary-secret-of-seed'])
    expect(task.log).not.toContain('canary-secret')
  })
})
