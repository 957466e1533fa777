/**
 * Two versions of the platform follow one another on a socket that stays open, as the system hands it to the services of an upgrade, while
 * clients ask 100 times a second and deployments run: no request fails, and every deployment ends truly. Long form:
 * DEPLOYMENTS=12 ROUNDS=4 npx vitest run e2e/operations/hand-over.test.ts
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { Agent, get } from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createClient } from '@shipway/api'
import { expect, test } from 'vitest'
import { freePort } from '../../tools/free-port.ts'
import { MEMORY_SETTING, makeDatabase, NODE_FLAGS, OURS, settingsOf, stopProcess } from '../../tools/platform.ts'
import { takePortBlock } from '../../tools/port-block.ts'
import { beginProject, buildOwner, ended, until } from '../journey.ts'
import { differences } from '../live/differences.ts'
import { readAlong, retryWhileDown } from '../live/reader.ts'
import { buildChanged } from './other-builds.ts'

const DEPLOYMENTS = Number(process.env.DEPLOYMENTS ?? 3)
const ROUNDS = Number(process.env.ROUNDS ?? 1)
const PER_SECOND = 100

test.each(['embedded', 'postgres'] as const)('to another version and back on %s, nothing is lost', async (database) => {
  await using cleanUp = new AsyncDisposableStack()
  using other = await buildChanged({ '"Remove old releases"': '"Remove earlier releases"' })
  const folder = mkdtempSync(join(tmpdir(), 'shipway-hand-over-'))
  cleanUp.defer(() => rmSync(folder, { recursive: true }))
  const { address, filled: owner, remove } = await makeDatabase(database, buildOwner)
  cleanUp.defer(remove)
  const ports = await takePortBlock()
  cleanUp.defer(() => ports.release())
  using socket = holdSocket(await freePort())
  const { fd, port } = socket
  const settings = {
    ...settingsOf(address, port),
    SHIPWAY_PORTS: ports.range,
    SHIPWAY_MOST_TASKS_PER_SERVER: String(DEPLOYMENTS),
  }
  let child = startOn(fd, settings, OURS)
  cleanUp.defer(() => stopProcess(child))
  const url = `http://127.0.0.1:${port}`
  await until(() => ready(url), 'the first one is ready')
  const project = await beginProject({ url, token: owner.token, connection: 'ssh' })
  cleanUp.defer(() => project.stop())
  const client = createClient({ baseUrl: url, token: () => owner.token })
  const [organizationId = 0] = (await client.listOrganizations({})).map(({ id }) => id)
  const topics = [`organization:${organizationId}`, `project:${project.projectId}`]
  const reader = readAlong({ token: owner.token, address: () => url, topics })
  cleanUp.defer(() => reader.stop())
  await reader.online
  const load = askAlways(port, owner.token)
  cleanUp.defer(async () => void (await load.stop()))

  const environments: number[] = []
  for (let number = 0; number < DEPLOYMENTS; number++)
    environments.push(await project.createEnvironment(`env-${number}`))
  for (let round = 0; round < ROUNDS; round++) {
    const gate = join(folder, `open-${round}`)
    project.commit({ '.service.yml': serviceWaitingFor(gate) })
    const tasks: number[] = []
    for (const id of environments) tasks.push((await client.startDeployment({ params: { id } })).id)
    for (const id of tasks) {
      reader.watch(`task:${id}`)
      await until(async () => (await client.readTaskLog({ params: { id } })).includes('waits') || undefined, 'it waits')
    }
    for (const program of [other.program, OURS]) {
      const next = startOn(fd, settings, program)
      const earlier = child
      child = next
      await stopProcess(earlier)
      expect(earlier.exitCode).toBe(0)
      await until(() => ready(url), 'the next one is ready')
    }
    writeFileSync(gate, '')
    for (const id of tasks) {
      expect(await ended(client, id)).toMatchObject({ status: 'succeeded', reason: null })
      expect((await client.readTaskLog({ params: { id } })).split('is done')).toHaveLength(2)
    }
  }
  const { count, failures } = await load.stop()
  expect(failures).toEqual([])
  expect(count).toBeGreaterThan(500)
  const wrong = () => differences(client, reader.model, { organizationId, projectId: project.projectId })
  await expect.poll(() => retryWhileDown(wrong), { interval: 500 }).toEqual([])
})

/** As the system does, this process holds the socket and never accepts. Node has a function for it that cluster uses. */
function holdSocket(port: number): Disposable & { readonly fd: number; readonly port: number } {
  const bind: unknown = Reflect.get(net, '_createServerHandle')
  const handle: unknown = typeof bind === 'function' ? bind('127.0.0.1', port, 4) : undefined
  if (typeof handle !== 'object' || handle === null) throw new Error(`Port ${port} cannot be bound: ${handle}`)
  const fd: unknown = Reflect.get(handle, 'fd')
  if (typeof fd !== 'number') throw new Error('The socket has no descriptor')
  return { fd, port, [Symbol.dispose]: () => Reflect.get(handle, 'close').call(handle) }
}

/** With the socket as its descriptor 3, and told so as by systemd: the process that is told is the one that runs. */
function startOn(fd: number, settings: Record<string, string>, program: string): ChildProcess {
  const script = 'LISTEN_FDS=1 LISTEN_PID=$$ exec "$@"'
  return spawn('sh', ['-c', script, 'sh', process.execPath, ...NODE_FLAGS, program], {
    cwd: join(import.meta.dirname, '../..'),
    env: { ...process.env, ...MEMORY_SETTING, ...settings },
    stdio: ['ignore', 'ignore', 'inherit', fd],
  })
}

/** Before the first one listens, the connection is refused. */
const ready = (url: string): Promise<true | undefined> =>
  fetch(`${url}/readyz`).then(
    ({ ok }) => ok || undefined,
    () => undefined,
  )

const serviceWaitingFor = (gate: string): string => `
services:
  web: {}
manual:
  deploy:
    - name: Wait
      run: echo "it waits"; while [ ! -e '${gate}' ]; do sleep 0.2; done; echo "it is done"
`

/** Half of the requests on connections that are kept, half on new ones. Errors of the client and of the platform count. */
function askAlways(port: number, token: string) {
  const kept = new Agent({ keepAlive: true, maxSockets: 10 })
  // Not '/': another build has no dashboard beside it.
  const paths = ['/api/me', '/api/projects', '/healthz', '/api/openapi.json']
  const failures: string[] = []
  const running = new Set<Promise<void>>()
  let count = 0
  const ask = (): void => {
    const path = paths[count % paths.length] ?? '/'
    const agent = count % 2 === 0 ? kept : false
    count++
    const asked = new Promise<void>((resolve) => {
      const fail = (reason: string): void => {
        failures.push(`${path}: ${reason}`)
        resolve()
      }
      const headers = { authorization: `Bearer ${token}` }
      get({ host: '127.0.0.1', port, path, agent, headers }, (answer) => {
        answer.resume()
        answer.on('error', (error) => fail(String(error)))
        answer.on('end', () => ((answer.statusCode ?? 0) < 400 ? resolve() : fail(String(answer.statusCode))))
      }).on('error', (error) => fail(String(error)))
    })
    running.add(asked)
    void asked.finally(() => running.delete(asked))
  }
  const timer = setInterval(ask, 1000 / PER_SECOND)
  let result: Promise<{ readonly count: number; readonly failures: readonly string[] }> | undefined
  const finish = async () => {
    clearInterval(timer)
    await Promise.all(running)
    kept.destroy()
    return { count, failures }
  }
  return {
    stop: () => {
      result ??= finish()
      return result
    },
  }
}
