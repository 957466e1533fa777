// What one user or organization can write into the audit log, and whose rows go for it.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildOrganization, buildUser, type TestUser } from '../../test/factories.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { deleteOldAuditEvents } from './audit-bounds.ts'
import { insertAuditEvent } from './audit-events.ts'

describe.each(databases)('the audit log on $name', (source) => {
  const app = stageApp(source)
  let organizationId: number
  let viewer: TestUser
  let owner: TestUser

  beforeEach(async () => {
    ;[viewer, owner] = [await buildUser(app.ctx), await buildUser(app.ctx)]
    const members = [
      { user: owner, role: 'owner' as const },
      { user: viewer, role: 'viewer' as const },
    ]
    organizationId = (await buildOrganization(app.ctx, members)).id
  })

  const rowsOf = async (user: TestUser) =>
    app.ctx.db.selectFrom('audit_events').where('user_id', '=', user.id).orderBy('id').select('target_name').execute()
  const write = (user: TestUser, name: string) =>
    insertAuditEvent(app.ctx.db, {
      actor: { userId: user.id, name: user.name },
      origin: { address: '127.0.0.1', requestId: 'test' },
      organizationId,
      action: 'project.updated',
      target: { kind: 'project', id: 1, name },
      at: app.ctx.clock(),
    })

  test('has one line for what a member is refused again and again, and another one later', async () => {
    const list = () => app.call('GET', `/api/organizations/${organizationId}/invitations`, { as: viewer })
    for (let count = 0; count < 20; count++) expect((await list()).status).toBe(403)
    expect(await rowsOf(viewer)).toHaveLength(1)
    app.moveClock(60 * 60_000)
    expect((await list()).status).toBe(403)
    expect(await rowsOf(viewer)).toHaveLength(2)
  })

  test('has few lines for refusals that differ in what they name', async () => {
    const path = (id: number) => `/api/organizations/${organizationId}/members/${id}`
    const others = await Promise.all(Array.from({ length: 70 }, () => buildUser(app.ctx)))
    const values = others.map(({ id }) => ({
      organization_id: organizationId,
      user_id: id,
      role: 'viewer' as const,
      created_at: 1,
    }))
    await app.ctx.db.insertInto('memberships').values(values).execute()
    for (const { id } of others)
      expect((await app.call('PATCH', path(id), { as: viewer, body: { role: 'owner' } })).status).toBe(403)
    expect(await rowsOf(viewer)).toHaveLength(60)
    // They hide nothing else that the user tries.
    expect((await app.call('GET', `/api/organizations/${organizationId}/invitations`, { as: viewer })).status).toBe(403)
    expect(await rowsOf(viewer)).toHaveLength(61)
  })

  test('forgets the oldest lines of a user who writes many, and none of others', async () => {
    await write(owner, 'first')
    for (let count = 0; count < 8; count++) await write(viewer, String(count))
    while (await deleteOldAuditEvents(app.ctx.db, { ofUser: 5, ofOrganization: 1000 }));
    expect((await rowsOf(viewer)).length).toBe(5)
    expect(await rowsOf(owner)).toEqual([{ target_name: 'first' }])
  })

  test('forgets the oldest lines of an organization that has many', async () => {
    for (const user of [owner, viewer]) for (let count = 0; count < 4; count++) await write(user, String(count))
    while (await deleteOldAuditEvents(app.ctx.db, { ofUser: 1000, ofOrganization: 6 }));
    expect(await rowsOf(owner)).toEqual([{ target_name: '2' }, { target_name: '3' }])
    expect(await rowsOf(viewer)).toHaveLength(4)
  })
})
