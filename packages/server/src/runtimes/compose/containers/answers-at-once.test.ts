// Whether a container that has just started may get requests, checked in one go on a real Docker Engine: nothing but a container that
// runs, was never restarted, is published there and answers is taken for ready.
import { once } from 'node:events'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type EngineClient, hasDocker } from '../../../../test/docker/docker-engine.ts'
import { sharedEngine } from '../../../../test/docker/shared-engine.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { dockerScript } from '../../../commands/docker/script.ts'
import type { Host } from '../../../remote/host.ts'

const label = 'shipway.installation=answering'
const answering = (status: number): string =>
  `require('http').createServer((_, answer) => { answer.statusCode = ${status}; answer.end() }).listen(3000, () => console.log('listening'))`
const [READY, NOT_READY, CANNOT_ASK] = [0, 1, 3]

describe.skipIf(!hasDocker)('a container that has just started', () => {
  let engine: EngineClient
  let host: Host
  beforeAll(async () => {
    engine = await sharedEngine()
    host = createLocalHost('here', { DOCKER_HOST: engine.host, HOME: '/nonexistent' })
  })
  afterAll(async () => {
    const ids = await engine?.docker('ps', '--all', '--quiet', '--filter', `label=${label}`)
    await engine?.docker('rm', '--force', ...(ids ?? '').split('\n').filter(Boolean))
  })

  async function run(program: string, ...words: readonly string[]) {
    const published = ['--publish', '127.0.0.1::3000', '--label', label, ...words]
    const id = await engine.docker('run', '--detach', ...published, 'shipway-test/node', 'node', '-e', program)
    const port = async (inside = 3000) =>
      Number((await engine.docker('port', id.trim(), String(inside))).trim().split(':').at(-1))
    return { id: id.trim(), port }
  }
  const listens = (id: string) =>
    vi.waitUntil(async () => (await engine.docker('logs', id)).includes('listening'), { timeout: 120_000 })

  const ask = async (container: string, port: number, kind = 'http', from: Host = host) =>
    (await from.run(dockerScript('answers-at-once', container, kind, String(port), '/', 'x'))).exitCode

  test.concurrent('is ready as soon as it answers, and not where it answers with a failure', async () => {
    // It begins to answer while it is asked, however long a program takes to start on this machine.
    const begins = `require('net').createServer(() => setTimeout(() => ${answering(204)}, 300)).listen(3001, () => console.log('listening'))`
    const soon = await run(begins, '--publish', '127.0.0.1::3001')
    await listens(soon.id)
    const asked = ask(soon.id, await soon.port())
    connect(await soon.port(3001), '127.0.0.1')
      .once('error', () => undefined)
      .end()
    expect(await asked).toBe(READY)
    const failing = await run(answering(500))
    await listens(failing.id)
    expect(await ask(failing.id, await failing.port(), 'port')).toBe(READY)
    expect(await ask(failing.id, await failing.port())).toBe(NOT_READY)
  })

  test.concurrent('is not ready where it listens nowhere, has ended or is gone', async () => {
    const idle = await run('setInterval(() => {}, 1000)')
    const port = await idle.port()
    expect(await ask(idle.id, port, 'port')).toBe(NOT_READY)
    await engine.docker('kill', idle.id)
    expect(await ask(idle.id, port, 'port')).toBe(NOT_READY)
    await engine.docker('rm', idle.id)
    expect(await ask(idle.id, port, 'port')).toBe(NOT_READY)
  })

  test.concurrent('is not ready because another program answers on the port, whatever it says of itself', async () => {
    const other = createServer((_, answer) => answer.end()).listen(0, '127.0.0.1')
    await once(other, 'listening')
    const { port } = other.address() as AddressInfo
    const faked = `"NetworkSettings":{"Ports":{"3000/tcp":[{"HostIp":"127.0.0.1","HostPort":"${port}"}]}}`
    const own = await run('setInterval(() => {}, 1000)', '--label', `faked=${faked}`, '--env', `FAKED=${faked}`)
    expect(await ask(own.id, port)).toBe(NOT_READY)
    await engine.docker('kill', own.id)
    expect(await ask(own.id, port)).toBe(NOT_READY)
    await new Promise((resolve) => other.close(resolve))
  })

  test.concurrent('is not ready where it was restarted since', async () => {
    const ending = `const fs = require('fs'); if (!fs.existsSync('/began')) { fs.writeFileSync('/began', ''); process.exit(1) }`
    const again = await run(`${ending} ${answering(200)}`, '--restart', 'always')
    const restarts = async () =>
      (await engine.docker('inspect', '--format', '{{if .State.Running}}{{.RestartCount}}{{end}}', again.id)).trim()
    await vi.waitUntil(async () => (await restarts()) === '1', { timeout: 120_000 })
    expect(await ask(again.id, await again.port())).toBe(NOT_READY)
  })

  test('is not checked where its Engine is not reached by a socket', async () => {
    const elsewhere = createLocalHost('here', { DOCKER_HOST: 'ssh://somewhere', HOME: '/nonexistent' })
    expect(await ask('any', 1, 'http', elsewhere)).toBe(CANNOT_ASK)
  })
})
