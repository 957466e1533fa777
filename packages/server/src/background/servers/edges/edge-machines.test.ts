// The edges of a Swarm with two managers, one of which cannot be reached at times. Each has an HAProxy of its own.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
} from '../../../../test/factories.ts'
import { hasHaproxy } from '../../../../test/haproxy.ts'
import { type HaproxyEdge, openHaproxyEdge } from '../../../../test/haproxy-edge.ts'
import { ask, type Loopback, serve } from '../../../../test/loopback.ts'
import { oneDatabase } from '../../../../test/one-database.ts'
import { createLocalHost } from '../../../../test/processes/local-host.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import type { StepIo } from '../../../deployment/run.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { serverFolderOf } from '../../../domain/server-folder.ts'
import { MAIN_SERVICE } from '../../../domain/service-domains.ts'
import { switchRoutes } from '../../../recipes/switch-routes.ts'
import { type Host, ServerUnreachable } from '../../../remote/host.ts'
import type { Hosts } from '../../../remote/hosts.ts'
import { drainOldVersion } from '../../../runtimes/swarm/removal/clean-up.ts'
import { replaceRoutes } from '../../../store/environments/routes.ts'
import { toServerAddress } from '../../../store/servers/server-addresses.ts'
import { balanceEdges } from './balance-edges.ts'
import { createEdges } from './edges.ts'
import { updateHaproxyEdge } from './update-haproxy-edge.ts'

const [OLD, NEW] = [20_000, 20_001]

describe.skipIf(!hasHaproxy).each(oneDatabase)('the edges of a Swarm ($name)', (source) => {
  let folder: string
  let app: TestApp
  let edges: readonly HaproxyEdge[]
  let sites: readonly Loopback[]
  let isAway: boolean

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shw-'))
    app = await openTestApp(source, { dataFolder: folder })
    isAway = false
    const own = serverFolderOf(app.ctx, { connection: 'ssh' }, '.')
    edges = await Promise.all(
      ['m1', 'm2'].map((name) => openHaproxyEdge({ folder: join(folder, name, own, 'edge'), isBalanced: true })),
    )
    sites = await Promise.all(['old', 'new'].map((name) => serve((_req, res) => res.end(name))))
  })
  afterEach(async () => {
    for (const one of [...edges, ...sites]) await one.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const machine = (hostname: string): Host => createLocalHost(hostname, { HOME: join(folder, hostname) })
  const openHosts = (): Hosts => ({
    of: ({ hostname }) => machine(hostname),
    forLogs: ({ hostname }) => machine(hostname),
    ofManager: ({ hostname }) => ({
      ...machine(hostname),
      run: (command, options) =>
        isAway
          ? Promise.reject(new ServerUnreachable('connect', 'It does not answer'))
          : machine(hostname).run(command, options),
    }),
    publicKey: '',
    forget: () => undefined,
    probe: async () => undefined,
    close: async () => undefined,
  })

  async function build() {
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const row = await buildServer(app.ctx, organization.id, { runtime: 'swarm', hostname: 'm1' })
    for (const hostname of ['m1', 'm2'])
      await app.ctx.db
        .insertInto('server_managers')
        .values({ server_id: row.id, hostname, port: 22, signed_in_at: 1, created_at: 1 })
        .execute()
    const owned = { organizationId: organization.id, ownerId: user.id, serverId: row.id }
    const environment = await buildEnvironment(app.ctx, await buildProject(app.ctx, owned))
    const task = await buildTask(app.ctx, environment.id)
    const lead = (port: number) =>
      app.ctx.change(PLATFORM, (tx) =>
        replaceRoutes(tx, {
          environmentId: environment.id,
          taskId: task.id,
          routes: [{ service: MAIN_SERVICE, domain: environment.domain, port }],
        }),
      )
    const server = { ...toServerAddress(row), edge: 'haproxy' as const }
    const seen = () => Promise.all(edges.map(async ({ port }) => (await ask(port, environment.domain)).text))
    return { server, lead, seen }
  }

  const groups = () =>
    [OLD, NEW].map((port, at) => ({
      port,
      upstreams: [{ name: `t${at}`, address: '127.0.0.1', port: sites[at]?.port ?? 0 }],
    }))

  const openEdges = (hosts: Hosts) =>
    createEdges(app.ctx, {
      hosts,
      refreshEmbedded: async () => undefined,
      runtimeFor: () => ({ listUpstreams: async () => groups() }),
    })

  test('a switch asks a manager again that was left out a moment ago, and names one that it cannot reach', async () => {
    const hosts = openHosts()
    const { server, lead, seen } = await build()
    const switched = openEdges(hosts)
    const balance = (isInsisting: boolean) =>
      balanceEdges(app.ctx, hosts, { server, isInsisting, listUpstreams: async () => groups() })
    await lead(OLD)
    expect(await switched.apply(server)).toEqual([])
    expect(await balance(false)).toEqual([])
    expect(await seen()).toEqual(['old', 'old'])

    isAway = true
    expect(await updateHaproxyEdge(app.ctx, hosts, { server, isForced: true })).toEqual(['m2'])
    isAway = false
    // Regular work leaves it alone for a while.
    expect(await balance(false)).toEqual(['m2'])
    expect(await balance(true)).toEqual([])

    isAway = true
    await lead(NEW)
    expect(await switched.apply(server)).toEqual(['m2'])
    expect(await seen()).toEqual(['new', 'old'])
    isAway = false
    expect(await switched.apply(server)).toEqual([])
    expect(await seen()).toEqual(['new', 'new'])
  })

  test('what a manager that was left out has missed is brought before the old version goes', async () => {
    const hosts = openHosts()
    const { server, lead, seen } = await build()
    const edge = openEdges(hosts)
    await lead(OLD)
    await edge.apply(server)
    await edge.balance(server)
    const said: string[] = []
    const io: StepIo = {
      host: machine('m1'),
      signal: new AbortController().signal,
      say: (line) => void said.push(line),
      warn: (sentence) => void said.push(sentence),
      durably: () => Promise.reject(new Error('Nothing durable is done here')),
    }
    const drain = () =>
      drainOldVersion(
        io,
        { countStreams: (ports) => edge.countStreams(server, ports), retryLeftOut: () => edge.retryLeftOut(server) },
        { deployment: { drainSeconds: 0 }, groups: [OLD] },
      )
    isAway = true
    await lead(NEW)
    await switchRoutes(io, { switchRoutes: () => edge.apply(server) }, { routes: [], visit: undefined })
    await drain()
    expect(said.splice(0)).toEqual([
      'The manager m2 cannot be reached and was left out: visitors who come in through it see an earlier state until it is back',
      'The manager m2 still cannot be reached. What comes in through it gets errors from now on, until it is back',
    ])
    expect(await seen()).toEqual(['new', 'old'])
    isAway = false
    await drain()
    expect(said).toEqual([])
    expect(await seen()).toEqual(['new', 'new'])
  })
})
