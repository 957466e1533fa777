// The installation as its administrators see it.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildSession,
  buildTask,
  buildToken,
  buildUser,
} from '../../../test/factories.ts'
import { openTestApp } from '../../../test/test-app.ts'
import { VERSION } from '../../version.ts'

describe.each(databases)('the platform on $name', (source) => {
  test('shows its administrators how it is set up, counts everything, and shows no secret', async () => {
    const databaseUrl = 'postgres://shipway:sesame@db.internal/shipway'
    const isPostgres = source.name === 'postgres'
    const settings = { hasOpenOrganizations: isPostgres, ...(isPostgres && { databaseUrl }) }
    const app = await openTestApp(source, settings)
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const get = (token: string) => app.call('GET', '/api/platform', { as: { token } })
    const nothing = { organizations: 0, projects: 0, environments: 0, servers: 0, active_tasks: 0 }
    expect((await get(admin.token)).body.counts).toEqual({ users: 1, ...nothing })
    // Of others: an administrator of the platform needs no part in an organization to know how many there are.
    const owner = await buildUser(app.ctx)
    const { id: organizationId } = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const project = await buildProject(app.ctx, { organizationId, ownerId: owner.id })
    const environment = await buildEnvironment(app.ctx, project)
    await buildEnvironment(app.ctx, project, { removed_at: 1 })
    const ended = { status: 'succeeded', started_at: 1, finished_at: 2 } as const
    for (const state of [ended, { status: 'running', started_at: 1 } as const, {}])
      await buildTask(app.ctx, environment.id, state)
    const answer = await get(admin.token)
    expect(answer.status).toBe(200)
    expect(answer.body).toEqual({
      version: VERSION,
      database: source.name,
      base_url: 'https://ship.example.com',
      sends_mail: true,
      keeps_mail: false,
      mails: { waiting: 0, retrying: 0, given_up: 0, oldest_at: null, last_error: null },
      database_bytes: expect.any(Number),
      database_limit_bytes: null,
      database_nearly_full: false,
      task_log_days: null,
      open_organizations: isPostgres,
      require_two_factor: false,
      counts: { users: 2, organizations: 1, projects: 1, environments: 1, servers: 1, active_tasks: 2 },
    })
    expect(answer.text).not.toMatch(/sesame|db\.internal/)
    await app.close()
  })

  test('refuses other users, a token that is bound or lacks the scope, and a former administrator', async () => {
    const app = await openTestApp(source)
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const owner = await buildUser(app.ctx)
    const members = [
      { user: admin, role: 'owner' },
      { user: owner, role: 'owner' },
    ] as const
    const { id } = await buildOrganization(app.ctx, members)
    const get = (headers: Record<string, string>) => app.call('GET', '/api/platform', { headers })
    const withToken = (token: string) => get({ authorization: `Bearer ${token}` })
    expect(await get({})).toMatchObject({ status: 401, body: { code: 'authentication_required' } })
    const refused = await withToken(owner.token)
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(refused.body.counts).toBeUndefined()
    const bound = await withToken(await buildToken(app.ctx, admin.id, { organization_id: id }))
    expect(bound).toMatchObject({ status: 403, body: { code: 'organization_not_accessible' } })
    const narrow = await withToken(await buildToken(app.ctx, admin.id, { scopes: 'deploy admin' }))
    expect(narrow).toMatchObject({ status: 403, body: { code: 'insufficient_scope' } })
    const session = await buildSession(app.ctx, admin.id)
    expect([(await get(session)).status, (await get(session)).status]).toEqual([200, 200])
    await app.ctx.db.updateTable('users').set({ is_platform_admin: 0 }).where('id', '=', admin.id).execute()
    expect(await get(session)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    await app.close()
  })
})
