// Deliveries to the one webhook of a GitHub App: to projects of its connection by the id of the repository, and about the App itself.
import { describe, expect, test } from 'vitest'
import { type ConnectedApp, stageGitHubApp } from '../../../test/connections/stage-github-app.ts'
import { databases } from '../../../test/databases.ts'
import { buildProject } from '../../../test/factories.ts'
import { dialects } from '../../../test/git-host-dialects.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

const [github] = dialects
if (!github) throw new Error('There is no dialect of GitHub')

describe.each(databases)('the webhook of a GitHub App on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const apps = stageGitHubApp(app)

  const buildRepository = async ({ id: connection_id }: ConnectedApp, name: string) => {
    const repository = apps.github.addRepository('acme', `${name}-${connection_id}`, { hasContent: false })
    const project = await buildProject(
      app.ctx,
      { organizationId: apps.organizationId, ownerId: apps.owner.id },
      {
        connection_id,
        repository_external_id: `${repository.id}`,
        repo_url: `${apps.github.plainBase}/acme/${repository.name}.git`,
      },
    )
    await app.ctx.db.insertInto('repository_access').values(accessOf(project.id, repository.name)).execute()
    return { repository, project }
  }
  const accessOf = (project_id: number, name: string) => ({ project_id, repository: `acme/${name}`, last_error: null })
  const open = (repositoryId: number) => {
    const event = github.pullRequest({ repositoryId, head: { id: repositoryId } })
    const { pull_request, ...rest } = event.payload as { pull_request: { base: object } }
    const base = { ...pull_request.base, repo: { id: repositoryId } }
    return { ...rest, pull_request: { ...pull_request, base }, repository: { id: repositoryId } }
  }
  const environmentsOf = (projectId: number) =>
    app.ctx.db.selectFrom('environments').where('project_id', '=', projectId).selectAll().execute()
  const faultOf = async (projectId: number) =>
    (
      await app.ctx.db
        .selectFrom('repository_access')
        .where('project_id', '=', projectId)
        .selectAll()
        .executeTakeFirst()
    )?.last_error
  const dueOf = (projectId: number) =>
    app.ctx.db
      .selectFrom('repository_access')
      .where('project_id', '=', projectId)
      .select(['next_at', 'attempts'])
      .executeTakeFirst()
  const installationPayload = ({ installation, atGitHub }: ConnectedApp, action: string, id = installation.id) => ({
    action,
    installation: { id, app_id: atGitHub.id, account: { login: 'acme' } },
  })

  test('a pull request reaches every project of the connection with that repository, and no other', async () => {
    const own = await apps.connect()
    const { repository, project } = await buildRepository(own, 'shop')
    const second = await buildRepository(own, 'blog')
    const answer = await apps.deliver(own, 'pull_request', open(repository.id))
    expect([answer.status, answer.body]).toEqual([200, { verdict: 'accepted', reason: null }])
    expect((await environmentsOf(project.id)).length).toBe(1)
    expect((await environmentsOf(second.project.id)).length).toBe(0)
  })

  test('a project of another connection with the same repository gets nothing', async () => {
    const own = await apps.connect()
    const { repository } = await buildRepository(own, 'shop')
    const stranger = await buildProject(
      app.ctx,
      { organizationId: apps.organizationId, ownerId: apps.owner.id },
      { repository_external_id: `${repository.id}` },
    )
    await apps.deliver(own, 'pull_request', open(repository.id))
    expect((await environmentsOf(stranger.id)).length).toBe(0)
  })

  test('an installation of another account deploys nothing, and gives no access back', async () => {
    const own = await apps.connect()
    const { repository, project } = await buildRepository(own, 'shop')
    await apps.deliver(own, 'installation_repositories', {
      ...installationPayload(own, 'removed'),
      repositories_removed: [{ id: repository.id }],
    })
    const { id } = apps.github.addInstallation(own.atGitHub, { account: 'mallory' })
    const installation = { id, account: { login: 'mallory' } }
    const added = { action: 'added', installation, repositories_added: [{ id: repository.id }] }
    const deliveries = [
      ['pull_request', { ...open(repository.id), installation }],
      ['pull_request', { ...open(repository.id), installation: null }],
      ['installation_repositories', added],
    ] as const
    for (const [event, payload] of deliveries)
      expect((await apps.deliver(own, event, payload)).body).toEqual({
        verdict: 'ignored',
        reason: 'other_installation',
      })
    expect(await environmentsOf(project.id)).toEqual([])
    expect(await faultOf(project.id)).toContain('Add it to the App at GitHub')
  })

  test('a repository without a project is ignored, and a wrong signature is refused', async () => {
    const own = await apps.connect()
    expect((await apps.deliver(own, 'pull_request', open(987_654))).body).toEqual({
      verdict: 'ignored',
      reason: 'no_project',
    })
    const forged = { ...own, atGitHub: { ...own.atGitHub, webhookSecret: 'guessed' } }
    expect((await apps.deliver(forged, 'pull_request', open(1))).status).toBe(401)
    expect((await apps.deliver(own, 'ping', { zen: 'Keep it logically awesome.' })).body.verdict).toBe('accepted')
  })

  test('an App that is suspended, unsuspended, removed and installed again is said', async () => {
    const own = await apps.connect()
    const say = async (action: string, id?: number) => {
      const { status } = await apps.deliver(own, 'installation', installationPayload(own, action, id))
      expect(status).toBe(200)
      return apps.connectionOf(own.id)
    }
    expect(await say('suspend')).toMatchObject({
      status: 'suspended',
      status_reason: expect.stringContaining('Unsuspend'),
    })
    expect(await say('unsuspend')).toMatchObject({ status: 'active', status_reason: null })
    expect(await say('deleted', 5)).toMatchObject({ status: 'active' })
    expect(await say('deleted')).toMatchObject({ status: 'removed', app: { installation_id: null } })
    const stranger = { ...installationPayload(own, 'created', 76) }
    const elsewhere = { ...stranger, installation: { ...stranger.installation, account: { login: 'mallory' } } }
    await apps.deliver(own, 'installation', elsewhere)
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'removed', app: { installation_id: null } })
    expect(await say('created', 77)).toMatchObject({ status: 'active', app: { installation_id: 77 } })
    expect(await say('new_permissions_accepted', 77)).toMatchObject({ status: 'active' })
    expect(await say('created', 78)).toMatchObject({ app: { installation_id: 77 } })
  })

  test('a repository that is taken from the App and given back is said on the project', async () => {
    const own = await apps.connect()
    const { repository, project } = await buildRepository(own, 'shop')
    const say = (added: number[], removed: number[]) =>
      apps.deliver(own, 'installation_repositories', {
        ...installationPayload(own, removed.length > 0 ? 'removed' : 'added'),
        repositories_added: added.map((id) => ({ id })),
        repositories_removed: removed.map((id) => ({ id })),
      })
    await say([], [repository.id])
    expect(await faultOf(project.id)).toContain('Add it to the App at GitHub')
    await app.ctx.db.updateTable('repository_access').set({ next_at: 9e15, attempts: 9 }).execute()
    await say([repository.id], [])
    expect(await faultOf(project.id)).toBeNull()
    // Nothing has proven yet that it can be read.
    expect(await dueOf(project.id)).toEqual({ next_at: 0, attempts: 0 })
  })

  test.each(['suspend', 'deleted'])('a project that worked until now is checked at once after %s', async (action) => {
    const own = await apps.connect()
    const { project } = await buildRepository(own, 'shop')
    await app.ctx.db.updateTable('repository_access').set({ next_at: 9e15 }).execute()
    const { checked_at } = await apps.connectionOf(own.id)
    app.moveClock(60_000)
    await apps.deliver(own, 'installation', installationPayload(own, action))
    expect(await dueOf(project.id)).toMatchObject({ next_at: 0 })
    // GitHub has confirmed nothing.
    expect((await apps.connectionOf(own.id)).checked_at).toBe(checked_at)
  })

  test('a renamed account keeps the connection, and has its projects checked', async () => {
    const own = await apps.connect()
    const { project } = await buildRepository(own, 'shop')
    await app.ctx.db.updateTable('repository_access').set({ next_at: 9e15 }).execute()
    const renamed = { action: 'renamed', account: { login: 'store' }, changes: { login: { from: 'acme' } } }
    const stranger = { ...renamed, installation: { id: 5 } }
    expect((await apps.deliver(own, 'installation_target', stranger)).body.reason).toBe('other_installation')
    expect((await apps.deliver(own, 'installation_target', renamed)).body.verdict).toBe('accepted')
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'active', account: 'store' })
    const due = app.ctx.db.selectFrom('repository_access').where('project_id', '=', project.id).select('next_at')
    expect(await due.executeTakeFirst()).toEqual({ next_at: 0 })
  })

  test('a renamed repository keeps its project, a transferred and a deleted one are said', async () => {
    const own = await apps.connect()
    const { repository, project } = await buildRepository(own, 'shop')
    const say = (action: string, full_name: string) =>
      apps.deliver(own, 'repository', { action, repository: { id: repository.id, full_name } })
    const addressOf = async () => (await apps.call('GET', `projects/${project.id}`)).body.repo_url
    await say('renamed', 'acme/store')
    expect([await addressOf(), await faultOf(project.id)]).toEqual([`${apps.github.plainBase}/acme/store.git`, null])
    await say('transferred', 'else/store')
    // A public one could still be read there, and its new owner would decide what is deployed.
    expect([await addressOf(), await faultOf(project.id)]).toEqual([
      `${apps.github.plainBase}/acme/store.git`,
      expect.stringContaining('belongs to another account'),
    ])
    // GitHub says of a transferred repository that it was taken from the App, too.
    await apps.deliver(own, 'installation_repositories', {
      ...installationPayload(own, 'removed'),
      repositories_removed: [{ id: repository.id }],
    })
    expect(await faultOf(project.id)).toContain('belongs to another account')
    await say('deleted', 'else/store')
    expect(await faultOf(project.id)).toContain('was deleted at GitHub')
    await say('renamed', 'acme/../../store')
    expect(await addressOf()).toBe(`${apps.github.plainBase}/acme/store.git`)
  })
})
