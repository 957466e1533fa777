// A check of a server signs in anew, so that it shows the server as it is now: on two real sshd behind one address.
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, connect, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hasSshd, loopbackServers, type Sshd, startSshd } from '../../../test/sshd.ts'
import { edgeTemplates } from '../../edge/haproxy/config-template.ts'
import { createHosts, type Hosts } from '../hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../ssh/ssh-authority.ts'
import { createServers } from './servers.ts'

describe.skipIf(!hasSshd)('a check of a server', () => {
  const folder = mkdtempSync(join(tmpdir(), 'shw-'))
  const authority = createSshAuthority(generateSshAuthorityKey())
  let first: Sshd
  let second: Sshd
  let hosts: Hosts
  let road: Server
  let leadsTo: number
  beforeAll(async () => {
    first = await startSshd({ authorityKey: authority.publicKey })
    second = await startSshd({ authorityKey: authority.publicKey })
    leadsTo = first.port
    road = createServer((socket) => {
      const other = connect(leadsTo, '127.0.0.1')
      for (const one of [socket, other]) one.on('error', () => one.destroy())
      socket.pipe(other).pipe(socket)
    })
    await new Promise<void>((done) => road.listen(0, '127.0.0.1', done))
    hosts = createHosts({ folder, authority, ...loopbackServers })
  })
  afterAll(async () => {
    await hosts.close()
    road.close()
    await first.stop()
    await second.stop()
    rmSync(folder, { recursive: true })
  })

  test('shows that the host key has changed while an earlier connection is open', async () => {
    const { port } = road.address() as AddressInfo
    const servers = createServers({
      hosts,
      dataFolder: folder,
      baseUrl: 'http://localhost:7878',
      installationId: 'a1b2c3',
      sshAuthorityKey: authority.publicKey,
      registryAuthority: () => Buffer.alloc(0),
      edge: { ...edgeTemplates(), isOwn: () => true },
    })
    const record = { ...first.address({ port, hostKey: first.hostKey }), peopleAuthorityKey: null }
    const server = { ...record, organizationId: 1, edge: 'haproxy' } as const
    const { checks } = await servers.inspect(server, { showsDetails: false })
    expect(checks).toContainEqual(expect.objectContaining({ name: 'connection', status: 'ok' }))
    // Keeps the connection open beyond the check, as a deployment does.
    const opened = Promise.withResolvers<void>()
    const stop = new AbortController()
    const onOutput = (): void => opened.resolve()
    const running = hosts.of(server).run(['sh', '-c', 'echo open; sleep 60'], { signal: stop.signal, onOutput })
    // It is aborted below, and its rejection awaited there.
    running.catch(() => undefined)
    await opened.promise
    leadsTo = second.port
    await expect(servers.inspect(server, { showsDetails: false })).rejects.toMatchObject({
      extra: { stage: 'host_key' },
    })
    stop.abort()
    await Promise.allSettled([running])
  })
})
