// Connections over the API, and projects that are made from one, against git hosts of our own.
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import {
  apiOf,
  type ConnectedHostServer,
  startConnectedHost,
  type TokenType,
} from '../../../test/connections/connected-host.ts'
import { databases } from '../../../test/databases.ts'
import { buildOrganization, buildServer, buildUser, type TestUser } from '../../../test/factories.ts'
import { commit, hmac, push } from '../../../test/git-host-events.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { byTurns } from '../../../test/stage/by-turns.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { NO_REPOSITORIES } from '../../../test/test-app.ts'
import type { Context } from '../../context.ts'
import { ensureNextAccess } from '../../operations/connections/ensure-access.ts'
import { removeTakenAccess, takeNextRemoval } from '../../operations/connections/remove-access.ts'
import { createConnectedHosts } from '../../source/connected-hosts.ts'
import { NONE_BUSY } from '../../store/busy-owners.ts'

const TYPES: readonly TokenType[] = ['gitlab', 'gitea', 'forgejo', 'bitbucket', 'bitbucket_server']

describe.each(databases)('connections on $name', (source) => {
  // Bitbucket Cloud has one address, so its calls are led here.
  let base: string | undefined
  const hosts = () => createConnectedHosts({ ...ALLOW_LOOPBACK, base })
  const connectedHosts: Context['connectedHosts'] = {
    identify: (...words) => hosts().identify(...words),
    searchRepositories: (...words) => hosts().searchRepositories(...words),
    findRepository: (...words) => hosts().findRepository(...words),
    proveRepository: (...words) => hosts().proveRepository(...words),
    ensureDeployKey: async (...words) => {
      const id = await hosts().ensureDeployKey(...words)
      await afterKey?.()
      return id
    },
    ensureWebhook: (...words) => hosts().ensureWebhook(...words),
    removeDeployKey: (...words) => hosts().removeDeployKey(...words),
    removeWebhook: (...words) => hosts().removeWebhook(...words),
    waitTurn: (_organization, work) => work(),
    takeTurn: (...words) => hosts().takeTurn(...words),
    readRepository: (...words) => hosts().readRepository(...words),
  }
  let afterKey: (() => Promise<unknown>) | undefined
  let unreadable: { message: string; fix: string | null } | undefined
  const repositories = { ...NO_REPOSITORIES, probe: async () => unreadable }
  const app = stageApp(source, ALLOW_LOOPBACK, { connectedHosts, repositories })
  let owner: TestUser
  let organizationId: number
  let serverId: number
  let host: ConnectedHostServer

  beforeEach(async () => {
    owner = await buildUser(app.ctx)
    organizationId = (await buildOrganization(app.ctx, [{ user: owner, role: 'owner' }])).id
    serverId = (await buildServer(app.ctx, organizationId)).id
    unreadable = undefined
    afterKey = undefined
    await app.ctx.db.deleteFrom('access_removals').execute()
    await app.ctx.db.deleteFrom('repository_access').execute()
  })
  afterEach(() => host?.stop())

  async function start(type: TokenType): Promise<void> {
    host = await startConnectedHost(type)
    base = type === 'bitbucket' ? apiOf(host, type) : undefined
  }
  const call = (method: 'GET' | 'POST' | 'PATCH' | 'DELETE', path: string, body?: object, as = owner) =>
    app.call(method, `/api/${path}`, { as, ...(body && { body }) })
  const baseUrlOf = (type: TokenType) => (type === 'bitbucket' ? 'https://bitbucket.org/acme' : host.base)
  const connect = (type: TokenType, more: object = {}, as = owner, organization = organizationId) =>
    call(
      'POST',
      `organizations/${organization}/connections`,
      { type, name: 'Git', base_url: baseUrlOf(type), token: host.token, ...more },
      as,
    )
  let counter = 0
  const createProject = (connection_id: number, more: object = {}, as = owner) =>
    call(
      'POST',
      'projects',
      {
        name: 'Shop',
        connection_id,
        repository: 'acme/shop',
        domain: `shop-${++counter}-${organizationId}.example.org`,
        server_ids: [serverId],
        organization_id: organizationId,
        ...more,
      },
      as,
    )
  const projectOf = async (id: number) => (await call('GET', `projects/${id}`)).body
  const makeDue = () => app.ctx.db.updateTable('repository_access').set({ next_at: 0 }).execute()
  const ensureDue = async () => {
    await makeDue()
    while (await ensureNextAccess(app.ctx));
  }

  const removeNextAccess = async () => {
    const removal = await takeNextRemoval(app.ctx, NONE_BUSY)
    if (removal) await removeTakenAccess(app.ctx, removal)
    return removal !== undefined
  }

  // Each type on one of the databases, and on the other in the next test: what is stored is the same for all types.
  const inTurn = (from: number) => byTurns(source, TYPES, from)

  test.each(inTurn(0))('%s: a token is tried and kept sealed, and repositories are listed', async (type) => {
    await start(type)
    const created = await connect(type)
    expect(created.status, created.text).toBe(201)
    expect(created.body).toMatchObject({ type, status: 'active', status_reason: null, has_token: true, app: null })
    expect(created.body.account).toBe(type.startsWith('bitbucket') ? null : 'ada')
    const listed = await call('GET', `connections/${created.body.id}/repositories?search=sho`)
    expect(listed.body).toMatchObject([{ full_name: 'acme/shop', private: true }])
    const row = await app.ctx.db.selectFrom('connections').where('id', '=', created.body.id).selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(host.token)
  })

  test.each(inTurn(1))('%s: a project gets its deploy key and its webhook, and both go with it', async (type) => {
    await start(type)
    const { id } = (await connect(type)).body
    const project = await createProject(id)
    expect(project.status, project.text).toBe(201)
    expect(project.body).toMatchObject({
      connection_id: id,
      repo_url: 'git@git.example.com:acme/shop.git',
      default_branch: 'trunk',
      has_host_token: true,
      repository_access: { status: 'ready', reason: null },
    })
    const [key, hook] = [host.keys[0], host.hooks[0]]
    expect([host.keys.length, host.hooks.length, key?.isReadOnly]).toEqual([1, 1, true])
    expect(project.body.repository_key.startsWith(key?.key)).toBe(true)
    expect([hook?.url, hook?.secret]).toEqual([project.body.webhook_url, project.body.webhook.secret])
    expect((await call('DELETE', `projects/${project.body.id}`)).status).toBe(202)
    expect(await removeNextAccess()).toBe(true)
    expect([host.keys, host.hooks]).toEqual([[], []])
    expect(await removeNextAccess()).toBe(false)
    expect((await call('DELETE', `connections/${id}`)).status).toBe(204)
  })

  test.each(inTurn(2))('%s: another repository under the same name gets no key and no webhook', async (type) => {
    await start(type)
    const { id } = (await connect(type)).body
    const project = (await createProject(id)).body
    host.keys.splice(0)
    host.hooks.splice(0)
    // The first one was renamed or deleted, and another account has taken its name.
    host.idOf = () => 2
    await ensureDue()
    expect([host.keys, host.hooks]).toEqual([[], []])
    expect((await projectOf(project.id)).repository_access).toMatchObject({
      status: 'failing',
      reason: expect.stringContaining('acme/shop is another repository now'),
    })
    host.idOf = () => 1
    await ensureDue()
    expect([host.keys.length, host.hooks.length]).toEqual([1, 1])
    expect((await projectOf(project.id)).repository_access).toMatchObject({ status: 'ready' })
  })

  test.each(inTurn(3))('%s: a token that expired is said, and replaced without losing the project', async (type) => {
    await start(type)
    const { id } = (await connect(type)).body
    const project = (await createProject(id)).body
    host.token = 'another-token'
    expect((await call('POST', `connections/${id}/check`)).body).toMatchObject({
      status: 'failing',
      status_reason: expect.stringContaining('refuses the token'),
    })
    const replaced = await call('PATCH', `connections/${id}`, { token: 'another-token' })
    expect(replaced.body).toMatchObject({ status: 'active', status_reason: null, project_count: 1 })
    await ensureDue()
    expect((await projectOf(project.id)).repository_access).toMatchObject({ status: 'ready', reason: null })
  })

  test.each(inTurn(4))(
    '%s: a check that the git host cannot answer now leaves the connection as it was',
    async (type) => {
      await start(type)
      const { id } = (await connect(type)).body
      for (const refuse of [{ status: 429 }, { status: 403, headers: { 'retry-after': '60' } }, { status: 503 }]) {
        host.refuse = { matches: /./, ...refuse }
        const answer = await call('POST', `connections/${id}/check`)
        expect([answer.status, answer.body.code]).toEqual([502, 'git_host_failed'])
      }
      expect((await call('GET', `connections/${id}`)).body).toMatchObject({ status: 'active', status_reason: null })
      host.refuse = { matches: /./, status: 403 }
      expect((await call('POST', `connections/${id}/check`)).body).toMatchObject({
        status: 'failing',
        status_reason: expect.stringContaining('lacks a right'),
      })
    },
  )

  describe('on Gitea', () => {
    beforeEach(() => start('gitea'))

    test('events of another repository under the same name have no effect', async () => {
      const { id } = (await connect('gitea')).body
      const { webhook, webhook_url: url } = (await createProject(id)).body
      const deliver = async (repositoryId: number) => {
        const repository = { id: repositoryId, ssh_url: host.sshAddressOf('acme/shop') }
        const body = JSON.stringify({ ...push({ after: commit('a') }), repository })
        const headers = { 'x-gitea-event': 'push', 'x-gitea-signature': hmac(body, webhook.secret) }
        return (await app.call('POST', new URL(url).pathname, { body, headers })).body.reason
      }
      expect(await deliver(2)).toBe('other_repository')
      expect(await deliver(1)).toBe('no_environment')
    })

    test('a key and a webhook that were deleted are there again after the next check', async () => {
      const { id } = (await connect('gitea')).body
      const project = (await createProject(id)).body
      host.keys.splice(0)
      host.hooks.splice(0)
      await ensureDue()
      expect([host.keys.length, host.hooks.length]).toEqual([1, 1])
      expect(host.hooks[0]?.secret).toBe(project.webhook.secret)
      // Nothing is done twice.
      const before = host.requests.length
      await ensureDue()
      expect(host.requests.slice(before).filter((request) => !request.startsWith('GET'))).toEqual([])
    })

    test('a new webhook secret and a new repository key reach the git host', async () => {
      const { id } = (await connect('gitea')).body
      const project = (await createProject(id)).body
      const { secret } = (await call('POST', `projects/${project.id}/webhook-secret`)).body
      const key = (await call('POST', `projects/${project.id}/repository-key`)).body.repository_key
      while (await ensureNextAccess(app.ctx));
      expect(host.hooks.map((hook) => hook.secret)).toEqual([secret])
      expect(host.keys.map((one) => one.key)).toEqual([key])
    })

    test('a failure is said in the project, retried later each time, and gone when it is repaired', async () => {
      const { id } = (await connect('gitea')).body
      host.refuse = { matches: /hooks/, status: 403 }
      const project = (await createProject(id)).body
      expect(project.repository_access.status).toBe('failing')
      expect(project.repository_access.reason).toContain('The token lacks a right')
      expect(project.repository_access.reason).toContain('acme/shop')
      const pause = async () => {
        const [row] = await app.ctx.db.selectFrom('repository_access').select(['next_at', 'attempts']).execute()
        return row
      }
      const first = await pause()
      expect(await ensureNextAccess(app.ctx)).toBe(false)
      await makeDue()
      await ensureNextAccess(app.ctx)
      expect((await pause())?.attempts).toBe((first?.attempts ?? 0) + 1)
      host.refuse = undefined
      await ensureDue()
      expect((await projectOf(project.id)).repository_access).toMatchObject({ status: 'ready', reason: null })
    })

    test('a key that does not read the repository is no proof', async () => {
      const { id } = (await connect('gitea')).body
      unreadable = { message: 'The host refuses the key of this project', fix: 'Ask its administrator' }
      const project = (await createProject(id)).body
      expect(project.repository_access).toEqual({
        status: 'failing',
        reason: 'The host refuses the key of this project. Ask its administrator',
        proven_at: null,
      })
    })

    test.each([429, 403])('a git host that asks for a pause with %d gets it', async (status) => {
      const { id } = (await connect('gitea')).body
      host.refuse = { matches: /./, status, headers: { 'retry-after': '7200' } }
      const answer = await call('GET', `connections/${id}/repositories`)
      expect([answer.status, answer.body.code, answer.headers['retry-after']]).toEqual([502, 'git_host_failed', '7200'])
      expect(answer.body.detail).toContain('It can be asked again in 7200 seconds')
      host.refuse = undefined
      const project = (await createProject(id)).body
      host.refuse = { matches: /./, status, headers: { 'retry-after': '7200' } }
      const before = Date.now()
      await ensureDue()
      const { next_at } = await app.ctx.db.selectFrom('repository_access').select('next_at').executeTakeFirstOrThrow()
      expect(next_at - before).toBeGreaterThan(7_000_000)
      expect((await projectOf(project.id)).repository_access.reason).toContain('asked too often')
    })

    test('a token that the host no longer accepts fails the connection until it is replaced', async () => {
      const { id } = (await connect('gitea')).body
      const project = (await createProject(id)).body
      const earlier = host.token
      host.token = 'another-token'
      await ensureDue()
      const failing = (await call('GET', `connections/${id}`)).body
      expect(failing).toMatchObject({ status: 'failing', status_reason: expect.stringContaining('refuses the token') })
      expect((await projectOf(project.id)).repository_access.status).toBe('failing')
      const wrong = await call('PATCH', `connections/${id}`, { token: 'also-wrong' })
      expect([wrong.status, wrong.body.errors[0].code]).toEqual([422, 'token_refused'])
      const replaced = await call('PATCH', `connections/${id}`, { token: 'another-token' })
      expect(replaced.body).toMatchObject({ status: 'active', status_reason: null })
      // Due at once, since the new token may have repaired it.
      while (await ensureNextAccess(app.ctx));
      expect((await projectOf(project.id)).repository_access.status).toBe('ready')
      expect(earlier).not.toBe(host.token)
    })

    test('a check of a project confirms the connection', async () => {
      const { id } = (await connect('gitea')).body
      await createProject(id)
      await app.ctx.db.updateTable('connections').set({ checked_at: 1 }).where('id', '=', id).execute()
      await ensureDue()
      const { checked_at } = (await call('GET', `connections/${id}`)).body
      expect(Date.parse(checked_at)).toBeGreaterThan(app.ctx.clock() - 60_000)
    })

    test('a check says whether the connection works', async () => {
      const { id } = (await connect('gitea')).body
      host.token = 'another-token'
      expect((await call('POST', `connections/${id}/check`)).body.status).toBe('failing')
      host.token = 'host-token-canary'
      expect((await call('POST', `connections/${id}/check`)).body).toMatchObject({
        status: 'active',
        status_reason: null,
      })
    })

    test('what a deleted project left is removed later where the host does not answer', async () => {
      const { id } = (await connect('gitea')).body
      const project = (await createProject(id)).body
      host.refuse = { matches: /^DELETE/, status: 500 }
      await call('DELETE', `projects/${project.id}`)
      expect(await removeNextAccess()).toBe(true)
      expect(await removeNextAccess()).toBe(false)
      const kept = await call('DELETE', `connections/${id}`)
      expect([kept.status, kept.body.detail]).toEqual([409, expect.stringContaining('acme/shop')])
      host.refuse = undefined
      await app.ctx.db.updateTable('access_removals').set({ next_at: 0 }).execute()
      expect(await removeNextAccess()).toBe(true)
      expect([host.keys, host.hooks]).toEqual([[], []])
      expect((await call('DELETE', `connections/${id}`)).status).toBe(204)
    })

    test('a project that is deleted while its key is added leaves nothing at the host', async () => {
      const { id } = (await connect('gitea')).body
      const project = (await createProject(id)).body
      host.keys.splice(0)
      host.hooks.splice(0)
      afterKey = () => call('DELETE', `projects/${project.id}`)
      await ensureDue()
      while (await removeNextAccess());
      expect([host.keys, host.hooks]).toEqual([[], []])
      expect((await call('DELETE', `connections/${id}`)).status).toBe(204)
    })

    test('what a refused token cannot remove does not keep the connection', async () => {
      const { id } = (await connect('gitea')).body
      const project = (await createProject(id)).body
      await call('DELETE', `projects/${project.id}`)
      expect((await call('DELETE', `connections/${id}`)).status).toBe(409)
      host.token = 'another-token'
      expect(await removeNextAccess()).toBe(true)
      expect((await call('GET', `connections/${id}`)).body.status).toBe('failing')
      expect((await call('DELETE', `connections/${id}`)).status).toBe(204)
      expect(await app.ctx.db.selectFrom('access_removals').selectAll().execute()).toEqual([])
    })

    test('a connection that projects use cannot be deleted, and the answer names them', async () => {
      const { id } = (await connect('gitea')).body
      await createProject(id)
      const answer = await call('DELETE', `connections/${id}`)
      expect([answer.status, answer.body.code]).toEqual([409, 'in_use'])
      expect(answer.body.detail).toContain('Shop')
      expect((await call('GET', `connections/${id}`)).body.project_count).toBe(1)
    })

    test('names are unique within an organization', async () => {
      const { id } = (await connect('gitea')).body
      expect((await connect('gitea')).body.errors).toMatchObject([{ pointer: '/name', code: 'name_taken' }])
      const other = (await connect('gitea', { name: 'Other' })).body
      const renamed = await call('PATCH', `connections/${other.id}`, { name: 'Git' })
      expect(renamed.body.errors).toMatchObject([{ pointer: '/name', code: 'name_taken' }])
      expect((await call('PATCH', `connections/${id}`, { name: 'Git' })).status).toBe(200)
    })

    test('the repository of a project with a connection cannot be changed by its address', async () => {
      const { id } = (await connect('gitea')).body
      const project = (await createProject(id)).body
      const moved = await call('PATCH', `projects/${project.id}`, { repo_url: 'git@evil.example.com:acme/shop.git' })
      expect(moved.body.errors).toMatchObject([{ pointer: '/repo_url', code: 'connected' }])
    })

    test.each([
      [{ repository: 'acme/none' }, '/repository', 'not_found'],
      [{ repository: '../../user' }, '/repository', 'invalid_repository'],
      [{ repository: undefined }, '/repository', 'required'],
      [{ connection_id: undefined }, '/connection_id', 'required'],
      [{ repo_url: 'https://git.example.com/a/b.git' }, '/repo_url', 'not_used'],
      [{ connection_id: undefined, repository: undefined }, '/repo_url', 'required'],
    ])('a project with %j is refused', async (body, pointer, code) => {
      const { id } = (await connect('gitea')).body
      const answer = await createProject(id, body)
      expect([answer.status, answer.body.errors?.[0]]).toMatchObject([422, { pointer, code }])
    })

    test('an address that the host gives for git is checked as any other', async () => {
      const { id } = (await connect('gitea')).body
      host.sshAddressOf = () => 'git@10.0.0.1:acme/shop.git'
      const answer = await createProject(id)
      expect(answer.body.errors).toMatchObject([{ pointer: '/repository', code: 'network_not_allowed' }])
      host.sshAddressOf = () => '--upload-pack=touch /tmp/x'
      expect((await createProject(id)).body.errors).toMatchObject([
        { pointer: '/repository', code: 'invalid_repo_url' },
      ])
    })

    test('another organization sees and uses nothing of it', async () => {
      const { id } = (await connect('gitea')).body
      const stranger = await buildUser(app.ctx)
      const other = (await buildOrganization(app.ctx, [{ user: stranger, role: 'owner' }])).id
      const otherServer = (await buildServer(app.ctx, other)).id
      const before = host.requests.length
      for (const [method, path] of [
        ['GET', `connections/${id}`],
        ['PATCH', `connections/${id}`],
        ['DELETE', `connections/${id}`],
        ['POST', `connections/${id}/check`],
        ['GET', `connections/${id}/repositories`],
        ['GET', `organizations/${organizationId}/connections`],
      ] as const) {
        const answer = await call(method, path, method === 'PATCH' ? { name: 'Mine' } : undefined, stranger)
        expect([method, path, answer.status]).toEqual([method, path, 404])
      }
      const project = await createProject(id, { organization_id: other, server_ids: [otherServer] }, stranger)
      expect(project.body.errors).toMatchObject([{ pointer: '/connection_id', code: 'not_found' }])
      // Also for a member of both.
      await app.ctx.db
        .insertInto('memberships')
        .values({ organization_id: organizationId, user_id: stranger.id, role: 'admin', created_at: 1 })
        .execute()
      const mixed = await createProject(id, { organization_id: other, server_ids: [otherServer] }, stranger)
      expect(mixed.body.errors).toMatchObject([{ pointer: '/connection_id', code: 'not_found' }])
      expect(host.requests.length).toBe(before)
    })

    test('no answer, audit entry, log line or column holds a token', async () => {
      const from = app.logLines.length
      const answers: string[] = []
      const keep = async (answer: Promise<{ text: string }>) => answers.push((await answer).text)
      const { id } = (await connect('gitea')).body
      await keep(connect('gitea', { name: 'Second' }))
      const project = await createProject(id)
      host.refuse = { matches: /./, status: 401 }
      await keep(connect('gitea', { name: 'Third' }))
      await keep(call('GET', `connections/${id}/repositories`))
      await keep(call('POST', `connections/${id}/check`))
      await keep(call('PATCH', `connections/${id}`, { token: 'replaced-token-canary' }))
      await ensureDue()
      await keep(call('GET', `organizations/${organizationId}/connections`))
      await keep(call('GET', `projects/${project.body.id}`))
      await keep(call('GET', `organizations/${organizationId}/audit`))
      for (const table of ['connections', 'repository_access', 'access_removals'] as const)
        answers.push(JSON.stringify(await app.ctx.db.selectFrom(table).selectAll().execute()))
      answers.push(...app.logLines.slice(from))
      expect(answers.join('\n')).toContain('connection.created')
      expect(answers.join('\n')).not.toContain('token-canary')
    })
  })

  test.each([
    [{ type: 'gitea', token: 'x' }, '/base_url', 'required'],
    [{ type: 'gitea', base_url: 'https://git.example.com' }, '/token', 'required'],
    [{ type: 'gitea', base_url: 'https://10.0.0.1', token: 'x' }, '/base_url', 'network_not_allowed'],
    [{ type: 'gitea', base_url: 'http://git.example.com', token: 'x' }, '/base_url', 'insecure_url'],
    [{ type: 'gitea', base_url: 'http://8.8.8.8', token: 'x' }, '/base_url', 'insecure_url'],
    [{ type: 'gitea', base_url: 'https://u:p@git.example.com', token: 'x' }, '/base_url', 'invalid_url'],
    [{ type: 'gitea', base_url: 'https://git.example.com?x=y', token: 'x' }, '/base_url', 'invalid_url'],
    [{ type: 'gitea', base_url: 'https://git.example.com', token: 'x\r\ny: z' }, '/token', 'invalid_token'],
    [{ type: 'bitbucket', token: 'x' }, '/base_url', 'required'],
    [{ type: 'bitbucket', base_url: 'https://git.example.com/acme', token: 'x' }, '/base_url', 'not_used'],
    [{ type: 'bitbucket', base_url: 'https://bitbucket.org', token: 'x' }, '/base_url', 'no_workspace'],
    [{ type: 'bitbucket', base_url: 'https://bitbucket.org/acme/shop', token: 'x' }, '/base_url', 'no_workspace'],
    [{ type: 'github_app', token: 'x' }, '/token', 'not_used'],
  ])('%j is refused', async (body, pointer, code) => {
    const answer = await call('POST', `organizations/${organizationId}/connections`, { name: 'Git', ...body })
    expect([answer.status, answer.body.errors?.[0]]).toMatchObject([422, { pointer, code }])
  })

  test('a GitHub App waits until GitHub has made it', async () => {
    const body = { type: 'github_app', name: 'GitHub' }
    const { body: connection } = await call('POST', `organizations/${organizationId}/connections`, body)
    expect(connection).toMatchObject({ status: 'pending', base_url: 'https://github.com', app: null, has_token: false })
    const answer = await call('GET', `connections/${connection.id}/repositories`)
    expect([answer.status, answer.body.code]).toEqual([502, 'git_host_failed'])
  })
})
