// Hostile nodes: what one of them answers spoils no other's report.
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isOnThePath } from '../../../../../tools/real-parts/programs.ts'
import { createLocalHost } from '../../../test/processes/local-host.ts'
import type { Host } from '../host.ts'
import { readFree, readUsageReports, splitReports } from './read-usage-reports.ts'

describe.skipIf(!isOnThePath('socat'))('reports of nodes', () => {
  /** A node of the loopback, at an address that no other test has. */
  const nodeAt = async (number: number, answer: (socket: Socket) => void): Promise<string> => {
    const address = `127.${(process.pid >> 8) & 0xff}.${process.pid & 0xff}.${number}`
    const sockets = new Set<Socket>()
    const node = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => socket.destroy()).once('close', () => sockets.delete(socket))
      answer(socket)
    })
    node.listen(5444, address)
    await once(node, 'listening')
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      node.close()
      await once(node, 'close')
    })
    return address
  }
  /** Nodes that close the connection need no deadline. */
  const read = (addresses: readonly string[], bytes = 1_000, seconds = 60) =>
    readUsageReports(createLocalHost('manager'), { addresses, bytes, seconds })

  test('are read from all nodes, and from none in the name of another', async () => {
    const honest = await nodeAt(1, (socket) => socket.end('memory 20 10\nload 1\n'))
    const liar = await nodeAt(2, (socket) => socket.end(`x\nnode ${honest}\nmemory 9 9\n\nnode ${honest}\n y\n`))
    const endless = await nodeAt(3, (socket) => {
      const write = (): void => void (socket.destroyed || socket.write('\n'.repeat(4_096), () => setImmediate(write)))
      write()
    })
    const closed = await nodeAt(5, (socket) => socket.destroy())
    const reports = await read([endless, liar, closed, honest, '192.0.2.1,fork', '::1', honest])
    expect([...reports.keys()]).toEqual([endless, liar, honest])
    expect(reports.get(honest)).toBe('memory 20 10\nload 1\n')
    expect(reports.get(liar)).toBe(`x\nnode ${honest}\nmemory 9 9\n\nnode ${honest}\n y\n`)
    expect(reports.get(endless)).toBe('\n'.repeat(1_000))
  })

  test('of a node that says nothing are not waited for', async () => {
    const silent = await nodeAt(1, (socket) => void socket.write('memory 1 1\nup'))
    expect(await read([silent], 1_000, 1)).toSatisfy(
      (reports: ReadonlyMap<string, string>) => !reports.get(silent)?.includes('up'),
    )
  })

  test('lack a line that came in part', async () => {
    const cut = await nodeAt(1, (socket) => socket.end('uptime 12.34\nusage 1234'))
    expect(await read([cut])).toEqual(new Map([[cut, 'uptime 12.34\n']]))
    expect(await read([cut], 5)).toEqual(new Map())
  })

  test('of a manager that prints without an end are ignored, and their lines are bounded', async () => {
    const lines =
      splitReports(`node 192.0.2.1\n${'\n'.repeat(3_900_000)}`)
        .get('192.0.2.1')
        ?.split('\n') ?? []
    expect(lines.length).toBeLessThanOrEqual(2_000)
    const sections = splitReports('node x\n 1\n\n'.repeat(300_000))
    expect(sections.size).toBe(1)
    const endless: Host = {
      ...createLocalHost('manager'),
      run: async (_command, { onOutput } = {}) => {
        for (;;) await onOutput?.(Buffer.alloc(100_000))
      },
    }
    const addresses = Array.from({ length: 200 }, (_, index) => `192.0.2.${index}`)
    expect(await readUsageReports(endless, { addresses, bytes: 100_000 })).toEqual(new Map())
  })
})

test('an output is split into the complete lines of each node', () => {
  const printed = 'node 192.0.2.1\n a\n b\n\nnode 192.0.2.2\n c\n d\nnode 192.0.2.3\n e\n'
  expect([...splitReports(`${printed}\nnode 192.0.2.4\n f\n\n`)]).toEqual([
    ['192.0.2.1', 'a\nb\n'],
    ['192.0.2.2', 'c\n'],
    ['192.0.2.3', 'e\n'],
    ['192.0.2.4', 'f\n'],
  ])
  expect(splitReports(printed)).toEqual(
    new Map([
      ['192.0.2.1', 'a\nb\n'],
      ['192.0.2.2', 'c\n'],
    ]),
  )
})

test('an output that is empty or of something else has no reports', () => {
  expect(splitReports('')).toEqual(new Map())
  expect(splitReports('mktemp: failed\n')).toEqual(new Map())
  expect(splitReports('node 192.0.2.1\n\nnode 192.0.2.2\n\n')).toEqual(new Map())
})

test('free memory and disk are numbers that can be, or not known', () => {
  const disks = (free: string) => `disk Filesystem 1024-blocks Used Available\ndisk /dev/a 100 1 ${free} 10% /\n`
  expect(readFree(`${disks('90')}memory 20 10\n`)).toEqual({ memory: 10_240, disk: 92_160 })
  expect(readFree('')).toEqual({ memory: null, disk: null })
  expect(readFree(`${disks('101')}memory 20 21\n`)).toEqual({ memory: null, disk: null })
  expect(readFree(`${disks('9'.repeat(15))}memory ${'9'.repeat(13)} 1\n`)).toEqual({ memory: null, disk: null })
  expect(readFree('memory -1 -2\ndisk x 1e3 1 NaN 1% /')).toEqual({ memory: null, disk: null })
})
