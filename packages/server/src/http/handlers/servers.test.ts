// Servers over HTTP, as those who may and those who may not.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildProject, buildServer, buildUser, type TestUser } from '../../../test/factories.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'

describe.each(databases)('servers on $name', (source) => {
  let app: TestApp
  let admin: TestUser
  let organizationId: number

  beforeAll(async () => {
    app = await openTestApp(source)
    admin = await buildUser(app.ctx)
    organizationId = (await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])).id
  })
  afterAll(() => app.close())

  test('an admin registers a server, and the answer has every field', async () => {
    const answer = await app.call('POST', '/api/servers', {
      as: admin,
      body: { name: 'One', hostname: 'one.example.com' },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/api/servers/${answer.body.id}`)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'One',
      hostname: 'one.example.com',
      organization_id: organizationId,
      port: 22,
      user: 'shipway',
      connection: 'ssh',
      edge: 'haproxy',
      host_key: null,
      authority_key: app.ctx.authorityKey,
      project_count: 0,
      created_at: '2026-01-02T03:04:05.678Z',
    })
  })

  test("the platform's own machine is for platform administrators, and has the embedded edge unless told", async () => {
    const body = { name: 'Here', hostname: 'localhost', connection: 'local' }
    const refused = await app.call('POST', '/api/servers', { as: admin, body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    const platformAdmin = await buildUser(app.ctx, { is_platform_admin: 1 })
    await buildOrganization(app.ctx, [{ user: platformAdmin, role: 'admin' }])
    const answer = await app.call('POST', '/api/servers', { as: platformAdmin, body })
    expect(answer).toMatchObject({ status: 201, body: { connection: 'local', edge: 'embedded' } })
  })

  test('a list goes on page by page, newest first, until all were seen once', async () => {
    const user = await buildUser(app.ctx)
    const { id } = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    const servers = []
    for (let number = 0; number < 5; number++) servers.unshift((await buildServer(app.ctx, id)).id)
    const seen: number[] = []
    let url: string | undefined = '/api/servers?limit=2'
    while (url !== undefined) {
      const page = await app.call('GET', url, { as: user })
      seen.push(...page.body.map((server: { id: number }) => server.id))
      url = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seen).toEqual(servers)
  })

  test('a change is written to the audit log by the names of its fields', async () => {
    const server = await buildServer(app.ctx, organizationId)
    const changed = await app.call('PATCH', `/api/servers/${server.id}`, {
      as: admin,
      body: { name: 'New', port: 2222 },
    })
    expect(changed.body).toMatchObject({ name: 'New', port: 2222, hostname: server.hostname })
    const events = await app.ctx.db.selectFrom('audit_events').where('target_id', '=', server.id).selectAll().execute()
    expect(events).toMatchObject([{ action: 'server.updated', fields: '["name","port"]', user_id: admin.id }])
  })

  test('a server that a project uses stays', async () => {
    const server = await buildServer(app.ctx, organizationId)
    await buildProject(app.ctx, { organizationId, ownerId: admin.id, serverId: server.id })
    const refused = await app.call('DELETE', `/api/servers/${server.id}`, { as: admin })
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(await app.call('GET', `/api/servers/${server.id}`, { as: admin })).toMatchObject({ status: 200 })
  })

  test('a server that nothing uses goes', async () => {
    const server = await buildServer(app.ctx, organizationId)
    expect(await app.call('DELETE', `/api/servers/${server.id}`, { as: admin })).toMatchObject({
      status: 204,
      text: '',
    })
    expect(await app.call('GET', `/api/servers/${server.id}`, { as: admin })).toMatchObject({ status: 404 })
  })
})
