// What the records say of an environment that was moved: what leads to the old server stays there until its routes are switched.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildCertificate,
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import { listDueOrders } from '../projects/certificate-orders.ts'
import { listSecureDomains } from '../projects/certificates.ts'
import { listWantedCertificates, replaceInstalledCertificates } from '../projects/installed-certificates.ts'
import { takeTask } from '../tasks/task-queue.ts'
import { findTaskToRun } from '../tasks/tasks-to-run.ts'
import { allocatePorts, listRoutedSlots } from './ports.ts'
import { listServerRoutes, replaceRoutes } from './routes.ts'

describe.each(databases)('an environment that was moved on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let project: Awaited<ReturnType<typeof buildProject>>
  let environment: Awaited<ReturnType<typeof buildEnvironment>>
  let [here, there]: [number, number] = [0, 0]
  let taskHere: number

  /** Deployed here with its routes, then moved there. */
  beforeEach(async () => {
    owner = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    here = (await buildServer(app.ctx, organization.id)).id
    there = (await buildServer(app.ctx, organization.id)).id
    const place = { organizationId: organization.id, ownerId: owner.id, serverId: here }
    project = await buildProject(app.ctx, place, { tls: 'automatic' })
    await app.ctx.db
      .insertInto('project_servers')
      .values({ project_id: project.id, server_id: there, position: 1 })
      .execute()
    environment = await buildEnvironment(app.ctx, project)
    taskHere = await endedTask('succeeded')
    await allocate(here)
    await route(taskHere)
    await app.ctx.db.updateTable('environments').set({ server_id: there }).where('id', '=', environment.id).execute()
  })

  const endedTask = async (status: 'succeeded' | 'failed') =>
    (await buildTask(app.ctx, environment.id, { status, started_at: 1, finished_at: 2, commit_sha: 'a'.repeat(40) })).id
  const route = (taskId: number) => {
    const routes = [{ service: MAIN_SERVICE, domain: environment.domain, port: 20_000 }]
    return app.ctx.change(PLATFORM, (tx) => replaceRoutes(tx, { environmentId: environment.id, taskId, routes }))
  }
  const allocate = (serverId: number, environmentId = environment.id) => {
    const range = { first: 20_000, last: 20_001 }
    return allocatePorts(app.ctx.db, { serverId, environmentId, services: ['web'], slots: ['a'], range })
  }
  const portsOn = async (serverId: number) => (await listServerRoutes(app.ctx.db, serverId)).map(({ port }) => port)

  test('is at the edge where its routes were switched, and nowhere else', async () => {
    expect([await portsOn(here), await portsOn(there)]).toEqual([[20_000], []])
    expect(await listRoutedSlots(app.ctx.db, here, [environment.id])).toHaveLength(1)
    await allocate(there)
    expect(await listRoutedSlots(app.ctx.db, there, [environment.id])).toEqual([])
    await route(await endedTask('succeeded'))
    expect([await portsOn(here), await portsOn(there)]).toEqual([[], [20_000]])
    expect(await listRoutedSlots(app.ctx.db, here, [environment.id])).toEqual([])
    expect(await listRoutedSlots(app.ctx.db, there, [environment.id])).toHaveLength(1)
  })

  test('without a route is at the edge of its own server', async () => {
    await app.ctx.db.deleteFrom('routes').where('domain', '=', environment.domain).execute()
    expect([await portsOn(here), await portsOn(there)]).toEqual([[], [null]])
  })

  test('keeps its ports on the old server', async () => {
    await allocate(there)
    const another = await buildEnvironment(app.ctx, project)
    expect(await allocate(here, another.id)).toMatchObject([{ port: 20_001 }])
    expect(await allocate(here)).toMatchObject([{ port: 20_000 }])
  })

  test('has its certificate where it is served and where it will be, ordered where it is served', async () => {
    const serversOf = async () => {
      const due = await listDueOrders(app.ctx.db, app.ctx.clock())
      return due.filter(({ domain }) => domain === environment.domain).map(({ serverId }) => serverId)
    }
    expect(await serversOf()).toEqual([here])
    const names = JSON.stringify([environment.domain])
    const certificate = await buildCertificate(app.ctx, project.id, {
      source: 'acme',
      domain: environment.domain,
      names,
    })
    const wanted = async (serverId: number) => (await listWantedCertificates(app.ctx.db, serverId)).map(({ id }) => id)
    expect([await wanted(here), await wanted(there)]).toEqual([[certificate.id], [certificate.id]])
    const installed = [{ certificateId: certificate.id, digest: 'x' }]
    await app.ctx.change(PLATFORM, (tx) => replaceInstalledCertificates(tx, here, { installed, at: 1 }))
    expect(await listSecureDomains(app.ctx.db, here)).toEqual(new Set([environment.domain]))
    expect(await listSecureDomains(app.ctx.db, there)).toEqual(new Set())
    await route(await endedTask('succeeded'))
    expect([await wanted(here), await wanted(there)]).toEqual([[], [certificate.id]])
    expect(await serversOf()).toEqual([there])
  })

  test('begins on the new server with nothing, and says where it was', async () => {
    const take = async () => {
      await buildTask(app.ctx, environment.id)
      const lease = await app.ctx.change(PLATFORM, (tx) =>
        takeTask(tx, { worker: 'test', mostInAll: 10, mostPerServer: 10 }),
      )
      const task = lease && (await findTaskToRun(app.ctx.db, lease.taskId))
      const end = { status: 'succeeded', finished_at: 3, commit_sha: 'b'.repeat(40) } as const
      await app.ctx.db.updateTable('tasks').set(end).where('status', '=', 'running').execute()
      return task
    }
    const { name } = await app.ctx.db
      .selectFrom('servers')
      .where('id', '=', here)
      .select('name')
      .executeTakeFirstOrThrow()
    const first = await take()
    expect(first).toMatchObject({ live: null, keptTaskIds: [], movedFrom: name, server: { id: there } })
    // A database elsewhere may have its data: a move does not seed it.
    expect(first?.hasBeenLive).toBe(true)
    const second = await take()
    expect(second).toMatchObject({ live: { taskId: first?.id }, keptTaskIds: [first?.id], movedFrom: null })
    await buildTask(app.ctx, environment.id, { kind: 'reset', status: 'failed', finished_at: 4, unrouted_at: 4 })
    expect((await take())?.hasBeenLive).toBe(false)
  })

  test('keeps the old server with its project until it is served elsewhere', async () => {
    const giveUp = () => app.call('PATCH', `/api/projects/${project.id}`, { as: owner, body: { server_ids: [there] } })
    expect(await giveUp()).toMatchObject({ status: 409, body: { detail: expect.stringContaining(environment.name) } })
    await route(await endedTask('succeeded'))
    expect(await giveUp()).toMatchObject({ status: 200 })
  })
})
