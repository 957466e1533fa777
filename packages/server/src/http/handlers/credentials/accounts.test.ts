// All accounts and organizations, as platform administrators see them.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../../test/databases.ts'
import { buildOrganization, buildProject, buildToken, buildUser } from '../../../../test/factories.ts'
import { openTestApp } from '../../../../test/test-app.ts'

describe.each(databases)('accounts on $name', (source) => {
  test('a platform administrator lists all users page by page, without those that were deleted', async () => {
    const app = await openTestApp(source)
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const ada = await buildUser(app.ctx)
    const gone = await buildUser(app.ctx)
    const alone = await buildUser(app.ctx)
    const first = await buildOrganization(app.ctx, [{ user: ada, role: 'owner' }])
    const second = await buildOrganization(app.ctx, [{ user: ada, role: 'viewer' }])
    await app.ctx.db.updateTable('users').set({ deleted_at: 1 }).where('id', '=', gone.id).execute()
    const list = (query = '', as = admin) => app.call('GET', `/api/users${query}`, { as })
    const all = await list()
    expect(all.body).toEqual([
      expect.objectContaining({ id: alone.id, organizations: [] }),
      {
        id: ada.id,
        name: ada.name,
        email: ada.email,
        is_platform_admin: false,
        organizations: [
          { id: first.id, name: first.name, role: 'owner' },
          { id: second.id, name: second.name, role: 'viewer' },
        ],
        created_at: expect.any(String),
        has_two_factor: false,
      },
      expect.objectContaining({ id: admin.id, is_platform_admin: true }),
    ])
    const page = await list('?limit=2')
    expect(page.body.map(({ id }: { id: number }) => id)).toEqual([alone.id, ada.id])
    const next = /<\/api\/users(\?[^>]+)>/.exec(String(page.headers.link))?.[1]
    const last = await list(next)
    expect(last.body.map(({ id }: { id: number }) => id)).toEqual([admin.id])
    expect(last.headers.link).toBeUndefined()
    expect(await list('', ada)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    await app.close()
  })

  test('a platform administrator lists all organizations with owners and counts, and nothing inside', async () => {
    const app = await openTestApp(source)
    const admin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const owner = await buildUser(app.ctx)
    const member = await buildUser(app.ctx)
    const busy = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: member, role: 'member' },
    ])
    const project = await buildProject(app.ctx, { organizationId: busy.id, ownerId: owner.id })
    const empty = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const list = (as: { token: string }) => app.call('GET', '/api/platform/organizations', { as })
    const { body, text } = await list(admin)
    const counts = { member_count: 2, project_count: 1, server_count: 1 }
    const owners = [{ id: owner.id, name: owner.name }]
    expect(body).toEqual([
      expect.objectContaining({ id: empty.id, owners, member_count: 1, project_count: 0, server_count: 0 }),
      { id: busy.id, name: busy.name, owners, ...counts, created_at: expect.any(String) },
    ])
    expect(text).not.toContain(project.repo_url)
    expect(await list(owner)).toMatchObject({ status: 403 })
    const bound = { token: await buildToken(app.ctx, admin.id, { organization_id: busy.id }) }
    expect(await list(bound)).toMatchObject({ status: 403, body: { code: 'organization_not_accessible' } })
    await app.close()
  })
})
