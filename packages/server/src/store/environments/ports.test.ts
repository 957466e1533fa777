import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { allocatePorts, claimPorts, deletePorts, listRoutedSlots, releasePorts } from './ports.ts'

describe.each(databases)('ports of a server on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildProject>>
  let one: Awaited<ReturnType<typeof buildEnvironment>>
  let two: Awaited<ReturnType<typeof buildEnvironment>>
  let elsewhere: number

  beforeEach(async () => {
    const owner = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id })
    elsewhere = (await buildServer(app.ctx, organization.id)).id
    one = await buildEnvironment(app.ctx, project)
    two = await buildEnvironment(app.ctx, project)
  })

  const claim = (environmentId: number, ports: number[], serverId = project.serverId) =>
    claimPorts(app.ctx.db, { serverId, environmentId, ports })
  const allocate = async (environmentId: number, services: string[], reserved: number[] = []) => {
    const wanted = { serverId: project.serverId, environmentId, services, slots: ['a'] as const, reserved }
    const ports = await allocatePorts(app.ctx.db, { ...wanted, range: { first: 20_000, last: 20_003 } })
    return ports?.map(({ port }) => port)
  }
  const route = async (environment: { id: number; domain: string }, port: number, serverId = project.serverId) => {
    const ended = { status: 'succeeded', started_at: 1, finished_at: 2 } as const
    const task = await buildTask(app.ctx, environment.id, ended)
    await app.ctx.db.updateTable('tasks').set({ server_id: serverId }).where('id', '=', task.id).execute()
    await app.ctx.db.deleteFrom('routes').where('domain', '=', environment.domain).execute()
    await app.ctx.db.insertInto('routes').values({ domain: environment.domain, port, task_id: task.id }).execute()
  }
  const ofOne = (port: number) => ({ port, environment: one.name, project: project.name })

  test('a port has one environment, and is free again when that lets go of it', async () => {
    expect(await claim(one.id, [3000, 3000, 3001])).toEqual([])
    expect(await claim(one.id, [3001, 3000])).toEqual([])
    expect(await claim(two.id, [2999, 3001, 3000])).toEqual([ofOne(3000), ofOne(3001)])
    await deletePorts(app.ctx.db, { environmentId: one.id, serverId: project.serverId })
    expect(await claim(two.id, [2999, 3001, 3000])).toEqual([])
  })

  test('of two that claim a port at once one has it', async () => {
    const answers = await Promise.all([claim(one.id, [3000]), claim(two.id, [3000])])
    expect(answers.map((taken) => taken.length).sort()).toEqual([0, 1])
  })

  test('another server has its own', async () => {
    await claim(one.id, [3000])
    expect(await claim(two.id, [3000], elsewhere)).toEqual([])
    expect(await claim(one.id, [3000], elsewhere)).toMatchObject([{ environment: two.name }])
  })

  test('what is claimed is not allocated, and what is allocated can be claimed by its environment only', async () => {
    await claim(one.id, [20_000])
    expect(await allocate(two.id, ['web'])).toEqual([20_001])
    expect(await claim(one.id, [20_001])).toMatchObject([{ environment: two.name }])
    expect(await claim(two.id, [20_001])).toEqual([])
    expect(await allocate(two.id, ['web', 'api'], [20_002])).toEqual([20_001, 20_003])
  })

  test('a port that a route leads to is taken, also one from before ports were claimed', async () => {
    await route(one, 20_000)
    expect(await claim(two.id, [20_000])).toEqual([ofOne(20_000)])
    expect(await claim(two.id, [20_000], elsewhere)).toEqual([])
    expect(await allocate(two.id, ['web'])).toEqual([20_001])
    expect(await claim(one.id, [20_000])).toEqual([])
  })

  test('a port that is in use on the server is not allocated, and one that something foreign took is replaced', async () => {
    const wanted = { serverId: project.serverId, environmentId: one.id, services: ['web'], slots: ['a', 'b'] as const }
    const range = { first: 20_000, last: 20_005 }
    const seeing = (inUse: number[], foreign: number[] = inUse) =>
      allocatePorts(app.ctx.db, { ...wanted, range, seen: { inUse: new Set(inUse), foreign: new Set(foreign) } })
    const [a, b] = [20_001, 20_002].map((port, at) => ({ service: 'web', slot: at === 0 ? 'a' : 'b', port }))
    expect(await seeing([20_000])).toEqual([a, b])
    // Its own containers listen.
    expect(await seeing([20_001, 20_002], [])).toEqual([a, b])
    expect(await allocate(two.id, ['web'])).toEqual([20_000])
    const replaced = { ...b, port: 20_003, insteadOf: 20_002 }
    expect(await seeing([20_001, 20_002], [20_002])).toEqual([a, replaced])
    expect(await seeing([20_001, 20_002], [])).toEqual([a, { ...b, port: 20_003 }])
    expect(await seeing([20_001, 20_003, 20_004, 20_005, 20_002])).toBeUndefined()
    // What was replaced is free for others, once nothing uses it.
    expect(await allocate(two.id, ['web', 'api'])).toEqual([20_000, 20_002])
  })

  test('a port that was replaced stays its own while it serves', async () => {
    const wanted = { serverId: project.serverId, environmentId: one.id, services: ['web'], slots: ['a'] as const }
    const range = { first: 20_000, last: 20_005 }
    await allocatePorts(app.ctx.db, { ...wanted, range })
    await route(one, 20_000)
    const seen = { inUse: new Set([20_000]), foreign: new Set([20_000]) }
    expect(await allocatePorts(app.ctx.db, { ...wanted, range, seen })).toMatchObject([
      { port: 20_001, insteadOf: 20_000 },
    ])
    const own = () =>
      app.ctx.db.selectFrom('ports').where('environment_id', '=', one.id).orderBy('port').select('port').execute()
    expect(await own()).toEqual([{ port: 20_000 }, { port: 20_001 }])
    expect(await claim(two.id, [20_000])).toEqual([ofOne(20_000)])
    await route(one, 20_001)
    await releasePorts(app.ctx.db, { environmentId: one.id, serverId: project.serverId })
    expect(await own()).toEqual([{ port: 20_001 }])
  })

  test('released are claims that no route leads to, on that server alone; what was allocated stays', async () => {
    const [allocated = 0] = (await allocate(one.id, ['web'])) ?? []
    await claim(one.id, [3000, 3001])
    await claim(one.id, [3000], elsewhere)
    await claim(two.id, [3002])
    await route(one, 3001)
    await releasePorts(app.ctx.db, { environmentId: one.id, serverId: project.serverId })
    const rows = await app.ctx.db
      .selectFrom('ports')
      .where('environment_id', 'in', [one.id, two.id])
      .orderBy('port')
      .selectAll()
      .execute()
    expect(rows.map(({ port, server_id }) => [port, server_id === elsewhere])).toEqual([
      ...[
        [3000, true],
        [3001, false],
        [3002, false],
      ],
      [allocated, false],
    ])
  })

  test('a claim that serves is no slot of a container', async () => {
    await claim(one.id, [3000])
    await route(one, 3000)
    expect(await listRoutedSlots(app.ctx.db, project.serverId, [one.id])).toEqual([])
  })
})
