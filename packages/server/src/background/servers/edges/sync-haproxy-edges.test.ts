import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
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
import { hasSshd, loopbackServers, startSshd } from '../../../../test/sshd.ts'
import { onFirst } from '../../../../test/stage/on-first.ts'
import { until } from '../../../../test/steps.ts'
import { openTestApp, type TestApp } from '../../../../test/test-app.ts'
import { environmentPasswordContext } from '../../../domain/encryption-context.ts'
import { PLATFORM } from '../../../domain/people/actor.ts'
import { MAIN_SERVICE } from '../../../domain/service-domains.ts'
import { createHosts, type Hosts } from '../../../remote/hosts.ts'
import { createSshAuthority, generateSshAuthorityKey } from '../../../remote/ssh/ssh-authority.ts'
import { Secret } from '../../../secrets/secret.ts'
import { listServiceRoutes, replaceRoutes } from '../../../store/environments/routes.ts'
import { toServerAddress } from '../../../store/servers/server-addresses.ts'
import { createServerJobs, type ServerJobs } from '../jobs/server-jobs.ts'
import { syncHaproxyEdges } from './sync-haproxy-edges.ts'
import { updateHaproxyEdge } from './update-haproxy-edge.ts'

describe.skipIf(!hasHaproxy || !hasSshd).each(databases)('edges on servers ($name)', (source) => {
  const once = onFirst(source)
  const authority = createSshAuthority(generateSshAuthorityKey())
  let folder: string
  let app: TestApp
  let hosts: Hosts
  let serverJobs: ServerJobs
  let site: Loopback
  const opened: { close(): Promise<void> }[] = []

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'shw-'))
    app = await openTestApp(source, { dataFolder: folder })
    hosts = createHosts({ folder, authority, ...loopbackServers })
    serverJobs = createServerJobs(app.ctx, hosts, { now: app.ctx.clock })
    site = await serve((req, res) => res.writeHead(req.url === '/500' ? 500 : 200).end('site'))
  })
  afterEach(async () => {
    for (const one of opened.splice(0)) await one.close()
    await serverJobs.stop()
    await site.close()
    await hosts.close()
    await app.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const keep = <One extends { close(): Promise<void> }>(one: One): One => {
    opened.push(one)
    return one
  }
  const localEdge = async (): Promise<HaproxyEdge> =>
    keep(await openHaproxyEdge({ folder: join(folder, 'server', 'test', 'edge') }))

  /** A server with one environment on it. */
  async function build(overrides: Parameters<typeof buildServer>[2] = {}) {
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const row = await buildServer(app.ctx, organization.id, { connection: 'local', ...overrides })
    const project = await buildProject(app.ctx, {
      organizationId: organization.id,
      ownerId: user.id,
      serverId: row.id,
    })
    const environment = await buildEnvironment(app.ctx, project)
    const task = await buildTask(app.ctx, environment.id)
    const server = toServerAddress(row)
    const lead = async (port: number): Promise<void> => {
      const routes = [{ service: MAIN_SERVICE, domain: environment.domain, port }]
      await app.ctx.change(PLATFORM, (tx) =>
        replaceRoutes(tx, { environmentId: environment.id, taskId: task.id, routes }),
      )
    }
    return { user, project, server, environment, task, lead }
  }

  const versionOf = async (serverId: number): Promise<number> =>
    (await app.ctx.db.selectFrom('servers').where('id', '=', serverId).select('edge_version').executeTakeFirstOrThrow())
      .edge_version

  once('a sync brings routes and passwords, and what has not changed costs no new state', async () => {
    const edge = await localEdge()
    const { server, environment, lead } = await build()
    const served = syncHaproxyEdges(app.ctx, { hosts, serverJobs })
    await served.runOnce()
    expect((await ask(edge.port, environment.domain)).status).toBe(503)
    await lead(site.port)
    await served.runOnce()
    expect((await ask(edge.port, environment.domain)).text).toBe('site')
    const version = await versionOf(server.id)
    await served.runOnce()
    app.moveClock(61_000)
    await served.runOnce()
    expect(await versionOf(server.id)).toBe(version)
    const sealed = app.ctx.box.seal(new Secret('secret'), environmentPasswordContext(environment.id))
    const change = { basic_auth_username: 'ada', basic_auth_password_sealed: sealed }
    await app.ctx.db.updateTable('environments').set(change).where('id', '=', environment.id).execute()
    await served.runOnce()
    expect((await ask(edge.port, environment.domain)).status).toBe(401)
    const headers = { authorization: `Basic ${btoa('ada:secret')}` }
    expect((await ask(edge.port, environment.domain, { headers })).status).toBe(200)
  })

  once('a route whose visitors stay with one upstream says so at the edge, also when it is brought back', async () => {
    const edge = await localEdge()
    const { server, environment, task } = await build()
    const routes = [{ service: MAIN_SERVICE, domain: environment.domain, port: 20_000, isSticky: true }]
    const of = { environmentId: environment.id, taskId: task.id }
    await app.ctx.change(PLATFORM, (tx) => replaceRoutes(tx, { ...of, routes }))
    const earlier = await listServiceRoutes(app.ctx.db, environment.id)
    expect(earlier.routes).toMatchObject([{ port: 20_000, isSticky: true }])
    await app.ctx.change(PLATFORM, (tx) => replaceRoutes(tx, { ...of, routes: earlier.routes, isBroughtBack: true }))
    await updateHaproxyEdge(app.ctx, hosts, { server })
    expect(readFileSync(join(edge.folder, 'routes.map'), 'utf8')).toMatch(/^\S+ 20000:\d+:none:http:sticky\n$/)
  })

  once('a change that is announced reaches the server without a further word', async () => {
    const edge = await localEdge()
    const { environment, lead } = await build()
    const served = syncHaproxyEdges(app.ctx, { hosts, serverJobs })
    served.start()
    keep({ close: async () => served.stop() })
    await until(async () => (await ask(edge.port, environment.domain)).status === 503)
    await lead(site.port)
    app.ctx.bus.announce([{ about: 'routes' }])
    await until(async () => (await ask(edge.port, environment.domain)).status === 200)
  })

  test('a caller that applies the edge of a server finds it changed; so do many at once', async () => {
    const edge = await localEdge()
    const { server, environment, lead } = await build()
    await lead(site.port)
    await Promise.all(Array.from({ length: 5 }, () => updateHaproxyEdge(app.ctx, hosts, { server, isForced: true })))
    expect((await ask(edge.port, environment.domain)).text).toBe('site')
    expect(await versionOf(server.id)).toBeLessThan(5)
  })

  test('records that were put back from a copy are brought all the same', async () => {
    const edge = await localEdge()
    const { server, environment, lead } = await build()
    writeFileSync(join(edge.folder, 'version'), '5000\n')
    await lead(site.port)
    await updateHaproxyEdge(app.ctx, hosts, { server, isForced: true })
    expect((await ask(edge.port, environment.domain)).text).toBe('site')
    expect(await versionOf(server.id)).toBe(5001)
  })

  once('a change made on the server by hand is corrected within a minute', async () => {
    const edge = await localEdge()
    const { environment, lead } = await build()
    await lead(site.port)
    const served = syncHaproxyEdges(app.ctx, { hosts, serverJobs })
    await served.runOnce()
    await edge.say(`clear map ${edge.folder}/routes.map`)
    app.moveClock(61_000)
    await served.runOnce()
    expect((await ask(edge.port, environment.domain)).text).toBe('site')
  })

  once('a password that cannot be opened closes its environment and touches no other', async () => {
    const edge = await localEdge()
    const { project, environment, lead } = await build()
    const other = await buildEnvironment(app.ctx, project)
    const task = await buildTask(app.ctx, other.id)
    const routes = [{ service: MAIN_SERVICE, domain: other.domain, port: site.port }]
    await app.ctx.change(PLATFORM, (tx) => replaceRoutes(tx, { environmentId: other.id, taskId: task.id, routes }))
    await lead(site.port)
    const change = { basic_auth_username: 'ada', basic_auth_password_sealed: 'garbage' }
    await app.ctx.db.updateTable('environments').set(change).where('id', '=', environment.id).execute()
    await syncHaproxyEdges(app.ctx, { hosts, serverJobs }).runOnce()
    expect((await ask(edge.port, environment.domain)).status).toBe(401)
    expect((await ask(edge.port, other.domain)).status).toBe(200)
  })

  once('a server that cannot be reached is named once, and the others get their routes', async () => {
    const edge = await localEdge()
    const { environment, lead } = await build()
    const away = await build({ connection: 'ssh', hostname: '127.0.0.1', port: 1 })
    await lead(site.port)
    const served = syncHaproxyEdges(app.ctx, { hosts, serverJobs })
    for (let turn = 0; turn < 3; turn++) {
      await served.runOnce()
      app.moveClock(600_000)
    }
    expect((await ask(edge.port, environment.domain)).text).toBe('site')
    const warnings = app.logLines.filter((line) => line.includes('unreachable'))
    expect(warnings.map((line) => JSON.parse(line).server)).toEqual([away.server.id])
    await expect(updateHaproxyEdge(app.ctx, hosts, { server: away.server, isForced: true })).rejects.toThrow()
  })

  once('where HAProxy does not run, the files are written and the caller gets the reason', async () => {
    const edge = await localEdge()
    const { server, environment, lead } = await build()
    await edge.stop()
    await lead(site.port)
    await expect(updateHaproxyEdge(app.ctx, hosts, { server, isForced: true })).rejects.toThrow('HAProxy does not run')
    expect(readFileSync(join(edge.folder, 'routes.map'), 'utf8')).toContain(`${environment.domain} ${site.port}:`)
    await edge.start()
    await updateHaproxyEdge(app.ctx, hosts, { server, isForced: true })
    expect((await ask(edge.port, environment.domain)).text).toBe('site')
  })

  once('over ssh the edge lies in the home of the user, and its traffic can be read from the API', async () => {
    const home = mkdtempSync(join(tmpdir(), 'shw-home-'))
    const edge = keep(await openHaproxyEdge({ folder: join(home, '.shipway', 'test', 'edge') }))
    const sshd = await startSshd({ authorityKey: authority.publicKey, server: { home } })
    keep({ close: sshd.stop })
    const { port, hostname, unixUser, principal } = sshd.address()
    const { user, environment, lead } = await build({
      connection: 'ssh',
      hostname,
      port,
      unix_user: unixUser,
      principal,
    })
    const traffic = async () =>
      (await app.call('GET', `/api/environments/${environment.id}/traffic`, { as: user })).body
    expect(await traffic()).toEqual({ environment_id: environment.id, requests: 0, errors: 0, since: null })
    await lead(site.port)
    const served = syncHaproxyEdges(app.ctx, { hosts, serverJobs })
    await served.runOnce()
    for (const path of ['/', '/500', '/']) await ask(edge.port, environment.domain, { path })
    app.moveClock(15_000)
    await served.runOnce()
    expect(await traffic()).toEqual({
      environment_id: environment.id,
      requests: 3,
      errors: 1,
      since: expect.stringMatching(/^20\d\d-.*Z$/),
    })
    rmSync(home, { recursive: true, force: true })
  })
})
