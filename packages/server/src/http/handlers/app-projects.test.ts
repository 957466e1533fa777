// Projects of a GitHub App: its repositories are listed, followed when they are renamed, and explained when they are out of reach.
import { describe, expect, test } from 'vitest'
import { type ConnectedApp, stageGitHubApp } from '../../../test/connections/stage-github-app.ts'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildProject, buildTask } from '../../../test/factories.ts'
import { json } from '../../../test/github/answer.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { reportDue } from '../../background/repositories/report-to-git-hosts.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { ensureNextAccess } from '../../operations/connections/ensure-access.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { createSource } from '../../source/source.ts'
import { insertOutboxTask } from '../../store/repository-events/outbox.ts'

describe.each(databases)('projects of a GitHub App on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const apps = stageGitHubApp(app)
  const never = new AbortController().signal
  const git = () => ({
    gitHosts: createGitHosts(ALLOW_LOOPBACK),
    source: createSource({ folder: '/nonexistent', allowedNetworks: [] }),
  })

  const buildOwn = async ({ id: connection_id }: ConnectedApp, name: string) => {
    const repository = apps.github.addRepository('acme', `${name}-${connection_id}`, { hasContent: false })
    const project = await buildProject(
      app.ctx,
      { organizationId: apps.organizationId, ownerId: apps.owner.id },
      {
        connection_id,
        repository_external_id: `${repository.id}`,
        repo_url: `${apps.github.base}/acme/${repository.name}.git`,
      },
    )
    const access = { project_id: project.id, repository: `acme/${repository.name}` }
    await app.ctx.db.insertInto('repository_access').values(access).execute()
    return { repository, project }
  }
  /** The repository itself is read by other tests. */
  const check = (projectId: number) =>
    ensureNextAccess({ ...app.ctx, repositories: { ...app.ctx.repositories, probe: async () => undefined } }, projectId)
  const projectOf = async (id: number) => (await apps.call('GET', `projects/${id}`)).body

  test('3,000 repositories are searched, and 200 of them listed', async () => {
    const { id } = await apps.connect()
    for (let index = 0; index < 3_000; index++)
      apps.github.addRepository('acme', `service-${id}-${index}`, { hasContent: false })
    const list = async (search: string) =>
      (await apps.call('GET', `connections/${id}/repositories?search=${search}`)).body
    expect((await list('')).length).toBe(200)
    expect(await list(`SERVICE-${id}-2999`)).toEqual([
      {
        full_name: `acme/service-${id}-2999`,
        default_branch: 'main',
        private: true,
        url: `${apps.github.base}/acme/service-${id}-2999`,
      },
    ])
  })

  test('a repository that was renamed without an event is followed', async () => {
    const own = await apps.connect()
    const { repository, project } = await buildOwn(own, 'shop')
    repository.name = `store-${own.id}`
    await check(project.id)
    expect(await projectOf(project.id)).toMatchObject({
      repo_url: `${apps.github.plainBase}/acme/store-${own.id}.git`,
      repository_access: { status: 'ready', reason: null },
    })
  })

  test('a repository that the App may not use any more is explained, and the connection stays active', async () => {
    const own = await apps.connect()
    const { project } = await buildOwn(own, 'shop')
    own.installation.selection = 'selected'
    await check(project.id)
    expect((await projectOf(project.id)).repository_access).toMatchObject({
      status: 'failing',
      reason: expect.stringContaining('Add it to the App at GitHub'),
    })
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'active' })
  })

  test.each([
    ['is suspended', 'suspended', (own: ConnectedApp) => Object.assign(own.installation, { isSuspended: true })],
    ['was uninstalled', 'removed', (own: ConnectedApp) => Object.assign(own.installation, { isDeleted: true })],
    ['has another key', 'failing', (own: ConnectedApp) => apps.github.rotateKey(own.atGitHub)],
  ])('an App that %s without an event is noticed', async (_, status, change) => {
    const own = await apps.connect()
    const { project } = await buildOwn(own, 'shop')
    change(own)
    await check(project.id)
    expect(await apps.connectionOf(own.id)).toMatchObject({ status, status_reason: expect.any(String) })
    expect((await projectOf(project.id)).repository_access.status).toBe('failing')
    expect((await apps.call('GET', `connections/${own.id}/repositories`)).status).toBe(502)
  })

  test('a report that GitHub limits waits for as long as GitHub asks for, and a revoked token is replaced', async () => {
    const own = await apps.connect()
    const { repository, project } = await buildOwn(own, 'shop')
    const environment = await buildEnvironment(app.ctx, project)
    const at = app.ctx.clock()
    const ended = { status: 'succeeded', started_at: at, finished_at: at } as const
    const task = await buildTask(app.ctx, environment.id, { ...ended, commit_sha: 'a'.repeat(40) })
    await app.ctx.change(PLATFORM, (tx) => insertOutboxTask(tx, { projectId: project.id, taskId: task.id, at }))
    const outbox = () => app.ctx.db.selectFrom('outbox').where('project_id', '=', project.id).selectAll().execute()
    apps.github.before = ({ path }) =>
      path.startsWith('/repos/') ? json(429, { message: 'limited' }, { 'retry-after': '3600' }) : undefined
    const before = Date.now()
    await reportDue(app.ctx, git(), never)
    expect((await outbox())[0]?.next_at).toBeGreaterThan(before + 3_500_000)
    apps.github.before = undefined
    apps.github.revokeTokens()
    await app.ctx.db.updateTable('outbox').set({ next_at: 0 }).where('project_id', '=', project.id).execute()
    await reportDue(app.ctx, git(), never)
    expect(await outbox()).toEqual([])
    const runs = apps.github.records.written['check-runs'].filter(({ repositoryId }) => repositoryId === repository.id)
    expect(runs).toMatchObject([{ conclusion: 'success', head_sha: 'a'.repeat(40) }])
  })
})
