// Reports of deployments to git hosts: once for each state, in one comment, retried while the host does not answer.
import { beforeEach, describe, expect, test } from 'vitest'
import { buildConnection } from '../../../test/connections/connection-records.ts'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildStep } from '../../../test/factories.ts'
import { type GitHostApi, startGitHostApi } from '../../../test/git-host-api.ts'
import { buildHookedProject, commit, deliver, type HookedProject, pullRequest } from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { connectionContext } from '../../domain/encryption-context.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { expireEnvironments } from '../../operations/environments/expire-environments.ts'
import { endReport, takeNextReport } from '../../operations/repository-events/outbox.ts'
import { endTask } from '../../progress/progress.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { NONE_BUSY } from '../../store/busy-owners.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'
import { insertOutboxPullRequest } from '../../store/repository-events/outbox.ts'
import type { GitDependencies } from './git-dependencies.ts'
import { reportDue } from './report-to-git-hosts.ts'

const TOKEN = 'token-of-the-git-host'

describe.each(databases)('reports to git hosts on $name', (source) => {
  const app = stageApp(source)
  let api: GitHostApi
  let parts: GitDependencies
  let project: HookedProject

  beforeEach(async () => {
    await app.ctx.db.deleteFrom('outbox').execute()
    await endAllTasks(app.ctx)
    api = await startGitHostApi()
    const gitHosts = createGitHosts({ allowedNetworks: ['127.0.0.0/8'], base: api.base })
    parts = { gitHosts, source: { listRefs: async () => [], findFiles: async () => new Set<string>() } }
    project = await buildHookedProject(app.ctx, { repo_url: 'git@github.com:acme/app.git', environment_limit: 1 })
    const body = { host_token: TOKEN }
    const answer = await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body })
    expect([answer.status, answer.body.has_host_token]).toEqual([200, true])
    expect(answer.text).not.toContain(TOKEN)
    return () => api.stop()
  })

  const open = (number = 7) => deliver(app, project, 'pull_request', pullRequest('opened', { number }))
  const report = async () => {
    api.requests.length = 0
    await app.ctx.db.updateTable('outbox').set({ next_at: 0 }).execute()
    await reportDue(app.ctx, parts, new AbortController().signal)
    return api.requests.map(({ method, path }) => `${method} ${path}`)
  }
  const tellAsDue = async () => {
    api.requests.length = 0
    await reportDue(app.ctx, parts, new AbortController().signal)
    return api.requests.map(({ method, path }) => `${method} ${path}`)
  }
  const waiting = async () => (await app.ctx.db.selectFrom('outbox').selectAll().execute()).length
  const commentBody = (): string => api.requests.find(({ path }) => path.includes('comments'))?.body?.body ?? ''

  test('a deployment is reported as the status of its commit, as a deployment, and in one comment', async () => {
    await open()
    expect(await report()).toEqual([
      `POST /repos/acme/app/statuses/${commit('a')}`,
      'POST /repos/acme/app/deployments',
      expect.stringMatching(/^POST \/repos\/acme\/app\/deployments\/[0-9]+\/statuses$/),
      'GET /repos/acme/app/issues/7/comments?per_page=100',
      'POST /repos/acme/app/issues/7/comments',
    ])
    expect(api.requests.every(({ headers }) => headers.authorization === `Bearer ${TOKEN}`)).toBe(true)
    expect(api.requests[0]?.body).toMatchObject({
      state: 'pending',
      context: 'shipway/pr-7',
      target_url: expect.stringContaining('https://ship.example.com/environments/'),
    })
    expect(api.requests[1]?.body).toMatchObject({ ref: commit('a'), environment: 'pr-7', transient_environment: true })
    expect(await report()).toEqual([])

    const lease = await takeNext(app.ctx)
    expect((await report()).length).toBe(3)
    expect(api.requests[1]?.body).toMatchObject({
      state: 'in_progress',
      environment_url: `http://pr-7.${project.domain}`,
    })
    await buildStep(app.ctx, lease.taskId, {
      name: 'Build `x` @acme/all',
      status: 'failed',
      message: '<img src=x>\nNo',
    })
    await endTask(app.ctx, lease, { status: 'failed' })
    await report()
    expect(api.requests[0]?.body).toMatchObject({ state: 'failure', description: 'failed at Build `x` @acme/all' })
    expect(commentBody()).toContain("`Prepare: Build 'x' @acme/all` `<img src=x> No`")
    expect(await waiting()).toBe(0)
  })

  test('a project with a connection reports with its token, at its address, without a token of the project', async () => {
    const sealId = `connection-of-${project.id}`
    const connection = await buildConnection(app.ctx, project.organizationId, {
      base_url: `${api.base}/git`,
      seal_id: sealId,
      token_sealed: app.ctx.box.seal('token-of-the-connection', connectionContext(sealId, 'token_sealed')),
    })
    const update = (values: object) =>
      app.ctx.db.updateTable('projects').set(values).where('id', '=', project.id).execute()
    await update({ connection_id: connection.id, host_token_sealed: null })
    await open()
    await update({ repository_host: 'gitea' })
    parts = { ...parts, gitHosts: createGitHosts({ allowedNetworks: ['127.0.0.0/8'] }) }
    expect(await report()).toEqual([
      `POST /git/api/v1/repos/acme/app/statuses/${commit('a')}`,
      'GET /git/api/v1/repos/acme/app/issues/7/comments',
      'POST /git/api/v1/repos/acme/app/issues/7/comments',
    ])
    expect(new Set(api.requests.map(({ headers }) => headers.authorization))).toEqual(
      new Set(['token token-of-the-connection']),
    )
  })

  test('a comment of ours that is there already is written anew', async () => {
    await open()
    await report()
    const body = api.requests.findLast(({ path }) => path.endsWith('/comments'))?.body.body
    // Its id was not stored: the process died.
    await app.ctx.db.updateTable('pull_requests').set({ comment_id: null }).execute()
    api.answers.set('GET /repos/acme/app/issues/7/comments', [
      { id: 1, body: 'Nice' },
      { id: 42, body },
    ])
    await takeNext(app.ctx)
    expect(await report()).toContain('PATCH /repos/acme/app/issues/comments/42')
  })

  test('a comment of another account is not taken for ours, whatever it says', async () => {
    await open(1)
    await report()
    // What our comment says is public, and so are the numbers of projects and pull requests.
    const ours: string = api.requests.findLast(({ path }) => path.endsWith('/comments'))?.body.body
    const forged = ours.replaceAll('pr-1', 'pr-7')
    api.answers.set('GET /repos/acme/app/issues/7/comments', [
      { id: 41, body: `[//]: # (shipway-project-${project.id})` },
      { id: 42, body: forged },
    ])
    await open(7)
    expect(await report()).toContain('POST /repos/acme/app/issues/7/comments')
  })

  test('two projects of one repository do not replace each other', async () => {
    const { repo_url, organizationId: organization_id } = { ...project, repo_url: 'git@github.com:acme/app.git' }
    const other = await buildHookedProject(app.ctx, { repo_url, name: 'Docs' })
    await app.ctx.db.updateTable('projects').set({ organization_id }).where('id', '=', other.id).execute()
    await open()
    await report()
    const [status, deployment] = api.requests.map(({ body }) => body)
    const name = `pr-7 (${project.name})`
    expect([status.context, deployment.environment]).toEqual([`shipway/${name}`, name])
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    await deliver(app, project, 'pull_request', pullRequest('closed', { at: 5 }))
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    expect(await report()).toContain(
      `GET /repos/acme/app/deployments?environment=${encodeURIComponent(name)}&per_page=30`,
    )
  })

  test('a comment that was deleted at the git host is written again', async () => {
    await open()
    await report()
    const [row] = await app.ctx.db
      .selectFrom('pull_requests')
      .where('project_id', '=', project.id)
      .selectAll()
      .execute()
    api.answers.set(`PATCH /repos/acme/app/issues/comments/${row?.comment_id}`, 404)
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    expect(await report()).toContain('POST /repos/acme/app/issues/7/comments')
    expect(await waiting()).toBe(0)
  })

  test('waiting, approval and removal are reported', async () => {
    await open(1)
    await report()
    await open(2)
    await report()
    expect(commentBody() || api.requests.at(-1)?.body.body).toContain('waits for an environment')
    await deliver(app, project, 'pull_request', pullRequest('closed', { number: 1, at: 5 }))
    await report()
    const last = api.requests.filter(({ path }) => path.includes('comments')).map(({ body }) => body?.body ?? '')
    expect(last.join()).toContain('The environment was removed because its pull request was closed.')
  })

  test('reports say when an environment will be removed, that it was, and how to get it back', async () => {
    const limit = (value: string | null) =>
      app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: { expire_after: value } })
    await limit('7d')
    await open()
    await report()
    const lease = await takeNext(app.ctx)
    await endTask(app.ctx, lease, { status: 'succeeded' })
    await report()
    const [day] = new Date(app.ctx.clock() + 7 * 86_400_000).toISOString().split('T')
    expect(commentBody()).toContain(`It is removed on ${day} at `)
    await limit(null)
    await report()
    expect(commentBody()).not.toContain('It is removed')
    await limit('1h')
    app.moveClock(2 * 86_400_000)
    await expireEnvironments(app.ctx)
    const removal = await takeNext(app.ctx)
    await report()
    expect(commentBody()).toContain('being removed after 1 hour without a deployment')
    await endTask(app.ctx, removal, { status: 'succeeded' }, async (tx) => {
      const { id } = await tx
        .selectFrom('environments')
        .where('project_id', '=', project.id)
        .select('id')
        .executeTakeFirstOrThrow()
      await updateEnvironment(tx, id, { removed_at: app.ctx.clock() })
    })
    await report()
    expect(commentBody()).toContain(
      'The environment was removed after 1 hour without a deployment. The next commit brings it back.',
    )
  })

  test.each(['<img src=x onerror=alert(1)>', '[x](javascript:alert(1))', '@acme/all', '\u202e\u2066evil'])(
    'no text of a pull request is repeated, such as %j',
    async (words) => {
      const opened = pullRequest('opened', {
        title: words,
        branch: words.replaceAll(/[ [\]]/g, '').replaceAll(':', ''),
      })
      const user = { login: words }
      await deliver(app, project, 'pull_request', { ...opened, pull_request: { ...opened.pull_request, user } })
      expect((await report()).length).toBe(5)
      expect(JSON.stringify(api.requests)).not.toMatch(/onerror|javascript|@acme|evil/)
    },
  )

  test('a report that fails is retried, and nothing is lost', async () => {
    api.answers.set('POST /repos/acme/app/statuses', 500)
    await open()
    await report()
    const entries = await app.ctx.db.selectFrom('outbox').where('task_id', 'is not', null).selectAll().execute()
    expect(entries).toMatchObject([{ attempts: 1, last_error: expect.stringContaining('500') }])
    expect(entries[0]?.next_at).toBeGreaterThan(Date.now())
    expect(JSON.stringify(entries)).not.toContain(TOKEN)
    api.answers.clear()
    expect(await report()).toContain(`POST /repos/acme/app/statuses/${commit('a')}`)
  })

  const DEPLOYMENTS = 'POST /repos/acme/app/deployments'

  test('a deployment is created once, whatever is refused after it', async () => {
    api.answers.set(`${DEPLOYMENTS}/`, 500)
    await open()
    expect(await report()).toContain(DEPLOYMENTS)
    const again = await report()
    expect(again.filter((request) => request.startsWith(DEPLOYMENTS))).toEqual([
      expect.stringMatching(/^POST \/repos\/acme\/app\/deployments\/[0-9]+\/statuses$/),
    ])
  })

  test('a refused comment hinders neither the status nor the deployment, and is tried again by itself', async () => {
    const COMMENTS = 'POST /repos/acme/app/issues/7/comments'
    api.answers.set(COMMENTS, 403)
    await open()
    const first = await report()
    expect([first.filter((request) => request === DEPLOYMENTS).length, first.at(-1)]).toEqual([1, COMMENTS])
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    const second = await tellAsDue()
    expect(second).not.toContain(DEPLOYMENTS)
    expect(api.requests.find(({ path }) => path.includes('/statuses/'))?.body).toMatchObject({ state: 'success' })
    expect(await app.ctx.db.selectFrom('outbox').where('task_id', 'is not', null).selectAll().execute()).toEqual([])
    api.answers.delete(COMMENTS)
    expect(await report()).toContain(COMMENTS)
    expect(await waiting()).toBe(0)
  })

  test('a comment waits as long as the git host asks, and nothing makes it earlier', async () => {
    const COMMENTS = 'POST /repos/acme/app/issues/7/comments'
    api.answers.set(COMMENTS, { status: 429, headers: { 'retry-after': '600' } })
    await open()
    await tellAsDue()
    const [entry] = await app.ctx.db.selectFrom('outbox').where('task_id', 'is', null).selectAll().execute()
    expect(entry?.next_at).toBeGreaterThan(Date.now() + 300_000)
    await app.ctx.change(PLATFORM, (tx) =>
      insertOutboxPullRequest(tx, { projectId: project.id, number: 7, at: app.ctx.clock() }),
    )
    const [later] = await app.ctx.db.selectFrom('outbox').where('task_id', 'is', null).selectAll().execute()
    expect(later?.next_at).toBe(entry?.next_at)
    // The pause is the git host's, so the next status of the deployment waits, too.
    await takeNext(app.ctx)
    expect(await tellAsDue()).toEqual([])
  })

  test('a change while a report is under way is reported after it, and by one process at a time', async () => {
    await open(1)
    await report()
    await open(2)
    const first = await takeNextReport(app.ctx, NONE_BUSY)
    if (!first) throw new Error('No report is due')
    const wake = () =>
      app.ctx.change(PLATFORM, (tx) =>
        insertOutboxPullRequest(tx, { projectId: project.id, number: 2, at: app.ctx.clock() }),
      )
    expect([first.taskId, first.pullRequestNumber]).toEqual([null, 2])
    await wake()
    expect(await takeNextReport(app.ctx, NONE_BUSY)).toBeUndefined()
    await endReport(app.ctx, first)
    const second = await takeNextReport(app.ctx, NONE_BUSY)
    expect(second?.id).toBe(first.id)
    if (second) await endReport(app.ctx, second)
    expect(await app.ctx.db.selectFrom('outbox').where('task_id', 'is', null).selectAll().execute()).toEqual([])
  })

  test('without a token nothing is reported', async () => {
    await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: { host_token: null } })
    await open()
    expect([await waiting(), await report()]).toEqual([0, []])
  })

  test('a token goes with its git host', async () => {
    const body = { repo_url: 'git@gitlab.com:acme/app.git' }
    const answer = await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body })
    expect(answer.body.has_host_token).toBe(false)
  })

  test.each(['a b', '', 'line\nbreak'])('%j is no token', async (token) => {
    const answer = await app.call('PATCH', `/api/projects/${project.id}`, {
      as: project.owner,
      body: { host_token: token },
    })
    expect(answer.status).toBe(422)
  })
})
