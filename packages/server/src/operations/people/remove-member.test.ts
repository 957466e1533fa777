// Leaving and being taken out: what stays behind has an owner, and old tokens open nothing.
import { ROLES } from '@shipway/api/people'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildToken,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageHouse } from '../../../test/stage/stage-house.ts'

describe.each(databases)('leaving an organization on $name', (source) => {
  const app = stageApp(source)
  const { users, buildHouse } = stageHouse(app)

  const remove = (id: number, target: TestUser, as: TestUser | undefined, body?: unknown) =>
    app.call('DELETE', `/api/organizations/${id}/members/${target.id}`, { as, body })
  const membersOf = async (id: number) => {
    const rows = await app.ctx.db.selectFrom('memberships').where('organization_id', '=', id).selectAll().execute()
    return rows.map(({ user_id }) => user_id)
  }

  const table = ROLES.flatMap((own) => ROLES.map((role) => ({ own, role })))
  test.each(table)('as $own, taking out a $role', async ({ own, role }) => {
    const isAllowed = own === 'owner' || (own === 'admin' && role !== 'owner')
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, role)
    const answer = await remove(id, target, users.get(own))
    if (isAllowed) expect(answer).toMatchObject({ status: 204, text: '' })
    else expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect((await membersOf(id)).includes(target.id)).toBe(!isAllowed)
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('organization_id', '=', id)
      .select(['action', 'target_id'])
      .execute()
    const action = isAllowed ? 'member.removed' : 'member.removal_refused'
    expect(events).toEqual([{ action, target_id: target.id }])
  })

  test.each(ROLES)('a %s may leave', async (role) => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, role)
    expect((await remove(id, target, target)).status).toBe(204)
    expect(await membersOf(id)).not.toContain(target.id)
    expect((await remove(id, target, target)).status).toBe(404)
  })

  test('the last owner does not leave, and cannot be taken out', async () => {
    const owner = await buildUser(app.ctx)
    const admin = await buildUser(app.ctx)
    const { id } = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: admin, role: 'admin' },
    ])
    expect(await remove(id, owner, owner)).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    expect(await remove(id, owner, admin)).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await membersOf(id)).toHaveLength(2)
  })

  test.each(Array.from({ length: 8 }, (_, round) => round))(
    'of owners who all leave at once, one stays (%i)',
    async () => {
      const owners = [await buildUser(app.ctx), await buildUser(app.ctx), await buildUser(app.ctx)]
      const { id } = await buildOrganization(
        app.ctx,
        owners.map((user) => ({ user, role: 'owner' as const })),
      )
      const answers = await Promise.all(owners.map((owner) => remove(id, owner, owner)))
      expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 204, 409])
      expect(await membersOf(id)).toHaveLength(1)
    },
  )

  test('what the member owned goes to the oldest owner, there and nowhere else', async () => {
    const newOwner = await buildUser(app.ctx)
    const leaving = await buildUser(app.ctx)
    const { id } = await buildOrganization(app.ctx, [{ user: leaving, role: 'owner' }])
    app.moveClock(1000)
    const join = { organization_id: id, role: 'owner' as const }
    await app.ctx.db
      .insertInto('memberships')
      .values({ ...join, user_id: newOwner.id, created_at: app.ctx.clock() })
      .execute()
    const later = { ...join, user_id: users.get('owner')?.id ?? 0, created_at: app.ctx.clock() + 1 }
    await app.ctx.db.insertInto('memberships').values(later).execute()
    const project = await buildProject(app.ctx, { organizationId: id, ownerId: leaving.id })
    const others = await buildProject(app.ctx, { organizationId: id, ownerId: later.user_id })
    const theirs = await buildEnvironment(app.ctx, others, { owner_id: leaving.id })
    const untouched = await buildEnvironment(app.ctx, others)
    const elsewhere = await buildOrganization(app.ctx, [{ user: leaving, role: 'owner' }])
    const kept = await buildProject(app.ctx, { organizationId: elsewhere.id, ownerId: leaving.id })
    const keptEnvironment = await buildEnvironment(app.ctx, kept)

    expect((await remove(id, leaving, leaving)).status).toBe(204)

    const { db } = app.ctx
    const projectOwner = async (project: number) =>
      (await db.selectFrom('projects').where('id', '=', project).selectAll().executeTakeFirst())?.owner_id
    const environmentOwner = async (environment: number) =>
      (await db.selectFrom('environments').where('id', '=', environment).selectAll().executeTakeFirst())?.owner_id
    expect(await projectOwner(project.id)).toBe(newOwner.id)
    expect(await environmentOwner(theirs.id)).toBe(newOwner.id)
    expect(await projectOwner(others.id)).toBe(later.user_id)
    expect(await environmentOwner(untouched.id)).toBe(later.user_id)
    expect(await projectOwner(kept.id)).toBe(leaving.id)
    expect(await environmentOwner(keptEnvironment.id)).toBe(leaving.id)
    const log = await app.call('GET', `/api/organizations/${id}/audit`, { as: newOwner })
    const lines = log.body.map(({ action, target, fields }: Record<string, unknown>) => ({ action, target, fields }))
    expect(lines.toReversed()).toEqual([
      { action: 'member.left', target: { kind: 'member', id: leaving.id, name: leaving.name }, fields: [] },
      { action: 'project.updated', target: { kind: 'project', id: project.id, name: project.name }, fields: ['owner'] },
      {
        action: 'environment.updated',
        target: { kind: 'environment', id: theirs.id, name: theirs.name },
        fields: ['owner'],
      },
    ])
  })

  describe('with protected environments', () => {
    const stage = async () => {
      const [owner, admin, member, viewer, leaving] = await Promise.all([1, 2, 3, 4, 5].map(() => buildUser(app.ctx)))
      if (!owner || !admin || !member || !viewer || !leaving) throw new Error('There are five')
      const { id } = await buildOrganization(app.ctx, [
        { user: owner, role: 'owner' },
        { user: admin, role: 'admin' },
        { user: member, role: 'member' },
        { user: viewer, role: 'viewer' },
        { user: leaving, role: 'member' },
      ])
      const project = await buildProject(app.ctx, { organizationId: id, ownerId: leaving.id })
      const own = { owner_id: leaving.id, is_protected: 1 } as const
      const kept = await buildEnvironment(app.ctx, project, { ...own, name: 'kept' })
      const free = await buildEnvironment(app.ctx, project, { owner_id: leaving.id })
      await buildEnvironment(app.ctx, project, { ...own, name: 'gone', removed_at: 1 })
      return { id, owner, admin, member, viewer, leaving, kept, free }
    }
    const ownerOf = async (environment: { readonly id: number }) =>
      (
        await app.ctx.db
          .selectFrom('environments')
          .where('id', '=', environment.id)
          .select('owner_id')
          .executeTakeFirst()
      )?.owner_id

    test('a member cannot leave or be removed without a new owner, and the error says for what', async () => {
      const { id, owner, leaving, kept } = await stage()
      for (const as of [leaving, owner]) {
        const refused = await remove(id, leaving, as)
        expect(refused).toMatchObject({ status: 409, body: { code: 'new_owner_needed' } })
        expect(refused.body.environments).toEqual([{ id: kept.id, name: 'kept' }])
      }
      expect(await membersOf(id)).toContain(leaving.id)
      const path = `/api/organizations/${id}/members/${leaving.id}`
      const demoted = await app.call('PATCH', path, { as: owner, body: { role: 'viewer' } })
      expect(demoted).toMatchObject({ status: 409, body: { code: 'new_owner_needed' } })
      expect((await app.call('PATCH', path, { as: owner, body: { role: 'admin' } })).status).toBe(200)
    })

    test('a leaving member names any member who is no viewer, who gets a mail', async () => {
      const { id, member, leaving, kept, free } = await stage()
      expect((await remove(id, leaving, leaving, { new_owner_id: member.id })).status).toBe(204)
      expect([await ownerOf(kept), await ownerOf(free)]).toEqual([member.id, member.id])
      const mails = app.mails.filter(({ to }) => to === member.email)
      expect(mails).toMatchObject([{ text: expect.stringContaining(`New owner: "${member.name}"`) }])
    })

    test('a member who becomes a viewer passes them on, too', async () => {
      const { id, owner, member, leaving, kept } = await stage()
      const path = `/api/organizations/${id}/members/${leaving.id}`
      const body = { role: 'viewer', new_owner_id: member.id }
      expect((await app.call('PATCH', path, { as: owner, body })).status).toBe(200)
      expect(await ownerOf(kept)).toBe(member.id)
    })

    test('an administrator leaves them to an owner, and takes none over', async () => {
      const { id, owner, admin, member, leaving, kept } = await stage()
      for (const { id: new_owner_id } of [admin, member]) {
        const refused = await remove(id, leaving, admin, { new_owner_id })
        expect(refused).toMatchObject({ status: 422, body: { errors: [{ code: 'not_an_owner' }] } })
      }
      expect((await remove(id, leaving, admin, { new_owner_id: owner.id })).status).toBe(204)
      expect(await ownerOf(kept)).toBe(owner.id)
    })

    test('a viewer, a non-member and the leaving member cannot become the owner', async () => {
      const { id, viewer, leaving, kept } = await stage()
      const stranger = await buildUser(app.ctx)
      for (const { id: new_owner_id } of [viewer, stranger, leaving, { id: 987_654 }]) {
        const refused = await remove(id, leaving, leaving, { new_owner_id })
        expect(refused).toMatchObject({
          status: 422,
          body: { errors: [{ pointer: '/new_owner_id', code: 'not_a_member' }] },
        })
      }
      for (const new_owner_id of ['1', -1, 1.5, null, 1e99]) {
        expect((await remove(id, leaving, leaving, { new_owner_id })).status).toBe(422)
      }
      expect([await ownerOf(kept), (await membersOf(id)).includes(leaving.id)]).toEqual([leaving.id, true])
    })
  })

  test('old tokens open nothing of the organization, at once and after a return', async () => {
    const leaving = await buildUser(app.ctx)
    const id = await buildHouse(leaving, 'admin')
    const elsewhere = await buildOrganization(app.ctx, [{ user: leaving, role: 'viewer' }])
    const bound = { token: await buildToken(app.ctx, leaving.id, { organization_id: id }) }
    const boundElsewhere = { token: await buildToken(app.ctx, leaving.id, { organization_id: elsewhere.id }) }
    const project = await buildProject(app.ctx, { organizationId: id, ownerId: leaving.id })
    expect((await app.call('GET', `/api/organizations/${id}`, { as: bound })).status).toBe(200)

    expect((await remove(id, leaving, users.get('owner'))).status).toBe(204)

    const urls = ['', '/members', '/invitations', '/audit'].map((rest) => `/api/organizations/${id}${rest}`)
    for (const url of [...urls, `/api/servers/${project.serverId}`]) {
      expect(await app.call('GET', url, { as: leaving })).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(await app.call('GET', url, { as: bound })).toMatchObject({ status: 401, body: { code: 'invalid_token' } })
    }
    const invitation = { email: 'x@example.com', role: 'owner' }
    expect(
      (await app.call('POST', `/api/organizations/${id}/invitations`, { as: leaving, body: invitation })).status,
    ).toBe(404)
    const headers = { 'x-service-organization': String(id) }
    expect((await app.call('GET', '/api/servers', { as: leaving, headers })).status).toBe(404)
    expect((await app.call('GET', `/api/organizations/${elsewhere.id}`, { as: boundElsewhere })).status).toBe(200)

    const again = { organization_id: id, user_id: leaving.id, role: 'viewer' as const, created_at: app.ctx.clock() }
    await app.ctx.db.insertInto('memberships').values(again).execute()
    expect((await app.call('GET', `/api/organizations/${id}`, { as: bound })).status).toBe(401)
  })
})
