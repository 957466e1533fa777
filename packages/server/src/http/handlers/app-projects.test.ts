// Projects of a GitHub App: its repositories are listed, followed when they are renamed, and explained when they are out of reach.
import { describe, expect, test } from 'vitest'
import { type ConnectedApp, stageGitHubApp } from '../../../test/connections/stage-github-app.ts'
import { buildEnvironment, buildProject, buildTask } from '../../../test/factories.ts'
import { json } from '../../../test/github/answer.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { oneDatabase } from '../../../test/one-database.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { reportDue } from '../../background/repositories/report-to-git-hosts.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { ensureNextAccess } from '../../operations/connections/ensure-access.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { createSource } from '../../source/source.ts'
import { insertOutboxTask } from '../../store/repository-events/outbox.ts'

describe.each(oneDatabase)('projects of a GitHub App on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const apps = stageGitHubApp(app)
  const never = new AbortController().signal
  const git = () => ({
    gitHosts: createGitHosts(ALLOW_LOOPBACK),
    source: createSource({ folder: '/nonexistent', allowedNetworks: [] }),
  })

  const buildOwn = async ({ id: connection_id }: ConnectedApp, name: string, { isPrivate = true } = {}) => {
    const repository = apps.github.addRepository('acme', `${name}-${connection_id}`, { hasContent: false, isPrivate })
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

  test.each(['a private', 'a public'])(
    '%s repository of an account that was renamed without an event is followed',
    async (kind) => {
      const own = await apps.connect()
      const { repository, project } = await buildOwn(own, 'shop', { isPrivate: kind === 'a private' })
      const account = `store-${own.id}`
      Object.assign(own.installation, { account })
      Object.assign(repository, { owner: account })
      // All projects of the account are due again, also the one that noticed.
      while (await check(project.id));
      expect(await projectOf(project.id)).toMatchObject({
        repo_url: `${apps.github.plainBase}/${account}/${repository.name}.git`,
        repository_access: { status: 'ready', reason: null },
      })
      expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'active', account })
    },
  )

  test('a check of the connection finds the new name of its account', async () => {
    const own = await apps.connect()
    own.installation.account = `store-${own.id}`
    expect((await apps.call('POST', `connections/${own.id}/check`)).body).toMatchObject({
      status: 'active',
      account: `store-${own.id}`,
    })
  })

  test.each([
    ['transferred', 'belongs to another account'],
    ['deleted', 'was deleted at GitHub'],
  ])('a repository that was %s is explained so until it can be read again', async (action, sentence) => {
    const own = await apps.connect()
    const { repository, project } = await buildOwn(own, 'shop')
    const full_name = `${action === 'transferred' ? 'else' : 'acme'}/${repository.name}`
    const [owner = ''] = full_name.split('/')
    Object.assign(repository, { owner, isDeleted: action === 'deleted' })
    await apps.deliver(own, 'repository', { action, repository: { id: repository.id, full_name } })
    const again = async () => {
      await app.ctx.db.updateTable('repository_access').set({ next_at: 0 }).execute()
      await check(project.id)
      return (await projectOf(project.id)).repository_access
    }
    const said = { status: 'failing', reason: expect.stringContaining(sentence) }
    expect([await again(), await again()]).toMatchObject([said, said])
    Object.assign(repository, { owner: 'acme', isDeleted: false })
    expect(await again()).toMatchObject({ status: 'ready', reason: null })
    own.installation.selection = 'selected'
    expect((await again()).reason).toContain('Add it to the App')
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

  test('an App that was deleted without an event is said on the connection and the project', async () => {
    const own = await apps.connect()
    const { project } = await buildOwn(own, 'shop')
    apps.github.records.apps.delete(own.atGitHub.id)
    const deleted = expect.stringContaining('The App was deleted at GitHub')
    for (let time = 1; time <= 2; time++) {
      await app.ctx.db.updateTable('repository_access').set({ next_at: 0 }).execute()
      await check(project.id)
      expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'removed', status_reason: deleted })
      expect((await projectOf(project.id)).repository_access).toMatchObject({ status: 'failing', reason: deleted })
    }
  })

  test('an App that was unsuspended without an event works again', async () => {
    const own = await apps.connect()
    const { project } = await buildOwn(own, 'shop')
    own.installation.isSuspended = true
    await check(project.id)
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'suspended' })
    own.installation.isSuspended = false
    await app.ctx.db.updateTable('repository_access').set({ next_at: 0 }).execute()
    await check(project.id)
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'active', status_reason: null })
    expect((await projectOf(project.id)).repository_access).toMatchObject({ status: 'ready', reason: null })
  })

  test('a GitHub that cannot be asked leaves a removed connection as it was, and the project is checked again', async () => {
    const own = await apps.connect()
    const { project } = await buildOwn(own, 'shop')
    own.installation.isDeleted = true
    await check(project.id)
    apps.github.before = ({ isApi }) => (isApi ? { status: 200, body: 'no JSON' } : undefined)
    await apps.deliver(own, 'installation', {
      action: 'deleted',
      installation: { id: own.installation.id, account: { login: 'acme' } },
    })
    await app.ctx.db.updateTable('repository_access').set({ next_at: 0 }).execute()
    expect(await check(project.id)).toBe(true)
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'removed' })
    expect((await projectOf(project.id)).repository_access).toMatchObject({ status: 'failing' })
  })

  test('an App that was removed and installed again without an event is found, and its events count', async () => {
    const own = await apps.connect()
    const { project } = await buildOwn(own, 'shop')
    own.installation.isDeleted = true
    await check(project.id)
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'removed' })
    const stranger = apps.github.addInstallation(own.atGitHub, { account: 'mallory' })
    const installed = (id: number, login: string) =>
      apps.deliver(own, 'installation', { action: 'created', installation: { id, account: { login } } })
    await installed(stranger.id, 'mallory')
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'removed' })
    const { id: second } = apps.github.addInstallation(own.atGitHub)
    const again = () => app.ctx.db.updateTable('repository_access').set({ next_at: 0 }).execute()
    await again()
    await check(project.id)
    const active = { status: 'active', app: { installation_id: second } }
    expect(await apps.connectionOf(own.id)).toMatchObject(active)
    await check(project.id)
    expect((await projectOf(project.id)).repository_access).toMatchObject({ status: 'ready', reason: null })
    const removal = { action: 'deleted', installation: { id: second, account: { login: 'acme' } } }
    expect((await apps.deliver(own, 'installation', removal)).status).toBe(200)
    // The event of the third one was lost; the user checks.
    for (const each of apps.github.records.installations.values()) each.isDeleted ||= each.account === 'acme'
    const { id: third } = apps.github.addInstallation(own.atGitHub)
    const checked = await apps.call('POST', `connections/${own.id}/check`)
    expect(checked.body).toMatchObject({ status: 'active', app: { installation_id: third } })
    expect(await apps.connectionOf(own.id)).toMatchObject(checked.body)
  })

  test('an installation whose removal no event reported is replaced by the event of the next one', async () => {
    const own = await apps.connect()
    const { project } = await buildOwn(own, 'shop')
    own.installation.isDeleted = true
    await check(project.id)
    const { id } = apps.github.addInstallation(own.atGitHub)
    await apps.deliver(own, 'installation', { action: 'created', installation: { id, account: { login: 'acme' } } })
    expect(await apps.connectionOf(own.id)).toMatchObject({ status: 'active', app: { installation_id: id } })
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
