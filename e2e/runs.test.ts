// One-off commands on a real Docker Engine, on a server that is reached by ssh: each runs in a new container like that of a service.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../packages/server/test/docker/docker-engine.ts'
import { ask } from './ask.ts'
import { beginDockerJourney, type DockerJourney } from './docker-journey.ts'
import { comesTrue, ended } from './journey.ts'

const SECRET = 'canary-secret-of-a-run'

const files = (version: string) => ({
  '.service.yml': 'services:\n  web: { port: 3000, health: / }\ndocker: { compose: compose.yml }\n',
  'compose.yml': `services:
  web:
    build: web
    depends_on: [db]
    environment: { KEY: "\${KEY}" }
    volumes: [shared:/shared, "./web:/code:ro"]
    working_dir: /shared
    user: "1000"
    labels: { "other.program": "routes-requests" }
    stop_grace_period: 0s
  db:
    build: db
    volumes: [shared:/shared]
    stop_grace_period: 0s
volumes: { shared: {} }
`,
  'web/Dockerfile': `FROM shipway-test/busybox
RUN mkdir -m 777 /www /shared && echo ${version} > /www/index.html
ENTRYPOINT ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
  'db/Dockerfile': `FROM shipway-test/busybox
RUN mkdir -m 777 /www /shared && echo from-the-database > /www/index.html
CMD ["httpd", "-f", "-p", "3000", "-h", "/www"]
`,
})

describe.skipIf(!hasDocker)('one-off commands', () => {
  let journey: DockerJourney
  let id: number

  beforeAll(async () => {
    journey = await beginDockerJourney('ssh', { drainSeconds: 0, letsPeopleIn: true })
    id = await journey.createEnvironment('main')
    await journey.client.changeVariables({ params: { id }, body: { set: { KEY: SECRET } } })
    journey.commit(files('one'))
    expect(await deploy()).toMatchObject({ status: 'succeeded' })
  })
  afterAll(() => journey?.stop())

  const end = async (taskId: number) => {
    const task = await ended(journey.client, taskId)
    return { ...task, log: await journey.client.readTaskLog({ params: { id: taskId } }) }
  }
  const deploy = async () => end((await journey.client.startDeployment({ params: { id } })).id)
  const start = async (command: string | string[], service?: string) => {
    const body = { command, ...(service !== undefined && { service }) }
    return (await journey.client.startRun({ params: { id }, body })).id
  }
  const run = async (command: string | string[], service?: string) => end(await start(command, service))
  const oneOffs = async () => {
    const filter = [...journey.ofEnvironment(id), '--filter', 'label=shipway.mode=one_off']
    return (await journey.docker('ps', '--all', '--quiet', '--no-trunc', ...filter)).split('\n').filter(Boolean)
  }
  const isGone = () => comesTrue(async () => (await oneOffs()).length === 0)
  const inShared = async (...words: string[]) => {
    const filter = [...journey.ofEnvironment(id), '--filter', 'label=shipway.service=db']
    const container = (await journey.docker('ps', '--quiet', ...filter)).trim()
    return journey.docker('exec', container, ...words)
  }
  const served = async () => (await ask(journey.servingPort, 'main.hello.localhost')).text.trim()

  test('run with the variables, networks, volumes and user of the service that serves', async () => {
    const script =
      'echo key-$KEY; id -u; pwd; cat /code/Dockerfile | head -n 1; wget -q -O - http://db:3000/; echo kept > note'
    const task = await run(script)
    expect(task, task.log).toMatchObject({ status: 'succeeded', kind: 'run', service: null })
    expect(task.command).toEqual(['sh', '-c', script])
    expect(task.log).toContain('key-[hidden]\n1000\n/shared\nFROM shipway-test/busybox\nfrom-the-database\n')
    expect(task.log).not.toContain(SECRET)
    expect(task.phases.map(({ name }) => name)).toEqual(['Prepare', 'Run'])
    expect(await inShared('cat', '/shared/note')).toBe('kept\n')
    expect(await isGone()).toBe(true)
    expect(await served()).toBe('one')
  })

  test('get their words as they are, in the service that is named', async () => {
    const words = ['$(id)', '; exit 9', "it's", '"', '', '-x', '`id`', 'a\nb', '%d']
    const task = await run(['printf', '<%s>', ...words], 'db')
    expect(task, task.log).toMatchObject({ status: 'succeeded', service: 'db' })
    expect(task.log).toContain(words.map((word) => `<${word}>`).join(''))
  })

  test('get no requests: no port, no name, and no label but ours', async () => {
    const taskId = await start(['sleep', '9999'])
    expect(await comesTrue(async () => (await oneOffs()).length === 1)).toBe(true)
    const [container = ''] = await oneOffs()
    const [{ Config, HostConfig, NetworkSettings }] = JSON.parse(await journey.docker('inspect', container))
    expect(Object.keys(Config.Labels).every((label) => label.startsWith('shipway.'))).toBe(true)
    expect(HostConfig).toMatchObject({ PortBindings: {}, RestartPolicy: { Name: 'no' }, LogConfig: { Type: 'none' } })
    const names = Object.values<{ DNSNames: string[] }>(NetworkSettings.Networks).flatMap(({ DNSNames }) => DNSNames)
    expect(names).not.toContain('web')
    await journey.client.cancelTask({ params: { id: taskId } })
    expect(await end(taskId)).toMatchObject({ status: 'canceled', reason: 'canceled_by_user' })
    expect(await isGone()).toBe(true)
  })

  test('fail with the exit code of the command, and name a program that is missing', async () => {
    const failed = await run('echo No such user; exit 3')
    expect(failed).toMatchObject({ status: 'failed', failed_step: { phase: 'Run', exit_code: 3 } })
    expect(failed.failed_step?.message).toBe('The command ended with exit code 3: No such user')
    const missing = await run(['npm', 'run', 'x'])
    expect(missing).toMatchObject({ status: 'failed', failed_step: { exit_code: 127 } })
    expect(missing.failed_step?.message).toBe('The image has no program npm. Check the first word of the command')
    const service = await run(['true'], 'cache')
    expect(service.failed_step?.message).toBe('No container of the service cache runs. These run: db, web')
    expect(await isGone()).toBe(true)
  })

  test('run once, however the platform ends meanwhile', async () => {
    const taskId = await start('echo begun >> once; sleep 5; echo done >> once')
    expect(await comesTrue(async () => (await inShared('sh', '-c', 'cat /shared/once || :')).includes('begun'))).toBe(
      true,
    )
    journey.platform.process.kill('SIGKILL')
    await journey.platform.restart()
    expect(await end(taskId)).toMatchObject({ status: 'succeeded' })
    expect(await inShared('cat', '/shared/once')).toBe('begun\ndone\n')
    expect(await isGone()).toBe(true)
  })

  test('go on in their version and its networks while another is deployed', async () => {
    const script =
      'until [ -e go ]; do sleep 0.2; done; wget -q -O - http://db:3000/; wget -q -O - http://web:3000/ || echo no web'
    const taskId = await start(script)
    expect(await comesTrue(async () => (await oneOffs()).length === 1)).toBe(true)
    journey.commit(files('two'))
    expect(await deploy()).toMatchObject({ status: 'succeeded' })
    expect(await comesTrue(async () => (await served()) === 'two')).toBe(true)
    expect(await oneOffs()).toHaveLength(1)
    await inShared('touch', '/shared/go')
    const task = await end(taskId)
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(task.log).toContain('from-the-database')
    expect(await isGone()).toBe(true)
  })

  test('are in the audit log with their words, and no value of a variable', async () => {
    const task = await run(['echo', `--password=${SECRET}`, 'two words'])
    expect(task).toMatchObject({ status: 'succeeded', command: ['echo', '--password=[hidden]', 'two words'] })
    const { id: organization } = (await journey.client.getMe({})).organizations[0] ?? { id: 0 }
    const [event] = await journey.client.listAuditEvents({
      params: { id: organization },
      query: { action: 'run.started' },
    })
    expect(event?.fields).toEqual(["echo --password=[hidden] 'two words'"])
    expect(JSON.stringify(await journey.client.listTasks({ params: { id }, query: {} }))).not.toContain(SECRET)
  })

  test('end with the environment', async () => {
    const taskId = await start(['sleep', '9999'])
    expect(await comesTrue(async () => (await oneOffs()).length === 1)).toBe(true)
    await journey.client.deleteEnvironment({ params: { id }, body: {} })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'canceled' })
    expect(await isGone()).toBe(true)
  })
})
