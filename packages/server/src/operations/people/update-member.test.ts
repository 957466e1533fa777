// Roles: no member gives a role above their own, and an organization keeps an owner, also if two requests race.
import { ROLES, type Role } from '@shipway/api/people'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildForkEnvironment,
  buildOauthToken,
  buildOrganization,
  buildProject,
  buildSession,
  buildToken,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageHouse } from '../../../test/stage/stage-house.ts'

describe.each(databases)('roles of members on $name', (source) => {
  const app = stageApp(source)
  const { users, buildHouse } = stageHouse(app)

  const memberOf = (id: number, user: TestUser) => `/api/organizations/${id}/members/${user.id}`
  const roleOf = async (id: number, user: TestUser) => {
    const rows = app.ctx.db.selectFrom('memberships').where('organization_id', '=', id)
    return (await rows.where('user_id', '=', user.id).select('role').executeTakeFirst())?.role
  }

  test('the list of members has names, e-mails and roles, and every member sees it', async () => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, 'member')
    const list = await app.call('GET', `/api/organizations/${id}/members?limit=1`, { as: users.get('viewer') })
    expect(list.body).toEqual([
      {
        user: { id: target.id, name: target.name, email: target.email },
        role: 'member',
        since: '2026-01-02T03:04:05.678Z',
        has_two_factor: null,
      },
    ])
    const next = /<([^>]+)>; rel="next"/.exec(String(list.headers.link))?.[1] ?? ''
    const more = await app.call('GET', next.replace('limit=1', 'limit=10'), { as: users.get('viewer') })
    expect(more.body.map(({ role }: { role: Role }) => role)).toEqual(ROLES.toReversed())
  })

  const table = ROLES.flatMap((own) => ROLES.flatMap((from) => ROLES.map((to) => ({ own, from, to }))))
  test.each(table)('as $own, from $from to $to', async ({ own, from, to }) => {
    const isAllowed = own === 'owner' || (own === 'admin' && from !== 'owner' && to !== 'owner')
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, from)
    const answer = await app.call('PATCH', memberOf(id, target), { as: users.get(own), body: { role: to } })
    if (isAllowed) expect(answer).toMatchObject({ status: 200, body: { user: { id: target.id }, role: to } })
    else expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await roleOf(id, target)).toBe(isAllowed ? to : from)
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('organization_id', '=', id)
      .select(['action', 'fields', 'target_id'])
      .execute()
    const changed = { action: 'member.updated', fields: '["role"]', target_id: target.id }
    const refused = { action: 'member.update_refused', fields: '[]', target_id: target.id }
    expect(events).toEqual(isAllowed ? (from === to ? [] : [changed]) : [refused])
  })

  test.each(['viewer', 'member', 'admin'] as const)('a %s does not raise itself', async (role) => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, role)
    const answer = await app.call('PATCH', memberOf(id, target), { as: target, body: { role: 'owner' } })
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    expect(await roleOf(id, target)).toBe(role)
  })

  test('an admin may step down', async () => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, 'admin')
    const answer = await app.call('PATCH', memberOf(id, target), { as: target, body: { role: 'viewer' } })
    expect(answer).toMatchObject({ status: 200, body: { role: 'viewer' } })
  })

  test('a member of another organization is not found here', async () => {
    const id = await buildHouse(await buildUser(app.ctx), 'member')
    const stranger = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: stranger, role: 'member' }])
    for (const method of ['PATCH', 'DELETE'] as const) {
      const body = method === 'PATCH' ? { role: 'viewer' } : undefined
      const hidden = await app.call(method, memberOf(id, stranger), { as: users.get('owner'), body })
      const unknown = await app.call(method, memberOf(id, { ...stranger, id: 999_999 }), {
        as: users.get('owner'),
        body,
      })
      expect(hidden).toMatchObject({ status: 404, body: { code: 'not_found' } })
      expect(unknown.body.detail).toBe(hidden.body.detail)
    }
  })

  test.each([{ is_platform_admin: true }, { user_id: 1 }, { organization_id: 1 }])(
    'a role cannot carry %j along',
    async (more) => {
      const target = await buildUser(app.ctx)
      const id = await buildHouse(target, 'member')
      const body = { role: 'admin', ...more }
      const answer = await app.call('PATCH', memberOf(id, target), { as: users.get('owner'), body })
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ code: 'unknown_field' }] } })
      expect(await roleOf(id, target)).toBe('member')
    },
  )

  test.each(['Owner', 'root', '', null, ['owner'], 1])('%j is no role', async (role) => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, 'member')
    const answer = await app.call('PATCH', memberOf(id, target), { as: users.get('owner'), body: { role } })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/role' }] } })
  })

  test('records of a member who becomes a viewer go to the oldest owner', async () => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, 'admin')
    const project = await buildProject(app.ctx, { organizationId: id, ownerId: target.id })
    const environment = await buildEnvironment(app.ctx, project)
    const change = (role: Role) => app.call('PATCH', memberOf(id, target), { as: users.get('owner'), body: { role } })
    const owners = async () => [
      (await app.call('GET', `/api/projects/${project.id}`, { as: target })).body.owner.id,
      (await app.call('GET', `/api/environments/${environment.id}`, { as: target })).body.owner.id,
    ]
    await change('member')
    expect(await owners()).toEqual([target.id, target.id])
    await change('viewer')
    const newOwnerId = users.get('owner')?.id
    expect(await owners()).toEqual([newOwnerId, newOwnerId])
  })

  test('tokens and sessions that were made with the earlier role have the one of now, at once', async () => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, 'admin')
    const bound = await buildToken(app.ctx, target.id, { organization_id: id })
    const oauth = await buildOauthToken(app.ctx, target.id)
    const credentials = [
      { authorization: `Bearer ${target.token}` },
      { authorization: `Bearer ${bound}` },
      { authorization: `Bearer ${oauth}` },
      await buildSession(app.ctx, target.id),
    ]
    const statuses = () =>
      Promise.all(
        credentials.map(
          async (headers) => (await app.call('GET', `/api/organizations/${id}/audit`, { headers })).status,
        ),
      )
    const change = (role: Role) => app.call('PATCH', memberOf(id, target), { as: users.get('owner'), body: { role } })
    expect(await statuses()).toEqual([200, 200, 200, 200])
    await change('member')
    expect(await statuses()).toEqual([403, 403, 403, 403])
    await change('admin')
    expect(await statuses()).toEqual([200, 200, 200, 200])
  })

  test('a viewer who is still written down as the owner of a project has no right of an owner', async () => {
    const target = await buildUser(app.ctx)
    const id = await buildHouse(target, 'viewer')
    const project = await buildProject(app.ctx, { organizationId: id, ownerId: target.id })
    const awaiting = await buildForkEnvironment(app.ctx, project, { number: 7, headSha: 'a'.repeat(40) })
    const refused = { status: 403, body: { code: 'insufficient_role' } }
    const secret = await app.call('POST', `/api/projects/${project.id}/webhook-secret`, { as: target })
    expect(secret).toMatchObject(refused)
    const body = { commit_sha: 'a'.repeat(40) }
    const approval = await app.call('POST', `/api/environments/${awaiting.id}/approval`, { as: target, body })
    expect(approval).toMatchObject(refused)
  })

  test('the last owner stays one', async () => {
    const target = await buildUser(app.ctx)
    const id = (await buildOrganization(app.ctx, [{ user: target, role: 'owner' }])).id
    const answer = await app.call('PATCH', memberOf(id, target), { as: target, body: { role: 'admin' } })
    expect(answer).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    expect(await roleOf(id, target)).toBe('owner')
  })

  const rounds = Array.from({ length: 8 }, (_, round) => round)
  test.each(rounds)('two owners who step down at once leave one owner (%i)', async () => {
    const [one, other] = [await buildUser(app.ctx), await buildUser(app.ctx)]
    const owners = [one, other].map((user) => ({ user, role: 'owner' as const }))
    const id = (await buildOrganization(app.ctx, owners)).id
    const answers = await Promise.all(
      [one, other].map((user) => app.call('PATCH', memberOf(id, user), { as: user, body: { role: 'member' } })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    expect([await roleOf(id, one), await roleOf(id, other)].toSorted()).toEqual(['member', 'owner'])
  })

  test.each(rounds)('of two owners who demote each other at once, one has lost the right to (%i)', async () => {
    const [one, other] = [await buildUser(app.ctx), await buildUser(app.ctx)]
    const owners = [one, other, await buildUser(app.ctx)].map((user) => ({ user, role: 'owner' as const }))
    const id = (await buildOrganization(app.ctx, owners)).id
    const answers = await Promise.all([
      app.call('PATCH', memberOf(id, other), { as: one, body: { role: 'viewer' } }),
      app.call('PATCH', memberOf(id, one), { as: other, body: { role: 'viewer' } }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 403])
    expect([await roleOf(id, one), await roleOf(id, other)].toSorted()).toEqual(['owner', 'viewer'])
  })
})
