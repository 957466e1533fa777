// Projects over HTTP: made, read, and what is secret about them.
import { DEFAULT_PULL_REQUEST_RULES } from '@shipway/api/values/pull-request-rules'
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { projectContext } from '../../domain/encryption-context.ts'

describe.each(databases)('projects on $name', (source) => {
  const app = stageApp(source, { allowedNetworks: ['10.1.0.0/16'] })
  let admin: TestUser
  let organizationId: number
  let server: Awaited<ReturnType<typeof buildServer>>
  let count = 0

  beforeAll(async () => {
    admin = await buildUser(app.ctx)
    organizationId = (await buildOrganization(app.ctx, [{ user: admin, role: 'admin' }])).id
    server = await buildServer(app.ctx, organizationId)
  })

  const create = (body: Record<string, unknown> = {}, as = admin) =>
    app.call('POST', '/api/projects', {
      as,
      body: {
        name: 'Shop',
        repo_url: 'https://gitlab.example.com/acme/shop.git',
        domain: `shop${++count}.test`,
        server_ids: [server.id],
        ...body,
      },
    })
  const rowOf = (id: number) =>
    app.ctx.db.selectFrom('projects').where('id', '=', id).selectAll().executeTakeFirstOrThrow()

  test('an admin makes a project, and the answer has every field, with the webhook secret', async () => {
    const answer = await create({ domain: 'Shop.Example.com', basic_auth: { username: 'guest', password: 'pa:ss' } })
    expect(answer.status).toBe(201)
    expect(answer.headers.location).toBe(`/api/projects/${answer.body.id}`)
    const { webhook, ...project } = answer.body
    expect(project).toEqual({
      id: expect.any(Number),
      name: 'Shop',
      repo_url: 'https://gitlab.example.com/acme/shop.git',
      domain: 'shop.example.com',
      environment_count: 0,
      servers: [{ id: server.id, name: server.name, hostname: server.hostname }],
      organization_id: organizationId,
      repository_host: 'gitlab',
      default_recipe: 'docker',
      manual_recipe: 'off',
      environment_limit: 20,
      default_branch: 'main',
      custom_domains: [],
      basic_auth: { username: 'guest' },
      tls: 'off',
      owner: { id: admin.id, name: admin.name },
      status: 'active',
      status_reason: null,
      has_host_token: false,
      connection_id: null,
      repository_access: null,
      fork_pull_requests: 'off',
      repository_key: expect.stringMatching(/^ssh-ed25519 [A-Za-z0-9+/=]+ shipway@ship\.example\.com$/),
      webhook_url: webhook.url,
      created_at: '2026-01-02T03:04:05.678Z',
      environments_used: 0,
      expire_after: null,
      pull_requests: DEFAULT_PULL_REQUEST_RULES,
      pull_requests_file: null,
      service_file_digest: null,
      effective_rules: [
        ...Object.entries(DEFAULT_PULL_REQUEST_RULES).map(([field, value]) => ({
          field: `pull_requests.${field}`,
          value,
          from: 'settings',
        })),
        { field: 'deploy_after', value: null, from: 'settings' },
        { field: 'deploy_after_checks', value: [], from: 'settings' },
        { field: 'deploy_after_minutes', value: null, from: 'settings' },
      ],
      deploy_after: null,
      deploy_after_checks: [],
      deploy_after_minutes: null,
      upload_variables: false,
    })
    expect(webhook.url).toMatch(/^https:\/\/ship\.example\.com\/api\/webhooks\/[A-Za-z0-9_-]{24}$/)
    expect(webhook.secret).toMatch(/^shw_hook_[A-Za-z0-9]{49}$/)
    expect((await app.call('GET', `/api/projects/${project.id}`, { as: admin })).body).toEqual(project)
  })

  test('what is sealed opens at the place of its project, and nowhere else', async () => {
    const { body } = await create({ basic_auth: { username: 'guest', password: 'geheim' } })
    const row = await rowOf(body.id)
    const open = (sealed: string | null, column: Parameters<typeof projectContext>[1]) =>
      app.ctx.box.open(sealed ?? '', projectContext(row.hook_id, column)).reveal()
    expect(open(row.webhook_secret_sealed, 'webhook_secret_sealed')).toBe(body.webhook.secret)
    expect(open(row.basic_auth_password_sealed, 'basic_auth_password_sealed')).toBe('geheim')
    expect(open(row.repository_private_key_sealed, 'repository_private_key_sealed')).toContain('OPENSSH PRIVATE KEY')
    expect(() => open(row.webhook_secret_sealed, 'basic_auth_password_sealed')).toThrow('cannot be opened')
  })

  test('no secret is in another answer, in the log or in the audit log', async () => {
    const { body } = await create({ basic_auth: { username: 'guest', password: 'hunter-22' } })
    const regenerated = await app.call('POST', `/api/projects/${body.id}/webhook-secret`, { as: admin })
    const key = await app.call('POST', `/api/projects/${body.id}/repository-key`, { as: admin })
    const row = await rowOf(body.id)
    const place = projectContext(row.hook_id, 'repository_private_key_sealed')
    const privateKey = app.ctx.box.open(row.repository_private_key_sealed, place).reveal()
    const secrets = [body.webhook.secret, regenerated.body.secret, 'hunter-22', ...privateKey.split('\n').slice(1, -2)]
    const answers = [
      key,
      await app.call('GET', `/api/projects/${body.id}`, { as: admin }),
      await app.call('GET', '/api/projects?limit=200', { as: admin }),
      await app.call('PATCH', `/api/projects/${body.id}`, { as: admin, body: { name: 'Other' } }),
      await app.call('DELETE', `/api/projects/${body.id}`, { as: admin }),
    ]
    const events = await app.ctx.db.selectFrom('audit_events').selectAll().execute()
    const seen = [...answers.map(({ text }) => text), ...app.logLines, JSON.stringify(events)].join('\n')
    for (const secret of secrets) expect(seen).not.toContain(secret)
    expect(seen).not.toContain('sealed')
  })

  test('a list goes on page by page, newest first, with counts and servers, and without those of others', async () => {
    const user = await buildUser(app.ctx)
    const first = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    const second = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    const built: number[] = []
    for (const { id } of [first, second, first, await buildOrganization(app.ctx), second, first]) {
      const project = await buildProject(app.ctx, { organizationId: id, ownerId: user.id })
      await buildEnvironment(app.ctx, project)
      await buildEnvironment(app.ctx, project, { removed_at: 1 })
      built.unshift(project.id)
    }
    built.splice(2, 1)
    const seen: { id: number; environment_count: number; servers: unknown[] }[] = []
    let url: string | undefined = '/api/projects?limit=2'
    while (url !== undefined) {
      const page = await app.call('GET', url, { as: user })
      seen.push(...page.body)
      url = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seen.map(({ id }) => id)).toEqual(built)
    expect(seen.map((project) => [project.environment_count, project.servers.length])).toEqual(built.map(() => [1, 1]))
    const narrowed = await app.call('GET', '/api/projects', {
      as: user,
      headers: { 'x-service-organization': String(second.id) },
    })
    expect(narrowed.body.map(({ id }: { id: number }) => id)).toEqual([built[1], built[3]])
  })

  test('a user without an organization has an empty list', async () => {
    const nobody = await buildUser(app.ctx)
    expect(await app.call('GET', '/api/projects', { as: nobody })).toMatchObject({ status: 200, body: [] })
  })

  test('servers keep the order of the request, each once', async () => {
    const other = await buildServer(app.ctx, organizationId)
    const { body } = await create({ server_ids: [other.id, server.id, other.id] })
    expect(body.servers.map(({ id }: { id: number }) => id)).toEqual([other.id, server.id])
  })

  test('a server of another organization is refused like one that does not exist', async () => {
    const foreign = await buildServer(app.ctx, (await buildOrganization(app.ctx)).id)
    const answers = [await create({ server_ids: [foreign.id] }), await create({ server_ids: [999_999] })]
    for (const answer of answers) {
      expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/server_ids', code: 'not_found' }] } })
    }
    const [one, two] = answers.map(({ body }) => body.detail.replace(/[0-9]+/, ''))
    expect(one).toBe(two)
  })

  test('a repository in a private network is refused unless the settings allow the network', async () => {
    const refused = await create({ repo_url: 'https://192.168.1.1/a.git' })
    expect(refused).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/repo_url', code: 'network_not_allowed' }] },
    })
    expect(await create({ repo_url: 'https://10.1.2.3/a.git' })).toMatchObject({ status: 201 })
  })

  test('a domain that another organization has, above it or beneath it, is taken; in the same one it is free', async () => {
    const owner = await buildUser(app.ctx)
    const other = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    await buildProject(
      app.ctx,
      { organizationId: other.id, ownerId: owner.id },
      { domain: 'base.foreign.test', custom_domains: '["custom.test"]' },
    )
    for (const domain of ['base.foreign.test', 'foreign.test', 'a.base.foreign.test', 'custom.test', 'x.custom.test']) {
      const refused = await create({ domain })
      expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/domain', code: 'taken' }] } })
      const custom = await create({ custom_domains: ['mine.test', domain] })
      expect(custom).toMatchObject({ status: 422, body: { errors: [{ pointer: '/custom_domains/1', code: 'taken' }] } })
    }
    await create({ domain: 'own.test' })
    expect(await create({ domain: 'deep.own.test' })).toMatchObject({ status: 201 })
    expect(await create({ domain: 'own.test' })).toMatchObject({ status: 201 })
  })

  test('a public suffix is no domain for a project; a name beneath one is', async () => {
    const { body: project } = await create({ domain: 'shop.github.io', custom_domains: ['shop.co.uk'] })
    for (const domain of ['github.io', 'co.uk', 'GitHub.io', '\u516c\u53f8.cn']) {
      const code = 'public_suffix'
      const faults = (pointer: string) => ({ status: 422, body: { errors: [{ pointer, code }] } })
      expect(await create({ domain })).toMatchObject(faults('/domain'))
      expect(await create({ custom_domains: [domain] })).toMatchObject(faults('/custom_domains/0'))
      const change = (body: object) => app.call('PATCH', `/api/projects/${project.id}`, { as: admin, body })
      expect(await change({ domain })).toMatchObject(faults('/domain'))
      expect(await change({ custom_domains: [domain] })).toMatchObject(faults('/custom_domains/0'))
    }
    for (const domain of ['apps.internal', 'shop.localhost'])
      expect(await create({ domain })).toMatchObject({ status: 201 })
  })

  test('two organizations that ask for overlapping domains at once do not both get them', async () => {
    const owner = await buildUser(app.ctx)
    const other = await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])
    const { id } = await buildServer(app.ctx, other.id)
    for (let round = 0; round < 5; round++) {
      const answers = await Promise.all([
        create({ domain: `race${round}.test` }),
        create({ domain: `app.race${round}.test`, server_ids: [id] }, owner),
      ])
      expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 422])
    }
  })

  test('the host of the platform itself is no domain for a project', async () => {
    const answer = await create({ domain: 'ship.example.com' })
    expect(answer).toMatchObject({ status: 422, body: { errors: [{ pointer: '/domain', code: 'reserved' }] } })
  })

  test('only the owner of the project makes a new webhook secret, and the one before it is kept', async () => {
    const { body } = await create()
    const owner = await buildUser(app.ctx)
    const another = { organization_id: organizationId, user_id: owner.id, role: 'owner', created_at: 1 } as const
    await app.ctx.db.insertInto('memberships').values(another).execute()
    const url = `/api/projects/${body.id}/webhook-secret`
    expect(await app.call('POST', url, { as: owner })).toMatchObject({
      status: 403,
      body: { code: 'insufficient_role' },
    })
    const answer = await app.call('POST', url, { as: admin })
    expect(answer).toMatchObject({ status: 201, body: { url: body.webhook.url } })
    expect(answer.body.secret).not.toBe(body.webhook.secret)
    const row = await rowOf(body.id)
    const place = projectContext(row.hook_id, 'webhook_secret_sealed')
    expect(app.ctx.box.open(row.webhook_secret_sealed, place).reveal()).toBe(answer.body.secret)
    expect(app.ctx.box.open(row.earlier_webhook_secret_sealed ?? '', place).reveal()).toBe(body.webhook.secret)
  })

  test('a new repository key takes the place of the old one', async () => {
    const { body } = await create()
    const answer = await app.call('POST', `/api/projects/${body.id}/repository-key`, { as: admin })
    expect(answer).toMatchObject({ status: 201, body: { fingerprint: expect.stringMatching(/^SHA256:/) } })
    expect(answer.body.repository_key).not.toBe(body.repository_key)
    const after = await app.call('GET', `/api/projects/${body.id}`, { as: admin })
    expect(after.body.repository_key).toBe(answer.body.repository_key)
  })
})
