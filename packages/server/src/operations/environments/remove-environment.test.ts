// Removals that need what was never there, or is gone for good: an environment must not stay for ever because of them.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildDeployment, endAllTasks, runIt, takeNext } from '../../../test/deployments.ts'
import { buildOrganization, buildTask, buildUser, type TestUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { ServerUnreachable } from '../../remote/host.ts'
import { SourceError } from '../../source/source-error.ts'
import { retryRemovals } from './retry-removals.ts'

describe.each(databases)('a removal on $name', (source) => {
  const app = stageApp(source)
  let built: Awaited<ReturnType<typeof buildDeployment>>
  let admin: TestUser

  beforeEach(async () => {
    built = await buildDeployment(app.ctx)
    await endAllTasks(app.ctx)
    admin = await buildUser(app.ctx)
    const { organization_id: organizationId } = await app.ctx.db
      .selectFrom('projects')
      .where('id', '=', built.project.id)
      .select('organization_id')
      .executeTakeFirstOrThrow()
    await app.ctx.db
      .insertInto('memberships')
      .values({ organization_id: organizationId, user_id: admin.id, role: 'admin', created_at: 1 })
      .execute()
  })

  const project = () => `/api/projects/${built.project.id}`
  const environment = () => `/api/environments/${built.environment.id}`
  const unreadable = () => {
    throw new SourceError('key_refused', 'The host refuses the key of this project')
  }
  const nobody = () => Promise.reject(new ServerUnreachable('auth', 'The server refuses us'))
  /** Runs what waits, on a server that refuses the platform. */
  const runInVain = async () => runIt(app.ctx, await takeNext(app.ctx), { answers: { host: { 'find home': nobody } } })
  const forgetTasks = () => app.ctx.db.deleteFrom('tasks').where('environment_id', '=', built.environment.id).execute()
  const actionsOf = async () => {
    const rows = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_kind', '=', 'environment')
      .where('target_id', '=', built.environment.id)
      .selectAll()
      .execute()
    return rows.map(({ action }) => action)
  }

  test('needs neither a server nor a repository where no deployment could ever read the repository', async () => {
    await forgetTasks()
    await buildTask(app.ctx, built.environment.id, { commit_sha: 'c'.repeat(40), cause: 'push' })
    await runIt(app.ctx, await takeNext(app.ctx), { answers: { fetch: unreadable } })
    const { status, body } = await app.call('DELETE', environment(), { as: built.owner })
    expect([status, body.status, body.kind]).toEqual([202, 'succeeded', 'remove'])
    expect((await app.call('GET', environment(), { as: built.owner })).status).toBe(404)
    const ports = await app.ctx.db
      .selectFrom('ports')
      .where('environment_id', '=', built.environment.id)
      .selectAll()
      .execute()
    expect(ports).toEqual([])
  })

  test('lets go of a project that an earlier version could not delete', async () => {
    await forgetTasks()
    await buildTask(app.ctx, built.environment.id, { commit_sha: 'c'.repeat(40), cause: 'push' })
    await runIt(app.ctx, await takeNext(app.ctx), { answers: { fetch: unreadable } })
    const failed = { kind: 'remove', status: 'failed', started_at: 1, finished_at: 2 } as const
    await buildTask(app.ctx, built.environment.id, failed)
    await app.ctx.db.updateTable('projects').set({ deleting_since: 1 }).where('id', '=', built.project.id).execute()
    await retryRemovals(app.ctx)
    expect((await app.call('GET', project(), { as: built.owner })).status).toBe(404)
  })

  test('undoes nothing of a deployment that never came to start anything, and asks no git host for it', async () => {
    await forgetTasks()
    await buildTask(app.ctx, built.environment.id, { commit_sha: 'c'.repeat(40) })
    const broken = () => {
      throw new SourceError('failed', 'The source could not be sent')
    }
    await runIt(app.ctx, await takeNext(app.ctx), { answers: { push: broken } })
    await app.call('DELETE', environment(), { as: built.owner })
    const lines = await runIt(app.ctx, await takeNext(app.ctx), { answers: { fetch: unreadable } })
    expect(lines.filter((line) => /^(fetch|push|check out|read|start)/.test(line))).toEqual([])
    expect((await app.call('GET', environment(), { as: built.owner })).status).toBe(404)
  })

  test('that fails is tried again at once when the address of the repository is mended', async () => {
    expect((await app.call('DELETE', project(), { as: built.owner })).status).toBe(202)
    await runInVain()
    const changes = { repo_url: 'https://git.example.com/mended.git' }
    expect((await app.call('PATCH', project(), { as: built.owner, body: { ...changes, name: 'New' } })).status).toBe(
      409,
    )
    const mended = await app.call('PATCH', project(), { as: built.owner, body: changes })
    expect(mended).toMatchObject({ status: 200, body: { ...changes, status: 'deleting' } })
    expect((await app.call('POST', `${project()}/repository-key`, { as: built.owner })).status).toBe(201)
    const lease = await takeNext(app.ctx)
    await runIt(app.ctx, lease, { answers: { host: { 'test -d': { exitCode: 0 }, 'head -c': { exitCode: 1 } } } })
    expect((await app.call('GET', project(), { as: built.owner })).status).toBe(404)
  })

  test('of a project can be given up once it has failed, by its owner', async () => {
    const body = { abandon_servers: true }
    // Nothing has failed yet: all of it is removed as usual.
    expect(await app.call('DELETE', project(), { as: built.owner, body })).toMatchObject({ status: 202 })
    expect((await app.call('GET', project(), { as: built.owner })).body.environment_count).toBe(1)
    expect(await app.call('DELETE', project(), { as: built.owner, body })).toMatchObject({ status: 202 })
    expect((await app.call('GET', project(), { as: built.owner })).body.environment_count).toBe(1)
    await runInVain()
    expect((await app.call('DELETE', project(), { as: built.owner })).body.code).toBe('project_deleting')
    expect((await app.call('DELETE', project(), { as: admin, body })).body.code).toBe('insufficient_role')
    expect(await app.call('DELETE', project(), { as: built.owner, body })).toMatchObject({ status: 202 })
    expect((await app.call('GET', project(), { as: built.owner })).status).toBe(404)
    expect(await actionsOf()).toEqual(['environment.removed', 'environment.abandoned'])
  })

  test('of one environment can be given up once it has failed, by the owner of the project', async () => {
    const body = { abandon_server: true }
    expect((await app.call('DELETE', environment(), { as: admin, body })).body.code).toBe('insufficient_role')
    expect((await app.call('DELETE', environment(), { as: built.owner })).body).toMatchObject({ status: 'queued' })
    expect((await app.call('DELETE', environment(), { as: built.owner, body })).body.code).toBe('environment_removing')
    await runInVain()
    expect((await app.call('DELETE', environment(), { as: admin, body })).body.code).toBe('insufficient_role')
    const { body: task } = await app.call('DELETE', environment(), { as: built.owner, body })
    expect(task).toMatchObject({ kind: 'remove', status: 'succeeded' })
    expect((await app.call('GET', environment(), { as: built.owner })).status).toBe(404)
    const routes = await app.ctx.db
      .selectFrom('routes')
      .where('domain', '=', built.environment.domain)
      .selectAll()
      .execute()
    expect(routes).toEqual([])
    expect(await actionsOf()).toEqual(['environment.removed', 'environment.abandoned'])
  })

  test('of an environment of another organization cannot be abandoned', async () => {
    const stranger = await buildUser(app.ctx, { is_platform_admin: 1 })
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    const answer = await app.call('DELETE', environment(), { as: stranger, body: { abandon_server: true } })
    expect(answer.status).toBe(404)
    expect((await app.call('DELETE', project(), { as: stranger, body: { abandon_servers: true } })).status).toBe(404)
  })
})
