import { type Kysely, sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildServer, buildUser } from '../../../test/factories.ts'
import { buildPorts } from '../../../test/machine-records.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { claimMachine } from '../../operations/servers/claim-machine.ts'
import { allocatePorts, claimPorts } from '../environments/ports.ts'
import { listServerRoutes, raiseEdgeVersion } from '../environments/routes.ts'
import type { Tables } from '../tables/tables.ts'
import { findOwnMachine, isMachineOfOthers, separateFromMachine } from './machines.ts'
import { deleteServer, lockServer } from './servers.ts'

type Server = Awaited<ReturnType<typeof buildServer>>

describe.each(databases)('machines on $name', (source) => {
  const app = stageApp(source)
  let organizationId: number
  let ownerId: number
  let others: number
  let key: string
  let count = 0

  beforeEach(async () => {
    key = `ssh-ed25519 AAAA${++count}`
    const owner = await buildUser(app.ctx)
    ownerId = owner.id
    organizationId = (await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])).id
    others = (await buildOrganization(app.ctx)).id
  })

  const unmet = { signed_in_at: null, host_key: null }
  const build = (organization = organizationId) => buildServer(app.ctx, organization, unmet)
  const meet = (row: Server, hostKey = key) =>
    claimMachine(app.ctx, { server: { ...row, hostKey: row.host_key }, hostKey, at: 5 })
  const rowOf = ({ id }: Server) =>
    app.ctx.db.selectFrom('servers').where('id', '=', id).selectAll().executeTakeFirstOrThrow()
  const machinesWithKey = () => app.ctx.db.selectFrom('machines').where('host_key', '=', key).selectAll().execute()
  const environmentOn = async (serverId: number) => {
    const project = await buildProject(app.ctx, { organizationId, ownerId, serverId })
    return buildEnvironment(app.ctx, project)
  }
  const allocate = async (server: Server, environmentId: number) => {
    const range = { first: 20_000, last: 20_009 }
    const wanted = { serverId: server.id, environmentId, services: ['web'], slots: ['a'] as const, range }
    return (await allocatePorts(app.ctx.db, wanted))?.[0]?.port
  }

  test('the first sign-in pins the key and makes the machine its own, and later ones change nothing', async () => {
    const server = await build()
    expect(await meet(server)).toBe('own')
    expect(await rowOf(server)).toMatchObject({ host_key: key, signed_in_at: 5, machine_id: server.machine_id })
    expect(await machinesWithKey()).toMatchObject([{ id: server.machine_id, organization_id: organizationId }])
    expect(await claimMachine(app.ctx, { server: { ...server, hostKey: key }, hostKey: key, at: 9 })).toBe('own')
    expect(await rowOf(server)).toMatchObject({ signed_in_at: 5 })
  })

  test('of another organization is refused, and nothing of it is written down', async () => {
    await meet(await build())
    const strange = await build(others)
    expect(await meet(strange)).toBe('foreign')
    expect(await rowOf(strange)).toMatchObject(unmet)
    expect(await isMachineOfOthers(app.ctx.db, { organizationId: others, hostKey: key })).toBe(true)
    expect(await isMachineOfOthers(app.ctx.db, { organizationId, hostKey: key })).toBe(false)
  })

  test('a key that is only named has no owner', async () => {
    await buildServer(app.ctx, others, { ...unmet, host_key: key })
    expect(await isMachineOfOthers(app.ctx.db, { organizationId, hostKey: key })).toBe(false)
    expect(await meet(await build())).toBe('own')
  })

  test('of two organizations at once one gets it', async () => {
    const servers = [await build(), await build(others), await build(), await build(others)]
    const claims = await Promise.all(servers.map((server) => meet(server)))
    expect(claims.toSorted()).toEqual(['foreign', 'foreign', 'own', 'own'])
    expect(claims[0]).toBe(claims[2])
    expect(await machinesWithKey()).toHaveLength(1)
  })

  test('is released when its last server is deleted', async () => {
    const [one, two, strange] = [await build(), await build(), await build(others)]
    await meet(one)
    await meet(two)
    await app.ctx.change(PLATFORM, (tx) => deleteServer(tx, one.id))
    expect(await meet(strange)).toBe('foreign')
    await app.ctx.change(PLATFORM, (tx) => deleteServer(tx, two.id))
    expect(await machinesWithKey()).toEqual([])
    expect(await meet(strange)).toBe('own')
  })

  test('a record that was changed while the platform connected proves nothing', async () => {
    const server = await build()
    expect(await meet({ ...server, port: 2222 })).toBe('changed')
    expect(await meet({ ...server, hostname: 'elsewhere.example.com' })).toBe('changed')
    expect(await rowOf(server)).toMatchObject(unmet)
    await meet(server)
    expect(await meet(server, 'ssh-ed25519 BBBB')).toBe('changed')
    const pinned = await rowOf(server)
    await app.ctx.db.updateTable('servers').set(unmet).where('id', '=', server.id).execute()
    expect(await meet(pinned)).toBe('changed')
  })

  test('two servers of an organization that are one machine share its ports', async () => {
    const [one, two] = [await build(), await build()]
    const [first, second] = [await environmentOn(one.id), await environmentOn(two.id)]
    await meet(one)
    expect(await allocate(one, first.id)).toBe(20_000)
    // Allocated as if it were another machine, before it was known to be the same.
    await buildPorts(app.ctx, two.id, [
      { environment_id: second.id, service: 'web', port: 20_000 },
      { environment_id: second.id, service: 'api', port: 20_001 },
    ])
    await meet(two)
    expect((await rowOf(two)).machine_id).toBe(one.machine_id)
    expect(await allocate(two, second.id)).toBe(20_002)
    const taken = await claimPorts(app.ctx.db, { serverId: one.id, environmentId: first.id, ports: [20_001, 20_002] })
    expect(taken.map(({ port }) => port)).toEqual([20_001, 20_002])
    await expect(
      buildPorts(app.ctx, two.id, [{ environment_id: second.id, service: 'x', port: 20_000 }]),
    ).rejects.toThrow()
  })

  test('two such servers have one edge: each brings it the domains of both, and states are counted together', async () => {
    const [one, two] = [await build(), await build()]
    const [first, second] = [await environmentOn(one.id), await environmentOn(two.id)]
    await meet(one)
    const domainsOf = async ({ id }: Server) =>
      (await listServerRoutes(app.ctx.db, id)).map(({ domain }) => domain).sort()
    expect(await domainsOf(one)).toEqual([first.domain])
    await meet(two)
    const both = [first.domain, second.domain].sort()
    expect([await domainsOf(one), await domainsOf(two)]).toEqual([both, both])
    const count = ({ id }: Server) => app.ctx.db.transaction().execute((db) => raiseEdgeVersion(db, id))
    expect([await count(one), await count(two), await count(one)]).toEqual([1, 2, 3])
    expect((await Promise.all([count(one), count(two), count(one)])).toSorted()).toEqual([4, 5, 6])
  })

  test('of two environments on two such servers that ask at once each gets a port of its own', async () => {
    const [one, two] = [await build(), await build()]
    const [first, second] = [await environmentOn(one.id), await environmentOn(two.id)]
    await meet(one)
    await meet(two)
    const ports = await Promise.all([allocate(one, first.id), allocate(two, second.id)])
    expect(ports.toSorted()).toEqual([20_000, 20_001])
  })

  test('versions of the edge and allocation of ports wait for each other, without deadlock', async () => {
    const server = await build()
    await meet(server)
    let counting: Promise<number | undefined> | undefined
    await app.ctx.db.transaction().execute(async (db) => {
      await lockServer(db, server.id)
      counting = app.ctx.db.transaction().execute((other) => raiseEdgeVersion(other, server.id))
      if (source.name === 'postgres') await expect.poll(() => countWaiting(app.ctx.db)).toBe(1)
      await sql`update machines set id = id where id = ${server.machine_id}`.execute(db)
    })
    expect(await counting).toBe(1)
  })

  test('a server whose host key is changed begins anew with its ports, and its fellow stays', async () => {
    const [one, two] = [await build(), await build()]
    const [first, second] = [await environmentOn(one.id), await environmentOn(two.id)]
    await meet(one)
    await meet(two)
    await allocate(one, first.id)
    await allocate(two, second.id)
    await app.ctx.change(PLATFORM, (tx) => separateFromMachine(tx, one.id))
    expect((await rowOf(one)).machine_id).not.toBe((await rowOf(two)).machine_id)
    expect(await allocate(one, first.id)).toBe(20_000)
    expect(await meet(await build(others))).toBe('foreign')
    await app.ctx.change(PLATFORM, (tx) => separateFromMachine(tx, two.id))
    expect(await meet(await build(others))).toBe('own')
  })

  test("the platform's own machine is one, however many servers it is", async () => {
    const local = { connection: 'local', edge: 'embedded' } as const
    const servers = [await buildServer(app.ctx, organizationId, local), await buildServer(app.ctx, others, local)]
    const own = await findOwnMachine(app.ctx.db)
    expect(servers.map(({ machine_id }) => machine_id)).toEqual([own, own])
    for (const server of servers) await app.ctx.change(PLATFORM, (tx) => deleteServer(tx, server.id))
    expect(await findOwnMachine(app.ctx.db)).toBe(own)
  })

  test.each([
    ['a server without a principal', { principal: '' }],
    ['two servers with one principal', { principal: `shipway-1-${'0'.repeat(32)}` }],
    ['the edge inside the platform for another machine', { edge: 'embedded' }],
  ] as const)('the database itself refuses %s', async (_, values) => {
    const twice = async () => {
      await buildServer(app.ctx, organizationId, values)
      await buildServer(app.ctx, organizationId, values)
    }
    await expect(twice()).rejects.toThrow(/constraint/i)
  })
})

/** Transactions that wait for another one. Not asked within one, which would see the same all the time. */
async function countWaiting(db: Kysely<Tables>): Promise<number | undefined> {
  const { rows } = await sql<{ waiting: number }>`
    select count(*) as waiting from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`.execute(db)
  return rows[0]?.waiting
}
