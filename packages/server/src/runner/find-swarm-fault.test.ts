// A deployment to a Swarm that is pinned to another record fails before anything starts.
import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildDeployment, runIt, takeNext } from '../../test/deployments.ts'
import { buildEnvironment, buildOrganization, buildServer, buildUser } from '../../test/factories.ts'
import { buildOwnedProject } from '../../test/owned-project.ts'
import { openTestApp, type TestApp } from '../../test/test-app.ts'
import { NotAManager } from '../domain/errors.ts'

const swarm = { id: 's'.repeat(25), address: '192.0.2.1', nodes: [] }

describe.each(databases)('a deployment to a Swarm on $name', (source) => {
  let app: TestApp
  let isManager: boolean

  beforeEach(async () => {
    isManager = true
    app = await openTestApp(
      source,
      {},
      {
        swarms: {
          read: async ({ name }) => {
            if (!isManager) throw NotAManager(name)
            return swarm
          },
          setAvailability: () => Promise.reject(new Error('Nothing is drained here')),
          joinToken: () => Promise.reject(new Error('Nothing joins here')),
          checkRegistry: () => Promise.reject(new Error('No registry is named here')),
        },
      },
    )
    return () => app.close()
  })

  async function deploy(kind: 'deploy' | 'reset' = 'deploy') {
    const { project, taskId } = await buildDeployment(app.ctx)
    await app.ctx.db.updateTable('tasks').set({ kind }).where('id', '=', taskId).execute()
    await app.ctx.db.updateTable('servers').set({ runtime: 'swarm' }).where('id', '=', project.serverId).execute()
    const lines = await runIt(app.ctx, await takeNext(app.ctx))
    const steps = await app.ctx.db.selectFrom('steps').where('task_id', '=', taskId).orderBy('id').selectAll().execute()
    const server = await app.ctx.db
      .selectFrom('servers')
      .where('id', '=', project.serverId)
      .selectAll()
      .executeTakeFirstOrThrow()
    return { lines, steps, first: steps[0], swarmId: server.swarm_id }
  }

  test('is refused where another record has the Swarm', async () => {
    const { id } = await buildOrganization(app.ctx, [{ user: await buildUser(app.ctx), role: 'owner' }])
    await buildServer(app.ctx, id, { runtime: 'swarm', swarm_id: swarm.id })
    const { steps, first, swarmId } = await deploy()
    expect(steps).toHaveLength(1)
    expect(first).toMatchObject({ name: 'Check the Swarm', message: expect.stringMatching(/A Swarm has one record/) })
    expect(swarmId).toBeNull()
  })

  test('of a reset is refused before anything is removed', async () => {
    const { id } = await buildOrganization(app.ctx, [{ user: await buildUser(app.ctx), role: 'owner' }])
    await buildServer(app.ctx, id, { runtime: 'swarm', swarm_id: swarm.id })
    const { lines, steps } = await deploy('reset')
    expect(steps.map(({ name, status }) => [name, status])).toEqual([['Check the Swarm', 'failed']])
    expect(lines).toEqual([])
  })

  test('is refused where the Swarm of a new record cannot be read', async () => {
    isManager = false
    expect((await deploy()).first).toMatchObject({
      name: 'Check the Swarm',
      message: expect.stringMatching(/no Swarm/),
    })
  })

  test('pins the Swarm of a new record', async () => {
    const { first, swarmId } = await deploy()
    expect([first?.name, swarmId]).not.toContain('Check the Swarm')
    expect(swarmId).toBe(swarm.id)
  })

  test('of records that had one Swarm before, the first one with environments keeps it, otherwise the first one', async () => {
    const project = await buildOwnedProject(app.ctx)
    await sql`drop index servers_swarm_id`.execute(app.ctx.db)
    const build = (swarm_id: string | null) =>
      buildServer(app.ctx, project.organizationId, { runtime: 'swarm', swarm_id })
    for (const swarm_id of ['one', 'one', 'one', 'two', null, null]) await build(swarm_id)
    const [empty, first, second] = [await build('used'), await build('used'), await build('used')]
    await buildEnvironment(app.ctx, project, { server_id: empty.id, removed_at: 1 })
    for (const { id } of [second, second, first]) await buildEnvironment(app.ctx, project, { server_id: id })
    const file = new URL('../../migrations/0050-one-record-of-a-swarm.sql', import.meta.url)
    const statements = readFileSync(file, 'utf8')
      .replaceAll(/^--.*$/gm, '')
      .split(';')
    for (const statement of statements.filter((text) => text.trim() !== ''))
      await sql.raw(statement).execute(app.ctx.db)
    const servers = app.ctx.db.selectFrom('servers').where('id', '!=', project.serverId)
    const rows = await servers.orderBy('id').select('swarm_id').execute()
    const kept = ['one', null, null, 'two', null, null, null, 'used', null]
    expect(rows.map(({ swarm_id }) => swarm_id)).toEqual(kept)
  })
})
