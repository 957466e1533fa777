// The health of a server: findings of the last check, for every user who may see the server.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { openLiveReader } from '../../../test/live-reader.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { ServerNotReached, ServerTimeout } from '../../domain/errors.ts'
import type { Servers } from '../../remote/set-up/servers.ts'

const checks = [{ name: 'git', status: 'failed', message: 'git is not installed', fix: 'Install it' }] as const
const good: Servers['inspect'] = async () => ({ checks, disk: { freeBytes: 5_000_000_000, totalBytes: 9_000_000_000 } })
let inspect = good

describe.each(databases)('the health of servers on $name', (source) => {
  const app = stageApp(source, { mostTasksPerServer: 3 })
  let admin: TestUser
  let viewer: TestUser
  let organizationId: number
  let serverId: number

  beforeEach(async () => {
    inspect = good
    Object.assign(app.ctx.servers, { inspect: ((...asked) => inspect(...asked)) satisfies Servers['inspect'] })
    admin = await buildUser(app.ctx)
    viewer = await buildUser(app.ctx)
    const members = [
      { user: admin, role: 'admin' },
      { user: viewer, role: 'viewer' },
    ] as const
    organizationId = (await buildOrganization(app.ctx, members)).id
    serverId = (await buildServer(app.ctx, organizationId)).id
  })

  const health = async () => (await app.call('GET', `/api/servers/${serverId}/health`, { as: viewer })).body
  const check = (as: TestUser = admin) => app.call('POST', `/api/servers/${serverId}/check`, { as })
  const change = (body: object) => app.call('PATCH', `/api/servers/${serverId}`, { as: admin, body })
  const never = { checked_at: null, checks: [], disk: null }

  test('before the first check there is none, and afterwards the last one with its time', async () => {
    expect(await health()).toEqual({
      server_id: serverId,
      ...never,
      tasks: { running: 0, at_once: 3 },
      environments: [],
    })
    await check()
    const checked_at = new Date(app.ctx.clock()).toISOString()
    const disk = { free_bytes: 5_000_000_000, total_bytes: 9_000_000_000 }
    expect(await health()).toMatchObject({ checked_at, checks, disk })
    app.moveClock(1000)
    inspect = async () => ({ checks: [], disk: null })
    await check()
    expect(await health()).toMatchObject({ checks: [], disk: null })
    expect((await health()).checked_at).not.toBe(checked_at)
  })

  test('that it was not reached is kept too, in the words for everybody', async () => {
    await check()
    const hidden = ServerNotReached('connect', 'Connection refused', ServerNotReached('auth', 'Not signed in yet'))
    inspect = () => Promise.reject(hidden)
    const root = await buildUser(app.ctx, { is_platform_admin: 1 })
    await app.ctx.db
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: root.id, role: 'admin', created_at: 1 })
      .execute()
    expect(await check(root)).toMatchObject({ status: 502, body: { detail: 'Connection refused' } })
    const kept = await health()
    expect(kept).toMatchObject({
      checks: [{ name: 'connection', status: 'failed', message: 'Not signed in yet', fix: null }],
      disk: null,
    })
    expect(JSON.stringify(kept)).not.toContain('refused')
    inspect = () => Promise.reject(ServerTimeout('One', 30))
    expect((await check()).status).toBe(504)
    expect((await health()).checks).toMatchObject([{ message: expect.stringContaining('30 seconds') }])
  })

  test('a failure of the platform itself says nothing of the server', async () => {
    await check()
    const before = await health()
    app.moveClock(1000)
    inspect = () => Promise.reject(new Error('a bug'))
    expect((await check()).status).toBe(500)
    expect(await health()).toEqual(before)
  })

  test.each([{ hostname: 'another.example.com' }, { port: 2222 }, { user: 'someone' }])(
    'another address (%j) is another machine, without a known state',
    async (changes) => {
      await check()
      await change({ name: 'New name' })
      expect((await health()).checks).toEqual(checks)
      expect((await change(changes)).status).toBe(200)
      expect(await health()).toMatchObject(never)
    },
  )

  test('a check that ends after the address was changed, or the server deleted, is not kept', async () => {
    inspect = async (...asked) => {
      await change({ hostname: 'another.example.com' })
      return good(...asked)
    }
    expect((await check()).status).toBe(200)
    expect(await health()).toMatchObject(never)
    inspect = async (...asked) => {
      await app.call('DELETE', `/api/servers/${serverId}`, { as: admin })
      return good(...asked)
    }
    expect((await check()).status).toBe(200)
    expect((await health()).code).toBe('not_found')
  })

  test('a stored check is sent on the live channel', async () => {
    await app.app.listen({ host: '127.0.0.1', port: 0 })
    const reader = await openLiveReader(app.app, { token: viewer.token })
    await reader.subscribe(`organization:${organizationId}`)
    await check()
    expect((await reader.event('server.updated')).data.id).toBe(serverId)
    reader.socket.close()
  })

  test('environments there are listed with their project, newest first, and running ones are counted', async () => {
    const owner = { organizationId, ownerId: admin.id }
    const project = await buildProject(app.ctx, { ...owner, serverId })
    const elsewhere = await buildServer(app.ctx, organizationId)
    const first = await buildEnvironment(app.ctx, project)
    const second = await buildEnvironment(app.ctx, project)
    await buildEnvironment(app.ctx, project, { server_id: elsewhere.id })
    await buildEnvironment(app.ctx, project, { removed_at: 1 })
    await buildTask(app.ctx, second.id, { status: 'running', started_at: app.ctx.clock() })
    await buildTask(app.ctx, first.id)
    const named = { id: project.id, name: project.name }
    expect(await health()).toMatchObject({
      tasks: { running: 1 },
      environments: [
        { id: second.id, name: second.name, status: 'deploying', project: named },
        { id: first.id, name: first.name, status: 'deploying', project: named },
      ],
    })
    expect((await health()).environments).toHaveLength(2)
  })

  test('at most two hundred environments are listed', async () => {
    const project = await buildProject(app.ctx, { organizationId, ownerId: admin.id, serverId })
    for (let count = 0; count < 203; count++) await buildEnvironment(app.ctx, project)
    expect((await health()).environments).toHaveLength(200)
  })
})
