// The networks of releases on a real Docker Engine: services recreated in place start before their dependents, no deployment leaves a
// network behind, and environments from before releases had networks still work.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasDocker } from '../../packages/server/test/docker/docker-engine.ts'
import { ask } from '../ask.ts'
import { beginDockerJourney, type DockerJourney } from '../docker-journey.ts'
import { comesTrue, ended, until } from '../journey.ts'

/** Keeps one connection to the service that it resolved, and uses it for every request: a broken connection stays broken. */
const client = (
  version: string,
  server: string,
  { port, isPatient = false }: { port: number; isPatient?: boolean },
) => `
const net = require('node:net')
const waiting = []
let text = ''
let socket
const web = require('node:http').createServer((req, res) => {
  if (!socket || socket.destroyed) { res.statusCode = 500; return res.end('not connected') }
  waiting.push(res)
  socket.write('?\\n')
})
if (${isPatient}) web.listen(${port})
const connect = () => {
  const tried = net.connect(3000, '${server}', () => {
    socket = tried
    if (!web.listening) web.listen(${port})
  })
  tried.on('error', (error) => {
    console.log(String(error))
    if (socket === undefined && ${isPatient}) setTimeout(connect, 100)
    else if (socket === undefined) process.exit(1)
  })
  tried.on('close', () => { for (const res of waiting.splice(0)) { res.statusCode = 500; res.end('cut off') } })
  tried.on('data', (bytes) => {
    text += bytes
    for (let at; (at = text.indexOf('\\n')) >= 0; text = text.slice(at + 1)) waiting.shift()?.end('${version} of ' + text.slice(0, at))
  })
}
connect()
net.createServer((other) => {
  other.on('error', () => other.destroy())
  other.on('data', () => require('node:http').get('http://127.0.0.1:${port}/', async (res) => {
    let said = ''
    for await (const part of res) said += part
    other.write(said + '\\n')
  }))
}).listen(3000)
process.on('SIGTERM', () => process.exit(0))
`

const database = (version: string) => `
require('node:fs').appendFileSync('/data/log', '${version}\\n')
require('node:net').createServer((socket) => {
  socket.on('error', () => socket.destroy())
  socket.on('data', () => socket.write('db ${version}\\n'))
}).listen(3000)
process.on('SIGTERM', () => process.exit(0))
`

type Versions = { readonly proxy: string; readonly backend: string; readonly db: string }

const healthy = (port: number) =>
  `healthcheck: { test: [CMD, node, -e, "require('node:net').connect(${port}, () => process.exit(0))"], interval: 1s, retries: 30 }`

const files = ({ proxy, backend, db }: Versions, { isNamed = true } = {}) => ({
  '.service.yml': 'services:\n  proxy: { port: 8080 }\ndocker:\n  compose: compose.yml\n',
  'compose.yml': `services:
  proxy:
    build: proxy
    ${isNamed ? 'depends_on: { backend: { condition: service_healthy } }' : ''}
  backend:
    build: backend
    depends_on: { db: { condition: service_healthy } }
    ${healthy(8080)}
  db:
    build: db
    ${healthy(3000)}
    volumes: ['data:/data']
volumes: { data: {} }
`,
  ...Object.fromEntries(
    ['proxy', 'backend', 'db'].map((name) => [
      `${name}/Dockerfile`,
      'FROM shipway-test/node\nCOPY main.js /main.js\nCMD ["node", "/main.js"]\n',
    ]),
  ),
  'proxy/main.js': client(`proxy ${proxy}`, 'backend', { port: 8080, isPatient: !isNamed }),
  'backend/main.js': client(`backend ${backend}`, 'db', { port: 8080 }),
  'db/main.js': database(db),
})

describe.skipIf(!hasDocker)('the networks of releases', () => {
  let journey: DockerJourney
  let id: number

  beforeAll(async () => {
    journey = await beginDockerJourney('ssh', { drainSeconds: 1 })
    journey.commit(files({ proxy: '1', backend: '1', db: '1' }))
    id = await journey.createEnvironment('main')
    const task = await deploy()
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
  })
  afterAll(() => journey?.stop())

  const start = async () => (await journey.client.startDeployment({ params: { id } })).id
  const deploy = async () => {
    const task = await ended(journey.client, await start())
    const log = await journey.client.readTaskLog({ params: { id: task.id } })
    const steps = task.phases.flatMap((phase) => phase.steps.map(({ name }) => name))
    return { ...task, log, steps }
  }
  const answer = async () => (await ask(journey.servingPort, 'main.hello.localhost')).text
  /** The releases whose networks exist. */
  const releases = async () => {
    const words = [...journey.ofEnvironment(id), '--format', '{{.Label "shipway.release"}}']
    return (await journey.docker('network', 'ls', ...words)).split('\n').filter(Boolean).map(Number).toSorted()
  }
  const born = async () => {
    const words = [...journey.ofEnvironment(id), '--format', '{{.Label "shipway.release"}}']
    const all = (await journey.docker('ps', '--all', ...words)).split('\n').filter(Boolean).map(Number)
    return [...new Set(all)].toSorted()
  }
  /** Only networks of the live release are left. */
  const settle = async (failedId = 0) => {
    const isSettled = async () => {
      const [own, networks] = [await born(), await releases()]
      return !own.includes(failedId) && JSON.stringify(own) === JSON.stringify(networks)
    }
    await comesTrue(isSettled)
    expect(await releases()).toEqual(await born())
    expect(await releases()).not.toContain(failedId)
  }

  test('a database recreated in place starts before the backend and the proxy, which reach it', async () => {
    journey.commit(files({ proxy: '2', backend: '2', db: '2' }))
    const task = await deploy()
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(task.steps.filter((name) => /^(Start|Recreate|Wait for) /.test(name))).toEqual([
      ...['Recreate db', 'Wait for db', 'Start backend', 'Wait for backend', 'Start proxy', 'Wait for proxy'],
    ])
    expect(await answer()).toBe('proxy 2 of backend 2 of db 2')
    await settle()
    expect(await answer()).toBe('proxy 2 of backend 2 of db 2')
  })

  test('dependents of a service restart with it, and its dependencies stay', async () => {
    journey.commit(files({ proxy: '2', backend: '3', db: '2' }))
    const task = await deploy()
    expect(task, task.log).toMatchObject({ status: 'succeeded' })
    expect(task.log).toContain('proxy: a new container starts beside the old one, since it depends on backend')
    expect(task.log).toContain('db: unchanged, is not touched')
    expect(await answer()).toBe('proxy 2 of backend 3 of db 2')
    await settle()
    expect(await answer()).toBe('proxy 2 of backend 3 of db 2')
    // The network of the database, and that of the others.
    expect((await releases()).length).toBe(2)
  })

  test('a backend that fails after the database was replaced brings the old database back', async () => {
    const before = await releases()
    const broken = files({ proxy: '4', backend: '4', db: '4' })
    journey.commit({ ...broken, 'backend/main.js': 'console.log("no such luck"); process.exit(7)' })
    const task = await deploy()
    expect(task).toMatchObject({ status: 'failed', failed_step: { name: 'Wait for backend' } })
    expect(task.log).toContain('db is back as it was before')
    await settle(task.id)
    expect(await releases()).toEqual(before)
  })

  test('until the old version goes, each version has its own names, and both find what was recreated', async () => {
    journey.commit({
      ...files({ proxy: '5', backend: '5', db: '5' }),
      'backend/main.js': 'setTimeout(() => undefined, 1e6); process.on("SIGTERM", () => process.exit(0))',
    })
    const taskId = await start()
    const containers = async () => {
      const format = '{{.Label "shipway.service"}} {{.Label "shipway.task"}} {{.ID}}'
      const lines = (await journey.docker('ps', ...journey.ofEnvironment(id), '--format', format)).split('\n')
      return lines.filter(Boolean).map((line) => {
        const [service, task, container = ''] = line.split(' ')
        return { service, isNew: Number(task) === taskId, container }
      })
    }
    const find = async (service: string, isNew: boolean) =>
      (await containers()).find((one) => one.service === service && one.isNew === isNew)?.container
    const fresh = await until(() => find('backend', true), 'the new backend')
    const [old, db] = [await find('backend', false), await find('db', true)]
    expect([old, db]).not.toContain(undefined)
    const script =
      "require('node:dns').lookup(process.argv[1], { all: true }, (e, all) => console.log(JSON.stringify(all)))"
    const lookUp = async (container: string | undefined, name: string) => {
      const found: unknown = JSON.parse(await journey.docker('exec', container ?? '', 'node', '-e', script, name))
      return Array.isArray(found) ? found.map(({ address }) => String(address)) : []
    }
    const addresses = async (container: string | undefined) => {
      const format = '{{range .NetworkSettings.Networks}}{{println .IPAddress}}{{end}}'
      return (await journey.docker('inspect', '--format', format, container ?? '')).split('\n').filter(Boolean)
    }
    for (const [from, name, to] of [
      ...[[fresh, 'db', db] as const, [old, 'db', db] as const],
      ...[[fresh, 'backend', fresh] as const, [old, 'backend', old] as const],
    ]) {
      const found = await lookUp(from, name)
      expect(found).toHaveLength(1)
      expect(await addresses(to)).toEqual(expect.arrayContaining(found))
    }
    await journey.client.cancelTask({ params: { id: taskId } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'canceled' })
    await settle(taskId)
  })

  test('a service that names no dependency is reported', async () => {
    journey.commit(files({ proxy: '6', backend: '6', db: '6' }, { isNamed: false }))
    const first = await deploy()
    expect(first, first.log).toMatchObject({ status: 'succeeded' })
    await settle()
    await until(async () => ((await answer()) === 'proxy 6 of backend 6 of db 6' ? true : undefined), 'its answer')
    journey.commit(files({ proxy: '6', backend: '7', db: '6' }, { isNamed: false }))
    const task = await deploy()
    expect(task.log).toContain('proxy did not change and is connected to the old container of backend, which goes now')
    expect(task).toMatchObject({ status: 'succeeded' })
  })

  test('removing the environment removes all of its networks', async () => {
    const { id: taskId } = await journey.client.deleteEnvironment({ params: { id } })
    expect(await ended(journey.client, taskId)).toMatchObject({ status: 'succeeded' })
    expect(await releases()).toEqual([])
  })
})
