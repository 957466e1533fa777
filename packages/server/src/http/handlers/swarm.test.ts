import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildToken,
  buildUser,
} from '../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { serverRegistryContext } from '../../domain/encryption-context.ts'
import { InvalidField, RegistryRefused, ServerNotReached } from '../../domain/errors.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import type { SwarmState } from '../../domain/swarm/swarm-state.ts'
import { takeOver } from '../../operations/servers/swarm/take-over.ts'
import { Secret } from '../../secrets/secret.ts'
import { useManager, claimMachine as writeClaim } from '../../store/servers/machines.ts'
import { toServerAddress } from '../../store/servers/server-addresses.ts'

const TOKEN = `SWMTKN-1-${'a'.repeat(50)}-${'b'.repeat(25)}`
const node = {
  id: 'n'.repeat(25),
  name: 'm1',
  role: 'manager',
  is_leader: true,
  state: 'ready',
  availability: 'active',
  address: '192.0.2.1',
  labels: { zone: 'a' },
  cpus: 2,
  memory_bytes: 4096,
  free_memory_bytes: 1024,
  free_disk_bytes: 2048,
} as const

describe.each(databases)('servers that are a Swarm on $name', (source) => {
  let app: TestApp
  let swarm: SwarmState
  let orders: string[]
  let onCheck: () => Promise<void>
  let onApply: () => Promise<void>
  beforeEach(async () => {
    onCheck = async () => undefined
    onApply = async () => undefined
    swarm = { id: 's'.repeat(25), address: '192.0.2.1', nodes: [node] }
    orders = []
    app = await openTestApp(
      source,
      {},
      {
        swarms: {
          read: async () => swarm,
          setAvailability: async (_server, { id, availability }) => {
            orders.push(`${id} ${availability}`)
            swarm = { ...swarm, nodes: swarm.nodes.map((one) => ({ ...one, availability })) }
          },
          joinToken: async () => new Secret(TOKEN),
          checkRegistry: async ({ name }, { address, password }) => {
            if (password.reveal() === 'wrong') throw RegistryRefused(name, address, 'unauthorized')
          },
        },
        scaleServices: async ({ work, replicas }) => {
          if (work === 'check') return onCheck()
          await onApply()
          for (const [name, count] of replicas) orders.push(`${name}=${count}`)
        },
      },
    )
    return () => app.close()
  })

  async function build() {
    const [admin, member] = [await buildUser(app.ctx), await buildUser(app.ctx)]
    const { id: organizationId } = await buildOrganization(app.ctx, [
      { user: admin, role: 'admin' },
      { user: member, role: 'member' },
    ])
    const server = await buildServer(app.ctx, organizationId, { runtime: 'swarm', hostname: 'm1.example.com' })
    await app.ctx.db
      .insertInto('server_managers')
      .values({ server_id: server.id, hostname: 'm1.example.com', port: 22, created_at: 1 })
      .execute()
    const project = await buildProject(app.ctx, { organizationId, ownerId: admin.id, serverId: server.id })
    const environment = await buildEnvironment(app.ctx, project)
    return { admin, member, organizationId, server, project, environment, path: `/api/servers/${server.id}` }
  }

  const audited = async () =>
    (await app.ctx.db.selectFrom('audit_events').orderBy('id').select(['action', 'fields']).execute()).map(
      ({ action, fields }) => `${action} ${fields}`,
    )

  test('an admin gets the line that joins a worker, and nothing stores or logs its token', async () => {
    const { admin, server, path } = await build()
    const { status, body } = await app.call('POST', `${path}/join`, { as: admin, body: {} })
    expect([status, body]).toEqual([
      200,
      {
        command:
          'curl -fsSL https://ship.example.com/server.sh | sudo sh -s -- --installation test --swarm worker ' +
          `--registry-authority ${Buffer.from(`authority ${server.id}`).toString('base64')} --join ${TOKEN} --manager 192.0.2.1:2377`,
      },
    ])
    expect(await audited()).toEqual(['server.join_line_shown ["worker"]'])
    expect(app.logLines.join('\n')).not.toContain(TOKEN)
    for (const table of ['servers', 'server_nodes', 'server_managers', 'audit_events', 'journal'] as const)
      expect(JSON.stringify(await app.ctx.db.selectFrom(table).selectAll().execute())).not.toContain(TOKEN)
  })

  test('a member gets no line that joins, nor does a token of an admin that is too narrow', async () => {
    const { admin, member, path } = await build()
    const join = (as: { token: string }) => app.call('POST', `${path}/join`, { as, body: {} })
    expect(await join(member)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    const narrow = { token: await buildToken(app.ctx, admin.id, { scopes: 'read deploy vars:write ssh' }) }
    expect(await join(narrow)).toMatchObject({ status: 403, body: { code: 'insufficient_scope', scope: 'admin' } })
    const drain = await app.call('PATCH', `${path}/nodes/${node.id}`, { as: member, body: { availability: 'drain' } })
    expect(drain).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect([orders, await audited()]).toEqual([[], []])
  })

  test('the line for a manager is the set-up line of the server with the token: it can take over', async () => {
    const { admin, server, path } = await build()
    const { body } = await app.call('POST', `${path}/join`, { as: admin, body: { role: 'manager' } })
    expect(body.command).toContain(` --principal ${server.principal} `)
    expect(body.command).toMatch(/ --swarm manager .*--join SWMTKN-1-[ab-]+ --manager 192\.0\.2\.1:2377$/)
  })

  test('a drained node is listed as such at once', async () => {
    const { admin, path } = await build()
    const body = { availability: 'drain' }
    const drained = await app.call('PATCH', `${path}/nodes/${node.id}`, { as: admin, body })
    expect(drained).toMatchObject({ status: 200, body: { name: 'm1', availability: 'drain' } })
    expect(orders).toEqual([`${node.id} drain`])
    const { body: server } = await app.call('GET', path, { as: admin })
    expect(server).toMatchObject({ nodes: [{ ...node, availability: 'drain' }], nodes_seen_at: expect.any(String) })
    expect(await audited()).toEqual(['server.node_drained ["m1"]'])
    const unknown = await app.call('PATCH', `${path}/nodes/${'x'.repeat(25)}`, { as: admin, body })
    expect([unknown.status, orders.length]).toEqual([404, 1])
  })

  test('a machine that is in another Swarm than before is not believed', async () => {
    const { admin, path } = await build()
    await app.call('POST', `${path}/join`, { as: admin, body: {} })
    swarm = { ...swarm, id: 'z'.repeat(25), nodes: [] }
    expect(await app.call('POST', `${path}/join`, { as: admin, body: {} })).toMatchObject({
      status: 409,
      body: { code: 'not_a_swarm' },
    })
    expect((await app.call('GET', path, { as: admin })).body.nodes).toHaveLength(1)
  })

  test('a Swarm has one record, and whose the other one is stays unsaid', async () => {
    const [first, second] = [await build(), await build()]
    const check = async ({ admin, path }: typeof first) =>
      (await app.call('POST', `${path}/check`, { as: admin })).body.checks.at(-1)
    expect(await check(first)).toMatchObject({ name: 'swarm', status: 'ok', message: 'It manages a Swarm. Nodes: 1' })
    const refused = await check(second)
    expect(refused).toMatchObject({
      name: 'swarm',
      status: 'failed',
      message: expect.stringMatching(/is a server here/),
    })
    expect(refused.message).not.toContain(first.server.name)
    expect(await app.call('POST', `${second.path}/join`, { as: second.admin, body: {} })).toMatchObject({
      status: 409,
      body: { code: 'in_use' },
    })
    await app.ctx.db.deleteFrom('project_servers').where('server_id', '=', first.server.id).execute()
    await app.ctx.db.deleteFrom('environments').where('server_id', '=', first.server.id).execute()
    expect((await app.call('DELETE', first.path, { as: first.admin })).status).toBe(204)
    expect(await check(second)).toMatchObject({ name: 'swarm', status: 'ok' })
  })

  test('managers are named by an admin, and the one in use stays among them', async () => {
    const { admin, path } = await build()
    const change = (managers: object[]) => app.call('PATCH', path, { as: admin, body: { managers } })
    const [first, second] = [{ hostname: 'm1.example.com' }, { hostname: 'm2.example.com', port: 2222 }]
    expect((await change([first, second])).body.managers).toEqual([
      { hostname: 'm1.example.com', port: 22, host_key: null, in_use: true, signed_in: false },
      { hostname: 'm2.example.com', port: 2222, host_key: null, in_use: false, signed_in: false },
    ])
    expect(await change([second])).toMatchObject({ status: 422, body: { errors: [{ pointer: '/managers' }] } })
    expect(await change([first, second, second])).toMatchObject({ status: 422 })
    expect(await change([first, { hostname: '10.0.0.7' }])).toMatchObject({
      status: 422,
      body: { errors: [{ code: 'network_not_allowed' }] },
    })
    expect((await change([first])).body.managers).toHaveLength(1)
  })

  test('the password of a registry is sealed, and in no answer', async () => {
    const { admin, server, path } = await build()
    const registry = { address: 'registry.example.com:5000', username: 'ci', password: 'a-registry-password' }
    const { body, text } = await app.call('PATCH', path, { as: admin, body: { registry } })
    expect(body.registry).toEqual({ address: registry.address, username: 'ci' })
    expect(text).not.toContain(registry.password)
    const row = await app.ctx.db.selectFrom('servers').where('id', '=', server.id).selectAll().executeTakeFirstOrThrow()
    const sealed = row.registry_password_sealed ?? ''
    expect(sealed).not.toContain(registry.password)
    const opened = app.ctx.box.open(sealed, serverRegistryContext(server.id))
    expect(opened.reveal()).toBe(registry.password)
    expect((await app.call('PATCH', path, { as: admin, body: { registry: null } })).body.registry).toBeNull()
    expect(await audited()).toEqual(['server.updated ["registry"]', 'server.updated ["registry"]'])
    const wrong = { ...registry, password: 'wrong' }
    const refused = await app.call('PATCH', path, { as: admin, body: { registry: wrong } })
    expect(refused.body).toMatchObject({ code: 'registry_refused', detail: expect.stringContaining('unauthorized') })
    const bad = { ...registry, address: 'acme/images' }
    expect(await app.call('PATCH', path, { as: admin, body: { registry: bad } })).toMatchObject({ status: 422 })
  })

  test.each([
    ['username', 'a\0b'],
    ['username', 'a\r\nb'],
    ['username', 'a:b'],
    ['username', '\ud800'],
    ['password', 'a\0b'],
    ['password', '\ud800'],
  ])('the %s of a registry is not %j', async (field, text) => {
    const { admin, path } = await build()
    const registry = { address: 'registry.example.com', username: 'ci', password: 'a-registry-password', [field]: text }
    const { status, body } = await app.call('PATCH', path, { as: admin, body: { registry } })
    expect([status, body.errors]).toMatchObject([422, [{ pointer: `/registry/${field}`, code: `invalid_${field}` }]])
  })

  test('a server that is one machine has no nodes, managers or join line', async () => {
    const { admin, organizationId } = await build()
    const { id } = await buildServer(app.ctx, organizationId)
    const path = `/api/servers/${id}`
    const refused = { status: 409, body: { code: 'not_a_swarm' } }
    expect(await app.call('POST', `${path}/join`, { as: admin, body: {} })).toMatchObject(refused)
    expect(await app.call('PATCH', path, { as: admin, body: { registry: null } })).toMatchObject(refused)
  })

  describe('the manager in use is lost', () => {
    const keys = ['ssh-ed25519 AAAAkey1', 'ssh-ed25519 AAAAkey2'] as const

    async function buildPair() {
      const built = await build()
      const { admin, path, server } = built
      const managers = [{ hostname: 'm1.example.com' }, { hostname: 'm2.example.com' }]
      await app.call('PATCH', path, { as: admin, body: { managers } })
      const address = toServerAddress(server)
      const claim = (hostname: string, hostKey: string) =>
        app.ctx.change(PLATFORM, (tx) => writeClaim(tx, { server: { ...address, hostname }, hostKey, at: 5 }))
      return { ...built, address, claim }
    }

    test('another takes over that the platform has signed in to, with its key and the ports of the Swarm', async () => {
      const { admin, path, address, claim, environment, server } = await buildPair()
      expect([await claim('m1.example.com', keys[0]), await claim('m2.example.com', keys[1])]).toEqual(['own', 'own'])
      const machine = async () =>
        (
          await app.ctx.db
            .selectFrom('servers')
            .where('id', '=', server.id)
            .select('machine_id')
            .executeTakeFirstOrThrow()
        ).machine_id
      const port = { port: 20_001, server_id: server.id, environment_id: environment.id, service: 'web' }
      await app.ctx.db
        .insertInto('ports')
        .values({ ...port, machine_id: await machine() })
        .execute()
      const to = { hostname: 'm2.example.com', port: 22 }
      expect(await takeOver(app.ctx, { server: address, to })).toBe(true)
      const { body } = await app.call('GET', path, { as: admin })
      expect(body).toMatchObject({ hostname: 'm2.example.com', host_key: keys[1], needs_setup: false })
      expect(body.managers).toMatchObject([{ in_use: false, signed_in: true }, { in_use: true }])
      const ports = await app.ctx.db.selectFrom('ports').selectAll().execute()
      expect(ports).toMatchObject([{ port: 20_001, machine_id: await machine() }])
      expect(await audited()).toContain('server.manager_replaced ["m2.example.com"]')
      // The record has changed: a second process that saw the same loss changes nothing.
      expect(await takeOver(app.ctx, { server: address, to: { hostname: 'm1.example.com', port: 22 } })).toBe(false)
      expect(await claim('m2.example.com', keys[1])).toBe('own')
    })

    test('a named manager that was never connected takes nothing over, and a wrong key connects to none', async () => {
      const { address, claim } = await buildPair()
      await claim('m1.example.com', keys[0])
      const to = { hostname: 'm2.example.com', port: 22 }
      expect(await takeOver(app.ctx, { server: address, to })).toBe(false)
      expect(await claim('m2.example.com', keys[1])).toBe('own')
      const { hostKey } = { hostKey: keys[1] }
      const stranger = { ...address, hostname: 'm2.example.com', hostKey }
      const other = app.ctx.change(PLATFORM, (tx) =>
        writeClaim(tx, { server: stranger, hostKey: 'ssh-ed25519 AAAAx', at: 6 }),
      )
      expect(await other).toBe('changed')
      expect(await claim('m3.example.com', 'ssh-ed25519 AAAAz')).toBe('changed')
    })

    test('a manager that is a machine of another organization is never met, nor is one of another record used', async () => {
      const { address, claim, server, organizationId } = await buildPair()
      const others = await build()
      const foreign = toServerAddress(others.server)
      await app.ctx.change(PLATFORM, (tx) => writeClaim(tx, { server: foreign, hostKey: keys[1], at: 4 }))
      expect(await claim('m2.example.com', keys[1])).toBe('foreign')
      const own = await buildServer(app.ctx, organizationId, { hostname: 'other.example.com' })
      const third = 'ssh-ed25519 AAAAkey3'
      await app.ctx.change(PLATFORM, (tx) => writeClaim(tx, { server: toServerAddress(own), hostKey: third, at: 4 }))
      expect(await claim('m2.example.com', third)).toBe('own')
      const used = app.ctx.change(PLATFORM, (tx) =>
        useManager(tx, { serverId: server.id, from: address, to: { hostname: 'm2.example.com', port: 22 } }),
      )
      expect(await used).toBe(false)
    })
  })

  describe('scaling', () => {
    async function buildLive() {
      const built = await build()
      await buildTask(app.ctx, built.environment.id, { status: 'succeeded', finished_at: app.ctx.clock() })
      for (const name of ['web', 'worker'])
        await app.ctx.db
          .insertInto('services')
          .values({
            environment_id: built.environment.id,
            name,
            route: null,
            state: 'running',
            since: 1,
            exit_code: null,
            last_lines: null,
            checked_task_id: null,
          })
          .execute()
      const scale = (services: object, as: { token: string } = built.member) =>
        app.call('PUT', `/api/environments/${built.environment.id}/scale`, { as, body: { services } })
      return { ...built, scale }
    }

    test('a member scales: at once, and for later deployments', async () => {
      const { scale, environment, member } = await buildLive()
      const scaled = {
        environment_id: environment.id,
        services: [
          { name: 'web', replicas: 5 },
          { name: 'worker', replicas: null },
        ],
      }
      expect(await scale({ web: 5 })).toMatchObject({ status: 200, body: scaled })
      expect((await app.call('GET', `/api/environments/${environment.id}/scale`, { as: member })).body).toEqual(scaled)
      expect(orders).toEqual(['web=5'])
      expect(await audited()).toEqual(['environment.scaled ["web=5"]'])
      expect((await scale({ web: null })).body.services[0]).toEqual({ name: 'web', replicas: null })
      expect(orders).toEqual(['web=5'])
    })

    test('a deployment that is queued while the server is asked refuses the numbers before it scales', async () => {
      const { scale, environment } = await buildLive()
      onCheck = async () => {
        await buildTask(app.ctx, environment.id, { status: 'queued' })
      }
      expect(await scale({ web: 5 })).toMatchObject({ status: 409, body: { code: 'deployment_in_progress' } })
      expect(orders).toEqual([])
      expect(await audited()).toEqual([])
    })

    test('a deployment that is queued while the Swarm scales has the numbers', async () => {
      const { scale, environment, member } = await buildLive()
      onApply = async () => {
        await buildTask(app.ctx, environment.id, { status: 'queued' })
        const { body } = await app.call('GET', `/api/environments/${environment.id}/scale`, { as: member })
        expect(body.services[0]).toEqual({ name: 'web', replicas: 5 })
      }
      expect(await scale({ web: 5 })).toMatchObject({ status: 200 })
      expect(orders).toEqual(['web=5'])
    })

    test('numbers that the server refuses are not kept; ones that could not be sent are kept, and the answer says so', async () => {
      const { scale, environment, member } = await buildLive()
      const kept = async () =>
        (await app.call('GET', `/api/environments/${environment.id}/scale`, { as: member })).body.services[0].replicas
      onCheck = async () => {
        throw InvalidField('/services', 'cannot_scale', 'web cannot run more than once')
      }
      expect(await scale({ web: 5 })).toMatchObject({ status: 422, body: { errors: [{ code: 'cannot_scale' }] } })
      expect(await kept()).toBeNull()
      onCheck = async () => undefined
      onApply = async () => {
        throw ServerNotReached('connect', 'The server m1 does not answer')
      }
      const refused = await scale({ web: 5 })
      expect(refused).toMatchObject({
        body: { code: 'server_unreachable', detail: expect.stringContaining('does not answer. The numbers are kept') },
      })
      expect(await kept()).toBe(5)
      expect(await audited()).toEqual(['environment.scaled ["web=5"]'])
    })

    test('of two requests at once, the Swarm keeps the numbers that were recorded last', async () => {
      const { scale } = await buildLive()
      let isFirst = true
      onApply = async () => {
        if (!isFirst) return
        isFirst = false
        await scale({ web: 3 })
      }
      expect(await scale({ web: 5 })).toMatchObject({ status: 200, body: { services: [{ replicas: 3 }, {}] } })
      expect(orders).toEqual(['web=3', 'web=5', 'web=3'])
    })

    test('what cannot be scaled is refused before anything changes', async () => {
      const { scale, environment, admin, member, organizationId } = await buildLive()
      expect(await scale({ db: 2 })).toMatchObject({ status: 422, body: { errors: [{ code: 'unknown_service' }] } })
      expect(await scale({ web: 0 })).toMatchObject({ status: 422 })
      expect(await scale({ web: 101 })).toMatchObject({ status: 422 })
      await app.ctx.db.updateTable('environments').set({ is_protected: 1 }).where('id', '=', environment.id).execute()
      const other = environment.owner_id === member.id ? admin : member
      expect(await scale({ web: 2 }, other)).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
      await app.ctx.db.updateTable('environments').set({ is_protected: 0 }).where('id', '=', environment.id).execute()
      const { id } = await buildTask(app.ctx, environment.id, { status: 'queued' })
      expect(await scale({ web: 2 })).toMatchObject({ status: 409, body: { code: 'deployment_in_progress' } })
      await app.ctx.db.deleteFrom('tasks').where('id', '=', id).execute()
      const machine = await buildServer(app.ctx, organizationId)
      await app.ctx.db
        .updateTable('environments')
        .set({ server_id: machine.id })
        .where('id', '=', environment.id)
        .execute()
      expect(await scale({ web: 2 })).toMatchObject({ status: 409, body: { code: 'not_a_swarm' } })
      expect(orders).toEqual([])
      expect(await app.ctx.db.selectFrom('service_replicas').selectAll().execute()).toEqual([])
    })
  })
})
