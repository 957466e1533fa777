// Projects over HTTP: changed and deleted, by those who may and those who may not.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('changes of projects on $name', (source) => {
  const app = stageApp(source)
  let [owner, admin, member, viewer, platformAdmin]: TestUser[] = []
  let organizationId: number

  beforeAll(async () => {
    owner = await buildUser(app.ctx)
    admin = await buildUser(app.ctx)
    member = await buildUser(app.ctx)
    viewer = await buildUser(app.ctx)
    platformAdmin = await buildUser(app.ctx, { is_platform_admin: 1 })
    const members = [
      { user: owner, role: 'owner' },
      { user: admin, role: 'admin' },
      { user: member, role: 'member' },
      { user: viewer, role: 'viewer' },
    ] as const
    organizationId = (await buildOrganization(app.ctx, members)).id
  })

  const build = (overrides: Parameters<typeof buildProject>[2] = {}) =>
    buildProject(app.ctx, { organizationId, ownerId: admin?.id ?? 0 }, overrides)
  const patch = (id: number, body: Record<string, unknown>, as: TestUser | undefined = admin) =>
    app.call('PATCH', `/api/projects/${id}`, { as, body })
  const rowOf = (id: number) => app.ctx.db.selectFrom('projects').where('id', '=', id).selectAll().executeTakeFirst()
  const eventsOf = async (id: number) => {
    const events = await app.ctx.db.selectFrom('audit_events').where('target_id', '=', id).selectAll().execute()
    return events.filter(({ target_kind }) => target_kind === 'project')
  }

  test('an admin changes what is sent and nothing else, and the audit log has the names', async () => {
    const project = await build()
    const changed = await patch(project.id, { name: 'New', tls: 'automatic', custom_domains: ['x.test', 'x.test'] })
    expect(changed).toMatchObject({
      status: 200,
      body: { name: 'New', tls: 'automatic', custom_domains: ['x.test'], domain: project.domain },
    })
    expect(changed.body.webhook).toBeUndefined()
    expect(await eventsOf(project.id)).toMatchObject([
      { action: 'project.updated', fields: '["name","custom_domains","tls"]', user_id: admin?.id },
    ])
  })

  test.each([
    ['organization_id', 2],
    ['limit', 1000],
    ['role', 'owner'],
    ['is_platform_admin', true],
    ['protected', false],
    ['hook_id', 'x'],
    ['constructor', { prototype: { admin: true } }],
  ])('a field %s that a project does not take is named and changes nothing', async (field, value) => {
    const project = await build()
    const answer = await patch(project.id, { name: 'New', [field]: value })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: `/${field}`, code: 'unknown_field' }] } })
    expect(await rowOf(project.id)).toMatchObject({ name: project.name, organization_id: organizationId })
  })

  test('the limit is changed by a platform administrator alone, on any project', async () => {
    const project = await build()
    for (const as of [owner, admin, viewer]) {
      expect(await patch(project.id, { environment_limit: 30 }, as)).toMatchObject({ status: 403 })
    }
    expect(await patch(project.id, { environment_limit: 30 }, platformAdmin)).toMatchObject({
      status: 200,
      body: { id: project.id, environment_limit: 30 },
    })
    expect(await eventsOf(project.id)).toMatchObject([{ fields: '["environment_limit"]', user_id: platformAdmin?.id }])
  })

  test('a platform administrator who is no member reaches nothing but the limit', async () => {
    const project = await build()
    const absent = await patch(999_999, { environment_limit: 30 }, platformAdmin)
    for (const body of [{ name: 'Mine' }, { name: 'Mine', environment_limit: 30 }, {}]) {
      const answer = await patch(project.id, body, platformAdmin)
      expect(answer).toMatchObject({ status: 404, body: { code: 'not_found', detail: absent.body.detail } })
    }
    expect(await rowOf(project.id)).toMatchObject({ name: project.name, environment_limit: 20 })
  })

  test('an organization owner hands a project to a member of the organization', async () => {
    const project = await build()
    const stranger = await buildUser(app.ctx)
    expect(await patch(project.id, { owner_id: member?.id }, admin)).toMatchObject({ status: 403 })
    for (const user of [stranger, viewer]) {
      expect(await patch(project.id, { owner_id: user?.id }, owner)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/owner_id', code: 'not_a_member' }] },
      })
    }
    expect(await patch(project.id, { owner_id: member?.id }, owner)).toMatchObject({
      status: 200,
      body: { owner: { id: member?.id, name: member?.name } },
    })
  })

  test('a repository on another host gets a new key and a new secret, and the old ones are gone', async () => {
    const project = await build({
      repo_url: 'https://git.good.example/a.git',
      earlier_webhook_secret_sealed: 'earlier',
    })
    const same = await patch(project.id, { repo_url: 'https://git.good.example/b.git' })
    expect(same.body.webhook).toBeUndefined()
    expect(await rowOf(project.id)).toMatchObject({
      webhook_secret_sealed: 'sealed',
      earlier_webhook_secret_sealed: 'earlier',
    })
    const moved = await patch(project.id, { repo_url: 'https://gitea.evil.example/a.git' })
    expect(moved).toMatchObject({
      status: 200,
      body: {
        repository_host: 'gitea',
        repository_key: expect.stringMatching(/^ssh-ed25519 AAAAC3/),
        webhook: { secret: expect.stringMatching(/^shw_hook_/) },
      },
    })
    const row = await rowOf(project.id)
    expect(row?.earlier_webhook_secret_sealed).toBeNull()
    expect([row?.webhook_secret_sealed, row?.repository_private_key_sealed]).not.toContain('sealed')
    expect(await eventsOf(project.id)).toMatchObject([
      { fields: '["repo_url"]' },
      { fields: '["repo_url","webhook_secret","repository_key"]' },
    ])
  })

  test('saving the address of the repository lets the next connection pin its host anew', async () => {
    const project = await build({ repository_host_key: 'ssh-ed25519 AAAA-old' })
    await patch(project.id, { name: 'Renamed' })
    expect(await rowOf(project.id)).toMatchObject({ repository_host_key: 'ssh-ed25519 AAAA-old' })
    await patch(project.id, { repo_url: project.repo_url })
    expect(await rowOf(project.id)).toMatchObject({ repository_host_key: null })
  })

  test('a server that still has environments stays with the project', async () => {
    const project = await build()
    const { name } = await buildEnvironment(app.ctx, project)
    const next = await buildServer(app.ctx, organizationId)
    const refused = await patch(project.id, { server_ids: [next.id] })
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(refused.body.detail).toContain(name)
    const both = await patch(project.id, { server_ids: [next.id, project.serverId] })
    expect(both.body.servers.map(({ id }: { id: number }) => id)).toEqual([next.id, project.serverId])
  })

  test('a project keeps the domains that its environments answer at', async () => {
    const project = await build({ domain: 'kept.test' })
    const { id, name } = await buildEnvironment(app.ctx, project)
    const refused = await patch(project.id, { domain: 'moved.test' })
    expect(refused).toMatchObject({ status: 409, body: { code: 'in_use' } })
    expect(refused.body.detail).toContain(name)
    const moved = await patch(project.id, { domain: 'moved.test', custom_domains: ['kept.test'] })
    expect(moved).toMatchObject({ status: 200, body: { domain: 'moved.test', custom_domains: ['kept.test'] } })
    expect(await patch(project.id, { custom_domains: [] })).toMatchObject({ status: 409, body: { code: 'in_use' } })
    const body = { domain: `${name}.moved.test` }
    expect(await app.call('PATCH', `/api/environments/${id}`, { as: admin, body })).toMatchObject({ status: 200, body })
    expect(await patch(project.id, { custom_domains: [] })).toMatchObject({ status: 200, body: { custom_domains: [] } })
  })

  test('a project without anything on a server is gone at once', async () => {
    const project = await build()
    const environment = await buildEnvironment(app.ctx, project)
    const answer = await app.call('DELETE', `/api/projects/${project.id}`, { as: admin })
    expect(answer).toMatchObject({
      status: 202,
      body: { id: project.id, status: 'deleting', environment_count: 1, servers: [{ id: project.serverId }] },
    })
    expect(await rowOf(project.id)).toBeUndefined()
    expect(await app.call('GET', `/api/environments/${environment.id}`, { as: admin })).toMatchObject({ status: 404 })
    expect((await eventsOf(project.id)).at(-1)).toMatchObject({ action: 'project.deleted' })
  })

  test('protected environments have to be confirmed by name', async () => {
    const project = await build()
    const kept = await buildEnvironment(app.ctx, project, { is_protected: 1 })
    await buildEnvironment(app.ctx, project)
    for (const body of [undefined, {}, { confirm_protected: false }]) {
      const refused = await app.call('DELETE', `/api/projects/${project.id}`, { as: owner, body })
      expect(refused).toMatchObject({
        status: 409,
        body: { code: 'confirmation_required', environments: [{ id: kept.id, name: kept.name }] },
      })
    }
    expect(await rowOf(project.id)).toMatchObject({ deleting_since: null })
    const body = { confirm_protected: true }
    expect(await app.call('DELETE', `/api/projects/${project.id}`, { as: owner, body })).toMatchObject({ status: 202 })
    expect(await rowOf(project.id)).toBeUndefined()
  })

  test('what is on a server is queued for removal first, and the project takes no change meanwhile', async () => {
    const project = await build()
    const deployed = await buildEnvironment(app.ctx, project)
    await buildTask(app.ctx, deployed.id, { status: 'succeeded', started_at: 1, finished_at: 2 })
    const busy = await buildEnvironment(app.ctx, project)
    const running = await buildTask(app.ctx, busy.id, { status: 'running', started_at: 1 })
    const waiting = await buildTask(app.ctx, busy.id)
    const untouched = await buildEnvironment(app.ctx, project)
    const answer = await app.call('DELETE', `/api/projects/${project.id}`, { as: admin })
    expect(answer).toMatchObject({ status: 202, body: { status: 'deleting', environment_count: 3 } })
    expect((await app.call('GET', `/api/projects/${project.id}`, { as: viewer })).body).toMatchObject({
      status: 'deleting',
      environment_count: 2,
    })
    const tasks = await app.ctx.db
      .selectFrom('tasks')
      .where('environment_id', 'in', [deployed.id, busy.id, untouched.id])
      .where('id', '>=', running.id)
      .orderBy('environment_id')
      .orderBy('id')
      .selectAll()
      .execute()
    expect(tasks).toMatchObject([
      { environment_id: deployed.id, kind: 'remove', status: 'queued', cause: 'api', started_by: admin?.id },
      { id: running.id, status: 'running' },
      { id: waiting.id, status: 'canceled', reason: 'superseded' },
      { environment_id: busy.id, kind: 'remove', status: 'queued' },
      { environment_id: untouched.id, kind: 'remove', status: 'succeeded' },
    ])
    const refusals = [
      await app.call('DELETE', `/api/projects/${project.id}`, { as: admin }),
      await patch(project.id, { name: 'New' }),
      await patch(project.id, { environment_limit: 30 }, platformAdmin),
      await app.call('POST', `/api/projects/${project.id}/webhook-secret`, { as: admin }),
      await app.call('POST', `/api/projects/${project.id}/environments`, {
        as: admin,
        body: { name: 'x', branch: 'y' },
      }),
    ]
    for (const refused of refusals) expect(refused).toMatchObject({ status: 409, body: { code: 'project_deleting' } })
  })
})
