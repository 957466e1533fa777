// The program that reads logs, run by the platform here and over a real sshd: what it gives, and that nothing is left of it.
import { appendFileSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { findProcesses } from '../../../test/process-list.ts'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import { hasSshd, loopbackServers, startSshd } from '../../../test/sshd.ts'
import { builtBeforeAll } from '../../../test/stage/built-before.ts'
import type { ServerAddress } from '../../domain/server-address.ts'
import { createHosts } from '../hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../ssh/ssh-authority.ts'
import { createServiceLogs, type ServiceLogs } from './service-logs.ts'

const WAIT = { timeout: 120_000 }
const root = mkdtempSync(join(tmpdir(), 'shipway-logs-of-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

/** Two environments of two organizations may be on one machine: each has a folder, below that of its installation. */
function openFolder(name: string) {
  const folder = join(root, name)
  return {
    folder,
    write: (environmentId: number, text: string) => {
      const output = join(folder, 'environments', String(environmentId), 'output')
      mkdirSync(output, { recursive: true })
      appendFileSync(join(output, '1.web.log'), `${new Date().toISOString()} ${text}\n`)
    },
  }
}

function follow(logs: ServiceLogs, server: ServerAddress, environmentId = 7) {
  const stopper = new AbortController()
  let printed = ''
  const ended = logs.follow(server, environmentId, {
    since: 0,
    signal: stopper.signal,
    onOutput: (bytes) => {
      printed += bytes.toString()
    },
  })
  return {
    stop: () => stopper.abort(),
    ended,
    texts: () => printed.split('\n').flatMap((line) => line.split(' ')[3] ?? []),
  }
}

const isNothingLeft = (folder: string) => expect.poll(() => findProcesses(folder), WAIT).toEqual([])

describe.skipIf(!hasSshd)('logs of a server over ssh', () => {
  const { folder, write } = openFolder('ssh')
  const authority = createSshAuthority(generateSshAuthorityKey())
  const sshd = builtBeforeAll(() => startSshd({ authorityKey: authority.publicKey }))
  const hosts = builtBeforeAll(async () =>
    createHosts({ folder: mkdtempSync(join(root, 'keys-')), authority, ...loopbackServers }),
  )
  afterAll(async () => {
    await hosts.close?.()
    await sshd.stop?.()
  })
  const open = () => ({
    logs: createServiceLogs({ hosts, folderOf: () => folder }),
    server: sshd.address({ hostKey: sshd.hostKey }),
  })

  test('are followed until the reader leaves, and nothing is left on the server', async () => {
    const { logs, server } = open()
    write(7, 'one')
    write(8, 'foreign')
    const reader = follow(logs, server)
    await expect.poll(reader.texts, WAIT).toEqual(['one'])
    write(7, 'two')
    await expect.poll(reader.texts, WAIT).toEqual(['one', 'two'])
    reader.stop()
    expect(await reader.ended).toMatchObject({ kind: 'lost' })
    await isNothingLeft(`${folder}/read-output.sh`)
  })

  test('end with the connection, and nothing is left on the server, though no line is printed', async () => {
    const { logs, server } = open()
    const reader = follow(logs, server)
    await expect.poll(() => reader.texts().length, WAIT).toBeGreaterThan(0)
    sshd.cutConnections()
    expect(await reader.ended).toMatchObject({ kind: 'lost' })
    await isNothingLeft(`${folder}/read-output.sh`)
  })

  test('leave the sessions of deployments alone', async () => {
    const { logs, server } = open()
    const readers = Array.from({ length: 6 }, (_, index) => follow(logs, server, 20 + index))
    const now = await logs.now(server, new AbortController().signal)
    expect(Math.abs(Number(now) - Date.now() / 1000)).toBeLessThan(60)
    const commands = Array.from({ length: 8 }, () => hosts.of(server).run(['true']))
    expect((await Promise.all(commands)).map(({ exitCode }) => exitCode)).toEqual(Array(8).fill(0))
    for (const reader of readers) reader.stop()
    await Promise.all(readers.map(({ ended }) => ended))
    await isNothingLeft(`${folder}/read-output.sh`)
  })

  test('a server that is not there is no failure of the platform', async () => {
    const { logs, server } = open()
    await sshd.stop()
    hosts.forget(server.id)
    expect(await logs.now(server, new AbortController().signal)).toMatchObject({ kind: 'lost' })
  })
})

describe("logs of the platform's own machine", () => {
  const { folder, write } = openFolder('local')
  const logs = createServiceLogs({
    hosts: { forLogs: () => createLocalHost('here', { DOCKER_HOST: 'unix:///nonexistent' }) },
    folderOf: () => folder,
  })
  // The address is not looked at: the host is this machine.
  const server = { id: 1, name: 'here', connection: 'local', runtime: 'compose' } as ServerAddress

  test('are those of one environment, with the words of the grammar', async () => {
    write(7, 'one')
    write(7, 'two')
    write(8, 'foreign')
    let printed = ''
    const read = async (selection: Parameters<ServiceLogs['read']>[2] | object) => {
      printed = ''
      const end = await logs.read(server, 7, {
        signal: new AbortController().signal,
        onOutput: (bytes) => {
          printed += bytes.toString()
        },
        ...selection,
      })
      return { ...end, texts: printed.split('\n').flatMap((line) => line.split(' ')[3] ?? []) }
    }
    expect(await read({})).toEqual({ kind: 'complete', texts: ['one', 'two'] })
    expect(await read({ tail: 1, services: ['web'] })).toEqual({ kind: 'complete', texts: ['two'] })
    expect(await read({ until: 5 })).toEqual({ kind: 'complete', texts: [] })
    expect(await read({ services: ['web', 'api'] })).toMatchObject({
      kind: 'no_service',
      detail: 'No service is called api\nservices: web',
      texts: [],
    })
  })

  test('are followed until the reader leaves', async () => {
    const reader = follow(logs, server)
    await expect.poll(reader.texts, WAIT).toEqual(['one', 'two'])
    reader.stop()
    await reader.ended
    await isNothingLeft(`${folder}/read-output.sh`)
  })
})
