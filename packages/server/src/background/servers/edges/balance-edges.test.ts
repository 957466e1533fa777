import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { buildOrganization, buildServer, buildUser } from '../../../../test/factories.ts'
import { hasHaproxy } from '../../../../test/haproxy.ts'
import { domainTo, type HaproxyEdge, openHaproxyEdge } from '../../../../test/haproxy-edge.ts'
import { ask, type Loopback, serve } from '../../../../test/loopback.ts'
import { loopbackServers } from '../../../../test/sshd.ts'
import { onFirst } from '../../../../test/stage/on-first.ts'
import { until } from '../../../../test/steps.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import type { ServerAddress } from '../../../domain/server-address.ts'
import type { BalanceGroup, ListedGroup } from '../../../edge/balance-group.ts'
import { createHosts, type Hosts } from '../../../remote/hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../../../remote/ssh/ssh-authority.ts'
import type { Runtime } from '../../../runtimes/runtime.ts'
import { raiseEdgeVersion } from '../../../store/environments/routes.ts'
import { toServerAddress } from '../../../store/servers/server-addresses.ts'
import { balanceEdges } from './balance-edges.ts'
import { followUpstreams } from './follow-upstreams.ts'

const [A, B] = [20_000, 20_001]

describe.skipIf(!hasHaproxy).each(databases)('balanced edges ($name)', (source) => {
  const once = onFirst(source)
  const authority = createSshAuthority(generateSshAuthorityKey())
  const opened: { close(): Promise<void> }[] = []
  let folder: string
  let app: TestApp
  let hosts: Hosts
  let edge: HaproxyEdge
  let server: ServerAddress

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shw-'))
    app = await openTestApp(source, { dataFolder: folder })
    hosts = openHosts('one')
    edge = await openHaproxyEdge({ folder: join(folder, 'server', 'test', 'edge'), isBalanced: true })
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    server = toServerAddress(await buildServer(app.ctx, organization.id, { connection: 'local', edge: 'haproxy' }))
    await edge.lead(domainTo(A))
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
    await edge.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  /** Each process of the platform has hosts of its own. */
  const openHosts = (name: string): Hosts =>
    keep(createHosts({ folder: join(folder, name), authority, ...loopbackServers }))

  function keep<One extends { close(): Promise<void> }>(one: One): One {
    opened.push(one)
    return one
  }

  const named = async (name: string): Promise<Loopback> => keep(await serve((_req, res) => res.end(name)))
  const groupOf = (name: string, { port }: Loopback): BalanceGroup => ({
    port: A,
    upstreams: [{ name, address: '127.0.0.1', port }],
  })
  const balance = (groups: readonly BalanceGroup[], joining: readonly number[] = []) =>
    balanceEdges(app.ctx, hosts, { server, joining, listUpstreams: async () => groups })
  const text = async (): Promise<string> => (await ask(edge.port, 'app.test')).text

  once('a group that joins must have upstreams that answer; the failure of one is not that of another', async () => {
    const [one, gone] = [await named('one'), await serve((_req, res) => res.end('gone'))]
    await gone.close()
    await balance([groupOf('t1', one)], [A])
    expect(await text()).toBe('one')
    await expect(balance([groupOf('t1', one)], [A, B])).rejects.toThrow(`20001 has none`)
    const both = [groupOf('t1', one), { port: B, upstreams: [{ name: 't2', address: '127.0.0.1', port: gone.port }] }]
    const results = await Promise.allSettled([balance(both), balance(both, [A]), balance(both, [B])])
    expect(results.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected'])
    expect(results[2]).toMatchObject({ reason: { message: expect.stringContaining('20001/t2') } })
    await edge.stop()
    await expect(balance(both)).rejects.toThrow('HAProxy does not run')
  })

  test('a list that was read before that of another process never follows it', async () => {
    const [old, fresh] = [await named('old'), await named('fresh')]
    let now = [groupOf('t1', old)]
    const [reached, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    let reads = 0
    const slow: NonNullable<Runtime['listUpstreams']> = async () => {
      const read = now
      reads++
      reached.resolve()
      await gate.promise
      return read
    }
    const late = balanceEdges(app.ctx, hosts, { server, listUpstreams: slow })
    await reached.promise
    now = [groupOf('t2', fresh)]
    await balanceEdges(app.ctx, openHosts('two'), { server, joining: [A], listUpstreams: async () => now })
    expect(await text()).toBe('fresh')
    gate.resolve()
    await late
    expect(reads).toBe(2)
    expect(await text()).toBe('fresh')
  })

  test('two processes at once end with what was ready last', async () => {
    const sites = await Promise.all(['0', '1'].map(named))
    const other = openHosts('two')
    let turn = 0
    const listUpstreams = async () => [groupOf(`t${turn}`, sites[turn % 2] ?? (await named('none')))]
    for (turn = 1; turn <= 6; turn++) {
      await Promise.all(
        [hosts, other].map((each) => balanceEdges(app.ctx, each, { server, joining: [A], listUpstreams })),
      )
      expect(await text()).toBe(String(turn % 2))
    }
  })

  test('a machine that has seen higher versions takes the list all the same', async () => {
    const [one, two] = [await named('one'), await named('two')]
    await balance([groupOf('t1', one)])
    // As after the database was restored from a backup.
    await raiseEdgeVersion(app.ctx.db, server.id, { above: 1000 })
    await balance([groupOf('t1', one)])
    await app.ctx.db.updateTable('servers').set({ edge_version: 3 }).where('id', '=', server.id).execute()
    await balance([groupOf('t2', two)], [A])
    expect(await text()).toBe('two')
  })

  once('a task whose port the runtime has forgotten keeps that which an edge knows', async () => {
    const [one, other] = [await named('one'), await named('other')]
    const forgotten = (name: string, address = '127.0.0.1'): ListedGroup => ({
      port: A,
      upstreams: [{ name, address, port: null }],
    })
    const list = (groups: readonly ListedGroup[], joining: readonly number[] = []) =>
      balanceEdges(app.ctx, hosts, { server, joining, listUpstreams: async () => groups })
    await list([groupOf('t1', one)], [A])
    for (const _ of ['first', 'again']) {
      await list([forgotten('t1'), forgotten('t2'), { port: B, upstreams: [] }], [A])
      expect(await text()).toBe('one')
    }
    // Another task, or the same name on another node, has another port.
    await expect(list([forgotten('t1', '127.0.0.2')], [A])).rejects.toThrow('20000 has none')
    await list([groupOf('t3', other)], [A])
    await expect(list([forgotten('t1')], [A])).rejects.toThrow('20000 has none')
  })

  once('what a hostile node names reaches neither HAProxy nor the other upstreams', async () => {
    const one = await named('one')
    const hostile = { name: 't2;shutdown frontend edge', address: '127.0.0.1', port: one.port }
    await balance([groupOf('t1', one), { port: B, upstreams: [hostile] }], [A])
    expect(await text()).toBe('one')
    await expect(balance([{ port: B, upstreams: [hostile] }], [B])).rejects.toThrow('20001 has none')
  })

  once('an event of the server brings its tasks into the balance', async () => {
    const [one, two] = [await named('one'), await named('two')]
    let now = [groupOf('t1', one)]
    const followed = Promise.withResolvers<() => void>()
    const runtime: Pick<Runtime, 'followEvents' | 'listUpstreams'> = {
      followEvents: (_host, _installationId, { onOutput, signal }) =>
        new Promise((resolve) => {
          signal?.addEventListener('abort', () => resolve())
          followed.resolve(() => onOutput?.(Buffer.from('changed\n')))
        }),
      listUpstreams: async () => now,
    }
    const following = followUpstreams(app.ctx, { hosts, runtimeFor: () => runtime })
    following.start()
    const happen = await followed.promise
    happen()
    await until(async () => (await text()) === 'one')
    now = [groupOf('t2', two)]
    happen()
    await until(async () => (await text()) === 'two')
    await following.stop()
  })
})
