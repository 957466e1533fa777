// What is read of the ports of a server: what it says in full, and on this machine with real listeners.
import { once } from 'node:events'
import { createServer } from 'node:net'
import { expect, test } from 'vitest'
import { createFakeHost } from '../../../../test/fake-host.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { findOwners } from '../../../recipes/manual/socket-owners.ts'
import { findUsedPorts } from './used-ports.ts'

const ids = { installationId: 'main', environmentId: 7 }
const seen = (stdout: string) => findUsedPorts(createFakeHost({ 'find ports': { stdout } }, []), ids)

test('listeners by port, and what containers publish by whose they are', async () => {
  const { sockets, own, inUse } = await seen(
    [
      'listens 4E20 11',
      'listens 4E20 12',
      'listens 0016 13',
      'publishes main/7 127.0.0.1:20001->3000/tcp, :::20002->80/tcp, 9000/tcp',
      'publishes main/70 127.0.0.1:20003->3000/tcp',
      'publishes other/7 0.0.0.0:20004-20006->80-82/tcp',
      'publishes / ',
    ].join('\n'),
  )
  expect([...sockets]).toEqual([
    [20_000, ['11', '12']],
    [22, ['13']],
  ])
  expect([...own]).toEqual([20_001, 20_002])
  expect([...inUse].sort((a, b) => a - b)).toEqual([22, ...Array.from({ length: 7 }, (_, at) => 20_000 + at)])
})

test('what the Engine lists, by whose it is; what makes no sense is asked of docker', async () => {
  const container = (environment: string, ...ports: readonly object[]) => ({
    Labels: { 'shipway.installation': 'main', 'shipway.environment': environment, odd: '{"a":"b\n"}' },
    Ports: ports,
  })
  const listed = [
    container('7', { PublicPort: 20_001 }, { PublicPort: 20_002, Type: 'udp' }, { PrivatePort: 9000 }),
    container('70', { PublicPort: 20_003 }),
    { Labels: null, Ports: [{ PublicPort: 8080 }] },
    { Ports: null },
  ]
  const { own, inUse } = await seen(`listens 0016 13\n${JSON.stringify(listed)}\n`)
  expect([...own]).toEqual([20_001, 20_002])
  expect([...inUse]).toEqual([22, 20_001, 20_002, 20_003, 8080])
  for (const line of ['[', '[1]', '[{"Ports":7}]', `[${'['.repeat(100_000)}`]) {
    const calls: string[] = []
    const host = createFakeHost({ 'find ports': { stdout: `listens 0016 13\n${line}\n` } }, calls)
    expect(await findUsedPorts(host, ids), line.slice(0, 20)).toMatchObject({ own: new Set() })
    expect(calls).toEqual(['find ports', 'find ports'])
  }
})

test('a server that says too much, or nothing of use, costs little', async () => {
  const range = ':1-65535->1-65535/tcp, '
  const { inUse } = await seen(`publishes a/1 ${range.repeat(20_000)}\n${'listens FFFF 1\n'.repeat(100_000)}`)
  expect(inUse.size).toBe(65_535)
  expect(await seen('permission denied\nlistens\nlistens zz 1\npublishes x')).toEqual({
    sockets: new Map(),
    own: new Set(),
    inUse: new Set(),
  })
})

test('a listener of this machine is seen on whatever address, and whose it is', async () => {
  const host = createLocalHost('this machine')
  const servers = ['127.0.0.1', '0.0.0.0', '::1'].map((address) => createServer().listen(0, address))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  try {
    for (const server of servers) {
      const address = server.address()
      const port = typeof address === 'object' ? (address?.port ?? 0) : 0
      const { sockets, inUse } = await findUsedPorts(host, ids)
      expect(inUse.has(port)).toBe(true)
      const [socket = ''] = sockets.get(port) ?? []
      const ownerIn = async (folder: string) =>
        (await findOwners(host, { folder, domain: 'a.example.com' }, [socket])).get(socket)
      expect([await ownerIn(process.cwd()), await ownerIn('/nowhere')]).toEqual(['own', 'other'])
    }
    const unknown = await findOwners(host, { folder: '/nowhere', domain: '' }, ['999999999'])
    expect([...unknown]).toEqual([])
  } finally {
    for (const server of servers) server.close()
  }
})
