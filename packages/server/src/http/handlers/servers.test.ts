// Servers over HTTP, as those who may and those who may not.
import { userInfo } from 'node:os'
import { NewToken } from '@shipway/api/people'
import { NewServer } from '@shipway/api/servers'
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildRunningTask,
  buildServer,
  buildTask,
  buildUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageMembers } from '../../../test/stage/stage-members.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { ServerNotReached, ServerTimeout } from '../../domain/errors.ts'
import type { Actor } from '../../domain/people/actor.ts'
import { createToken } from '../../operations/credentials/create-token.ts'
import { createServer } from '../../operations/servers/create-server.ts'
import { endTask } from '../../progress/progress.ts'
import type { Servers } from '../../remote/set-up/servers.ts'
import { findSshAuthority } from '../../store/access/ssh-authorities.ts'

describe.each(databases)('servers on $name', (source) => {
  const app = stageApp(source)
  const { admin, organization } = stageMembers(app, { admin: 'admin' })

  test('an admin registers a server, and the answer has every field', async () => {
    const answer = await app.call('POST', '/api/servers', {
      as: admin,
      body: { name: 'One', hostname: 'one.example.com' },
    })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/api/servers/${answer.body.id}`)
    const people = (await findSshAuthority(app.ctx.db, organization.id))?.publicKey
    expect(answer.body).toEqual({
      id: expect.any(Number),
      name: 'One',
      hostname: 'one.example.com',
      organization_id: organization.id,
      port: 22,
      user: 'shipway-deploy',
      connection: 'ssh',
      edge: 'haproxy',
      runtime: 'compose',
      host_key: null,
      principal: expect.stringMatching(new RegExp(`^shipway-${organization.id}-[0-9a-f]{32}$`)),
      needs_setup: true,
      setup_command:
        'curl -fsSL https://ship.example.com/server.sh | sudo sh -s -- --installation test --user shipway-deploy ' +
        `--principal ${answer.body.principal} --authority '${app.ctx.sshAuthorityKey}' --people '${people}'`,
      setup_warning: null,
      authority_key: app.ctx.sshAuthorityKey,
      project_count: 0,
      created_at: '2026-01-02T03:04:05.678Z',
      managers: [],
      nodes: [],
      nodes_seen_at: null,
      registry: null,
    })
  })

  test('an organization has no two servers of one name, also not of two requests at a time', async () => {
    const add = (name: string, as: { token: string } = admin) =>
      app.call('POST', '/api/servers', { as, body: { name, hostname: 'twin.example.com' } })
    const taken = { status: 422, body: { errors: [{ pointer: '/name', code: 'taken' }] } }
    const answers = await Promise.all([add('Twin'), add('Twin')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
    expect(await add('Twin')).toMatchObject(taken)
    const other = await add('Other')
    const change = (name: string) => app.call('PATCH', `/api/servers/${other.body.id}`, { as: admin, body: { name } })
    expect(await change('Twin')).toMatchObject(taken)
    expect(await change('Other')).toMatchObject({ status: 200 })
    const stranger = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: stranger, role: 'admin' }])
    expect(await add('Twin', stranger)).toMatchObject({ status: 201 })
  })

  test("the platform's own machine is for platform administrators, and has the embedded edge by default", async () => {
    const body = { name: 'Here', hostname: 'localhost', connection: 'local' }
    const refused = await app.call('POST', '/api/servers', { as: admin, body })
    expect(refused).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    const platformAdmin = await buildUser(app.ctx, { is_platform_admin: 1 })
    await buildOrganization(app.ctx, [{ user: platformAdmin, role: 'admin' }])
    const answer = await app.call('POST', '/api/servers', { as: platformAdmin, body })
    expect(answer).toMatchObject({
      status: 201,
      body: { connection: 'local', edge: 'embedded', setup_command: null, setup_warning: null, needs_setup: false },
    })
  })

  test("on the platform's own machine everything runs as the platform's user, and no other can be named", async () => {
    const user = await buildUser(app.ctx, { is_platform_admin: 1 })
    await buildOrganization(app.ctx, [{ user, role: 'admin' }])
    const own = userInfo().username
    const body = { name: 'Here', hostname: 'localhost', connection: 'local' }
    const fault = { pointer: '/user', code: 'not_the_platform', detail: expect.stringContaining(`runs as ${own}`) }
    const refused = { status: 422, body: { errors: [fault] } }
    expect(await app.call('POST', '/api/servers', { as: user, body: { ...body, user: 'nobody' } })).toMatchObject(
      refused,
    )
    const made = await app.call('POST', '/api/servers', { as: user, body })
    expect(made).toMatchObject({ status: 201, body: { user: own } })
    const change = (name: string) =>
      app.call('PATCH', `/api/servers/${made.body.id}`, { as: user, body: { user: name } })
    expect(await change('nobody')).toMatchObject(refused)
    expect(await change(own)).toMatchObject({ status: 200, body: { user: own } })
  })

  test('anybody may read the script that makes a machine a server, and it holds nothing of this installation', async () => {
    const answer = await app.call('GET', '/server.sh')
    expect(answer).toMatchObject({ status: 200, headers: { 'content-type': 'text/plain; charset=utf-8' } })
    expect(answer.text).toMatch(/^#!\/bin\/sh\n/)
    expect(answer.text).not.toContain(app.ctx.sshAuthorityKey)
    expect(answer.text).not.toContain('ship.example.com')
    // Every blank is filled in but those that the script itself fills in on the server.
    expect(answer.text).not.toMatch(/@edge_/)
  })

  test('a check reports each part of a server and how to fix it', async () => {
    const seen: unknown[] = []
    const checks = [{ name: 'git', status: 'failed', message: 'git is not installed', fix: 'Install it' }] as const
    const inspect: Servers['inspect'] = async (...asked) => {
      seen.push(...asked)
      return { checks, disk: { freeBytes: 1024, totalBytes: 4096 } }
    }
    const other = await openTestApp(source, {}, { servers: { ...app.ctx.servers, inspect } })
    const { user, server } = await adminWithServer(other)
    const answer = await other.call('POST', `/api/servers/${server.id}/check`, { as: user })
    expect(answer).toMatchObject({ status: 200, body: { checks, disk: { free_bytes: 1024, total_bytes: 4096 } } })
    expect(seen).toMatchObject([{ id: server.id, unixUser: 'shipway', edge: 'haproxy' }, { showsDetails: false }])
    await other.close()
  })

  test.each([
    [ServerNotReached('host_key', 'Another key'), { status: 502, code: 'server_unreachable', stage: 'host_key' }],
    [ServerTimeout('One', 30), { status: 504, code: 'server_timeout', detail: expect.stringContaining('30 seconds') }],
  ])('a server that does not answer is an error that says so: %s', async (error, body) => {
    const servers = { ...app.ctx.servers, inspect: () => Promise.reject(error) }
    const other = await openTestApp(source, {}, { servers })
    const { user, server } = await adminWithServer(other)
    const answer = await other.call('POST', `/api/servers/${server.id}/check`, { as: user })
    expect(answer).toMatchObject({ status: body.status, body })
    await other.close()
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
    const server = await buildServer(app.ctx, organization.id)
    const changed = await app.call('PATCH', `/api/servers/${server.id}`, {
      as: admin,
      body: { name: 'New', port: 2222 },
    })
    expect(changed.body).toMatchObject({ name: 'New', port: 2222, hostname: server.hostname })
    const events = await app.ctx.db.selectFrom('audit_events').where('target_id', '=', server.id).selectAll().execute()
    expect(events).toMatchObject([{ action: 'server.updated', fields: '["name","port"]', user_id: admin.id }])
  })

  test('a server that a project uses stays', async () => {
    const server = await buildServer(app.ctx, organization.id)
    await buildProject(app.ctx, { organizationId: organization.id, ownerId: admin.id, serverId: server.id })
    const refused = await app.call('DELETE', `/api/servers/${server.id}`, { as: admin })
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(await app.call('GET', `/api/servers/${server.id}`, { as: admin })).toMatchObject({ status: 200 })
  })

  test('a server that nothing uses goes', async () => {
    const server = await buildServer(app.ctx, organization.id)
    expect(await app.call('DELETE', `/api/servers/${server.id}`, { as: admin })).toMatchObject({
      status: 204,
      text: '',
    })
    expect(await app.call('GET', `/api/servers/${server.id}`, { as: admin })).toMatchObject({ status: 404 })
  })

  test('a server goes that environments ran on which are removed, and their tasks can still be read', async () => {
    const [server, other] = [await buildServer(app.ctx, organization.id), await buildServer(app.ctx, organization.id)]
    const project = await buildProject(app.ctx, {
      organizationId: organization.id,
      ownerId: admin.id,
      serverId: server.id,
    })
    const environment = await buildEnvironment(app.ctx, project, { removed_at: app.ctx.clock() })
    const ended = { status: 'succeeded', started_at: 1, finished_at: 2 } as const
    const task = await buildTask(app.ctx, environment.id, { kind: 'remove', ...ended })
    const servers = { server_ids: [other.id] }
    expect(await app.call('PATCH', `/api/projects/${project.id}`, { as: admin, body: servers })).toMatchObject({
      status: 200,
    })
    expect(await app.call('DELETE', `/api/servers/${server.id}`, { as: admin })).toMatchObject({ status: 204 })
    expect(await app.call('GET', `/api/tasks/${task.id}`, { as: admin })).toMatchObject({ status: 200 })
  })

  test('a server stays as long as an action runs on it, also after its environment has moved away', async () => {
    const [server, other] = [await buildServer(app.ctx, organization.id), await buildServer(app.ctx, organization.id)]
    const project = await buildProject(app.ctx, {
      organizationId: organization.id,
      ownerId: admin.id,
      serverId: other.id,
    })
    const environment = await buildEnvironment(app.ctx, project)
    const lease = await buildRunningTask(app.ctx, environment.id, { kind: 'action', server_id: server.id })
    const remove = () => app.call('DELETE', `/api/servers/${server.id}`, { as: admin })
    const detail = 'A task still runs on this server. Wait for its end, or cancel it'
    expect(await remove()).toMatchObject({ status: 409, body: { code: 'in_use', detail } })
    await endTask(app.ctx, lease, { status: 'succeeded' })
    expect(await remove()).toMatchObject({ status: 204 })
  })

  test('in an organization that was deleted meanwhile no server is registered, and no token made for it', async () => {
    const user = await buildUser(app.ctx)
    const { id } = await buildOrganization(app.ctx, [{ user, role: 'owner' }])
    const actor: Actor = {
      userId: user.id,
      name: user.name,
      isPlatformAdmin: false,
      roles: new Map([[id, 'owner']]),
      scopes: new Set(['read', 'deploy', 'admin']),
      credential: { kind: 'session', id: 1, expiresAt: 0 },
      origin: { address: '127.0.0.1', requestId: 'test' },
    }
    expect(await app.call('DELETE', `/api/organizations/${id}`, { as: user })).toMatchObject({ status: 204 })
    const server = NewServer.parse({ name: 'One', hostname: 'one.example.com' })
    await expect(createServer(app.ctx, actor, server)).rejects.toMatchObject({ code: 'not_found' })
    const token = NewToken.parse({ name: 'One', scopes: ['read'], organization_id: id })
    await expect(createToken(app.ctx, actor, token)).rejects.toMatchObject({ code: 'not_found' })
  })
})

async function adminWithServer({ ctx }: TestApp) {
  const user = await buildUser(ctx)
  const { id } = await buildOrganization(ctx, [{ user, role: 'admin' }])
  return { user, server: await buildServer(ctx, id) }
}
