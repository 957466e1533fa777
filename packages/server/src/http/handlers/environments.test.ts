// Environments over HTTP: made, listed, read, and what their tasks say about them.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildTask,
  buildUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageMembers } from '../../../test/stage/stage-members.ts'
import { environmentPasswordContext } from '../../domain/encryption-context.ts'

describe.each(databases)('environments on $name', (source) => {
  const app = stageApp(source)
  const { member, admin, organization } = stageMembers(app, { member: 'member', admin: 'admin' })

  const build = (overrides: Parameters<typeof buildProject>[2] = {}) =>
    buildProject(app.ctx, { organizationId: organization.id, ownerId: member.id }, overrides)
  const create = (projectId: number, body: Record<string, unknown> = {}, as = member) =>
    app.call('POST', `/api/projects/${projectId}/environments`, {
      as,
      body: { name: 'main', branch: 'main', ...body },
    })
  const read = async (id: number) => (await app.call('GET', `/api/environments/${id}`, { as: member })).body

  test('a member makes an environment, and the answer has every field', async () => {
    const project = await build({ domain: 'full.test' })
    const server = await app.ctx.db
      .selectFrom('servers')
      .where('id', '=', project.serverId)
      .select(['id', 'name', 'hostname'])
      .executeTakeFirst()
    const answer = await create(project.id)
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/api/environments/${answer.body.id}`)
    expect(answer.body).toEqual({
      id: expect.any(Number),
      project_id: project.id,
      name: 'main',
      title: '',
      type: 'manual',
      pull_request: null,
      branch: 'main',
      recipe: null,
      effective_recipe: 'docker',
      server,
      domain: 'main.full.test',
      url: 'http://main.full.test',
      services: [],
      protected: false,
      sticky: false,
      auto_deploy: true,
      basic_auth: null,
      limits: { cpus: null, memory_mb: null, processes: null, defaults: ['cpus', 'memory_mb', 'processes'] },
      owner: { id: member.id, name: member.name },
      status: 'new',
      locked: false,
      active_task: null,
      last_task: null,
      last_deployment: null,
      live: null,
      variables_changed: false,
      created_at: '2026-01-02T03:04:05.678Z',
      updated_at: '2026-01-02T03:04:05.678Z',
      expires_at: null,
      waiting_for_checks: null,
      schedules: null,
      upload: null,
    })
    expect(await read(answer.body.id)).toEqual(answer.body)
    const events = await app.ctx.db.selectFrom('audit_events').selectAll().execute()
    expect(events.at(-1)).toMatchObject({ action: 'environment.created', target_id: answer.body.id })
  })

  test('what is asked for at creation is kept, and the recipe is taken from the project unless set', async () => {
    const project = await build({ default_recipe: 'manual', tls: 'automatic' })
    const second = await buildServer(app.ctx, organization.id)
    const link = { project_id: project.id, server_id: second.id, position: 1 }
    await app.ctx.db.insertInto('project_servers').values(link).execute()
    const wanted = { title: 'Stage', server_id: second.id, auto_deploy: false, protected: true, sticky: true }
    const { body } = await create(project.id, { ...wanted, recipe: 'docker' }, admin)
    expect(body).toMatchObject({
      title: 'Stage',
      server: { id: second.id },
      auto_deploy: false,
      protected: true,
      sticky: true,
      recipe: 'docker',
      effective_recipe: 'docker',
      url: `https://main.${project.domain}`,
    })
    const inherited = await create(project.id, { name: 'other', recipe: null })
    expect(inherited.body).toMatchObject({ recipe: null, effective_recipe: 'manual', server: { id: project.serverId } })
  })

  test('basic auth is its own, else that of the project, and the password is never shown', async () => {
    const project = await build({ basic_auth_username: 'all', basic_auth_password_sealed: 'sealed' })
    const inherited = await create(project.id, { name: 'one' })
    expect(inherited.body.basic_auth).toEqual({ username: 'all', inherited: true })
    const own = await create(project.id, { name: 'two', basic_auth: { username: 'me', password: 'x-secret-x' } })
    expect(own.body.basic_auth).toEqual({ username: 'me', inherited: false })
    const row = await app.ctx.db
      .selectFrom('environments')
      .where('id', '=', own.body.id)
      .select('basic_auth_password_sealed as sealed')
      .executeTakeFirstOrThrow()
    expect(app.ctx.box.open(row.sealed ?? '', environmentPasswordContext(own.body.id)).reveal()).toBe('x-secret-x')
    const events = await app.ctx.db.selectFrom('audit_events').selectAll().execute()
    const list = await app.call('GET', `/api/projects/${project.id}/environments`, { as: member })
    const seen = [own.text, list.text, ...app.logLines, JSON.stringify(events)].join('\n')
    expect(seen).not.toContain('x-secret-x')
  })

  test('sticky ones come first, then manual, then pull requests, newest first in each, page by page', async () => {
    const project = await build()
    const pr = (number: number) =>
      ({ type: 'pull_request', pull_request_number: number, name: `pr-${number}` }) as const
    const built: number[] = []
    for (const overrides of [{}, pr(1), { is_sticky: 1 }, pr(2), {}, { ...pr(3), is_sticky: 1 }, {}] as const) {
      built.push((await buildEnvironment(app.ctx, project, overrides)).id)
    }
    await buildEnvironment(app.ctx, project, { removed_at: 1 })
    await buildEnvironment(app.ctx, project, { ...pr(4), awaits_approval: 1, created_at: 1 })
    const order = [5, 2, 6, 4, 0, 3, 1].map((index) => built[index])
    for (const limit of [1, 2, 3, 100]) {
      const seen: { id: number; name: string }[] = []
      let url: string | undefined = `/api/projects/${project.id}/environments?limit=${limit}`
      while (url !== undefined) {
        const page = await app.call('GET', url, { as: member })
        expect(page.headers['x-service-environments']).toBe('7/20')
        seen.push(...page.body)
        url = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
      }
      expect(seen.filter(({ name }) => name !== 'pr-4').map(({ id }) => id)).toEqual(order)
      expect(seen).toHaveLength(8)
    }
  })

  test('a project that is hidden has no list, as one that does not exist', async () => {
    const owner = await buildUser(app.ctx)
    const other = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const foreign = await buildProject(app.ctx, { organizationId: other.id, ownerId: owner.id })
    const environment = await buildEnvironment(app.ctx, foreign)
    for (const url of [`/api/projects/${foreign.id}/environments`, '/api/projects/999999/environments']) {
      expect(await app.call('GET', url, { as: member })).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await create(foreign.id)).toMatchObject({ status: 404 })
    expect(await app.call('GET', `/api/environments/${environment.id}`, { as: member })).toMatchObject({ status: 404 })
  })

  test('thirty that are asked for at once fill a limit of twenty exactly', async () => {
    const project = await build()
    const pending = Array.from({ length: 30 }, (_, index) => create(project.id, { name: `e${index}` }))
    const answers = await Promise.all(pending)
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(20)
    const refused = answers.filter(({ status }) => status !== 201)
    for (const { status, body } of refused) {
      expect([status, body.code, body.used, body.limit]).toEqual([409, 'environment_limit_reached', 20, 20])
    }
    const list = await app.call('GET', `/api/projects/${project.id}/environments`, { as: member })
    expect([list.body.length, list.headers['x-service-environments']]).toEqual([20, '20/20'])
  })

  test('one that was removed or awaits approval takes no slot', async () => {
    const project = await build({ environment_limit: 1 })
    const waiting = { type: 'pull_request', pull_request_number: 5, name: 'pr-5', awaits_approval: 1 } as const
    await buildEnvironment(app.ctx, project, waiting)
    await buildEnvironment(app.ctx, project, { name: 'main', removed_at: 1 })
    await app.ctx.db.deleteFrom('domains').where('domain', '=', `main.${project.domain}`).execute()
    expect(await create(project.id)).toMatchObject({ status: 201 })
    expect(await create(project.id, { name: 'more' })).toMatchObject({ status: 409, body: { used: 1, limit: 1 } })
  })

  test('a name is given once in a project', async () => {
    const [one, two] = [await build(), await build()]
    await create(one.id)
    expect(await create(one.id)).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/name', code: 'taken' }] },
    })
    expect(await create(two.id)).toMatchObject({ status: 201 })
  })

  test('a domain lies under the project, belongs to one environment, and is not the platform or a pull request', async () => {
    const project = await build({ domain: 'example.com', custom_domains: '["shop.test","pr-3.example.com"]' })
    for (const domain of ['example.com', 'a.b.example.com', 'shop.test', 'a.pr-3.example.com']) {
      const name = `n${domain.length}`
      expect(await create(project.id, { name, domain })).toMatchObject({ status: 201, body: { domain } })
    }
    for (const [domain, code] of [
      ['shop.test', 'taken'],
      ['other.test', 'outside_project'],
      ['pr-7.example.com', 'reserved'],
      ['pr-3.example.com', 'reserved'],
      ['pr-7.shop.test', 'reserved'],
      ['pr-7-api.example.com', 'reserved'],
      ['ship.example.com', 'reserved'],
    ]) {
      const refused = await create(project.id, { name: 'refused', domain })
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/domain', code }] } })
    }
    const named = await create(project.id, { name: 'ship' })
    expect(named).toMatchObject({ status: 422, body: { errors: [{ pointer: '/domain', code: 'reserved' }] } })
  })

  test('a server that is not the project’s is refused, be it of the organization, foreign or absent', async () => {
    const project = await build()
    const own = await buildServer(app.ctx, organization.id)
    const foreign = await buildServer(app.ctx, (await buildOrganization(app.ctx)).id)
    for (const server_id of [own.id, foreign.id, 999_999]) {
      expect(await create(project.id, { server_id })).toMatchObject({
        status: 422,
        body: {
          detail: 'Choose one of the servers of the project',
          errors: [{ pointer: '/server_id', code: 'not_found' }],
        },
      })
    }
  })

  test('tasks show the status, what is live, what runs and whether the variables have changed', async () => {
    const environment = await buildEnvironment(app.ctx, await build(), { variables_version: 2 })
    const { id } = environment
    const sha = 'a'.repeat(40)
    const ended = { started_at: 1000, finished_at: 2000 } as const
    expect(await read(id)).toMatchObject({ status: 'new', variables_changed: true })
    const good = await buildTask(app.ctx, id, { ...ended, status: 'succeeded', commit_sha: sha, variables_version: 2 })
    expect(await read(id)).toMatchObject({
      status: 'running',
      locked: false,
      last_task: { id: good.id, status: 'succeeded', finished_at: '1970-01-01T00:00:02.000Z' },
      live: { task_id: good.id, commit_sha: sha, since: '1970-01-01T00:00:02.000Z' },
      variables_changed: false,
    })
    const bad = await buildTask(app.ctx, id, { ...ended, status: 'failed', variables_version: 1 })
    expect(await read(id)).toMatchObject({ status: 'failed', live: { task_id: good.id }, variables_changed: true })
    const action = await buildTask(app.ctx, id, { ...ended, status: 'succeeded', kind: 'action' })
    expect(await read(id)).toMatchObject({
      status: 'failed',
      last_task: { id: action.id },
      last_deployment: { id: bad.id, status: 'failed' },
      live: { task_id: good.id },
    })
    const queued = await buildTask(app.ctx, id, { variables_version: 2 })
    expect(await read(id)).toMatchObject({
      status: 'deploying',
      locked: true,
      active_task: { id: queued.id, status: 'queued', kind: 'deploy' },
      variables_changed: true,
    })
    const running = await buildTask(app.ctx, id, { status: 'running', started_at: 3000, variables_version: 2 })
    expect(await read(id)).toMatchObject({
      active_task: { id: running.id, status: 'running', kind: 'deploy' },
      variables_changed: false,
    })
  })

  test('services have domains and addresses of their own', async () => {
    const project = await build({ tls: 'automatic' })
    const environment = await buildEnvironment(app.ctx, project, { name: 'main' })
    const domain = `main-api.${project.domain}`
    await app.ctx.db.insertInto('domains').values({ domain, environment_id: environment.id, service: 'api' }).execute()
    expect(await read(environment.id)).toMatchObject({
      domain: `main.${project.domain}`,
      services: [{ name: 'api', domain, url: `https://${domain}` }],
    })
  })

  test('the log endpoint of old is gone, and says what to use', async () => {
    const answer = await app.call('GET', '/api/environments/1/logs', { as: member })
    expect(answer).toMatchObject({ status: 410, body: { code: 'endpoint_removed', removed_in: 'v1.11.2' } })
    expect(answer.body.detail).toContain('shipway logs')
    expect(answer.body.detail).toContain('POST /api/servers/{id}/ssh')
  })
})
