// What events did not tell is found out: with a token from the list of open pull requests, without one from the refs.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { type GitHostApi, startGitHostApi } from '../../../test/git-host-api.ts'
import {
  buildHookedProject,
  commit,
  deliver,
  type HookedProject,
  pullRequest,
  stateOf,
} from '../../../test/git-host-events.ts'
import { openTestApp, type TestApp } from '../../../test/test-app.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { findProjectAtHost, takeProjectToReconcile } from '../../store/repository-events/reconciliations.ts'
import { reconcile, reconcileDue } from './reconcile.ts'
import { reportDue } from './report-to-git-hosts.ts'

const { signal } = new AbortController()

describe.each(databases)('comparing pull requests on $name', (source) => {
  let app: TestApp
  let api: GitHostApi
  let refs: readonly string[]
  let project: HookedProject

  beforeAll(async () => {
    app = await openTestApp(source)
    api = await startGitHostApi()
  })
  beforeEach(async () => {
    await app.ctx.db.updateTable('projects').set({ deleting_since: 1 }).execute()
    project = await buildHookedProject(app.ctx, { repo_url: 'git@github.com:acme/app.git' })
    const { box } = app.ctx
    const sealed = {
      host_token_sealed: box.seal('token', projectContext(project.hook_id, 'host_token_sealed')),
      repository_private_key_sealed: box.seal('key', projectContext(project.hook_id, 'repository_private_key_sealed')),
    }
    await app.ctx.db.updateTable('projects').set(sealed).where('id', '=', project.id).execute()
  })
  afterAll(async () => {
    await api.stop()
    await app.close()
  })

  const parts = () => ({
    gitHosts: createGitHosts({ allowedNetworks: ['127.0.0.0/8'], base: api.base }),
    source: { listRefs: async () => refs, findFiles: async () => new Set<string>() },
  })
  const deliverEvent = (action: string, options: Parameters<typeof pullRequest>[1] = {}) =>
    deliver(app, project, 'pull_request', pullRequest(action, options))
  const compare = async () => {
    const found = await findProjectAtHost(app.ctx.db, project.id)
    if (found) await reconcile(app.ctx, parts(), found, signal)
  }
  const hostHas = (...open: { number: number; pull_request: object }[]) =>
    api.answers.set(
      'GET /repos/acme/app/pulls',
      open.map(({ number, pull_request }) => ({ number, ...pull_request })),
    )
  const names = async () => (await stateOf(app.ctx, project.id)).environments
  const withoutToken = () =>
    app.ctx.db.updateTable('projects').set({ host_token_sealed: null }).where('id', '=', project.id).execute()

  test('one whose environment was removed says so in its project and in the pull request, with the reason', async () => {
    await deliverEvent('opened', { number: 1 })
    app.moveClock(1000)
    hostHas()
    await compare()
    const { body } = await app.call('GET', `/api/projects/${project.id}/removed-environments`, { as: project.owner })
    const because =
      'because its pull request is no longer open at the git host, which Shipway found out by comparing: the event never arrived'
    expect(body).toEqual([
      {
        id: expect.any(Number),
        name: 'pr-1',
        removed_at: expect.any(String),
        because,
        removed_by: null,
        task_id: expect.any(Number),
      },
    ])
    api.requests.length = 0
    await app.ctx.db.updateTable('outbox').set({ next_at: 0 }).where('project_id', '=', project.id).execute()
    await reportDue(app.ctx, parts(), signal)
    const comments = api.requests
      .filter(({ path }) => path.includes('comments'))
      .map((request) => request.body?.body ?? '')
    expect(comments.join()).toContain(`The environment was removed ${because}.`)
  })

  test('a pull request whose event was lost gets its environment, and one that was closed loses it', async () => {
    await deliverEvent('opened', { number: 1 })
    app.moveClock(1000)
    hostHas(pullRequest('opened', { number: 2, sha: commit('b') }))
    await compare()
    const { environments, tasks } = await stateOf(app.ctx, project.id)
    expect([environments, tasks.at(-1)]).toEqual([['pr-2'], 'pr-2 deploy queued b'])
  })

  test('a commit without an event is deployed, and unchanged pull requests are left alone', async () => {
    await deliverEvent('opened', { number: 1 })
    app.moveClock(1000)
    hostHas(pullRequest('opened', { number: 1, sha: commit('c'), at: 60 }))
    await compare()
    await compare()
    expect((await stateOf(app.ctx, project.id)).tasks).toEqual(['pr-1 deploy canceled a', 'pr-1 deploy queued c'])
  })

  test('one that was opened again without a word has its environment again', async () => {
    await deliverEvent('opened', { number: 1 })
    await deliverEvent('closed', { number: 1, at: 5 })
    app.moveClock(1000)
    hostHas(pullRequest('opened', { number: 1, at: 9 }))
    await compare()
    expect(await names()).toEqual(['pr-1'])
  })

  test('one that the git host has open is open, though an event of the same second said otherwise', async () => {
    await deliverEvent('opened', { number: 1 })
    await deliverEvent('closed', { number: 1, at: 5 })
    app.moveClock(1000)
    hostHas(pullRequest('opened', { number: 1, at: 5 }))
    await compare()
    expect(await names()).toEqual(['pr-1'])
  })

  test('one that is open and cannot be used is not taken for closed', async () => {
    await deliverEvent('opened', { number: 1 })
    app.moveClock(1000)
    const { pull_request, ...rest } = pullRequest('opened', { number: 1 })
    hostHas({ ...rest, pull_request: { ...pull_request, head: null } })
    await compare()
    expect(await names()).toEqual(['pr-1'])
  })

  test('an event that arrives during the request is newer than its answer', async () => {
    hostHas()
    const asking = compare()
    await deliverEvent('opened', { number: 1 })
    await asking
    expect(await names()).toEqual(['pr-1'])
  })

  test('what cannot be a branch or a commit is not taken from the git host', async () => {
    hostHas(
      pullRequest('opened', { number: 3, branch: '--upload-pack=x' }),
      pullRequest('opened', { number: 4, sha: 'main' }),
    )
    await compare()
    expect(await names()).toEqual([])
  })

  test('without a token, one whose ref has vanished is closed', async () => {
    await withoutToken()
    await deliverEvent('opened', { number: 1 })
    await deliverEvent('opened', { number: 2 })
    refs = ['refs/pull/1/head', 'refs/pull/2/head']
    await compare()
    app.moveClock(10 * 60_000)
    refs = ['refs/pull/2/head']
    await compare()
    expect(await names()).toEqual(['pr-2'])
    refs = []
    await compare()
    expect(await names()).toEqual([])
  })

  test('a repository that has no such refs says nothing', async () => {
    await withoutToken()
    await deliverEvent('opened', { number: 1 })
    app.moveClock(10 * 60_000)
    refs = []
    await compare()
    expect(await names()).toEqual(['pr-1'])
  })

  test('one that was just opened may have no ref yet', async () => {
    await withoutToken()
    await deliverEvent('opened', { number: 1 })
    refs = ['refs/pull/9/head']
    await compare()
    expect(await names()).toEqual(['pr-1'])
  })

  test('each project has its turn every ten minutes, and a git host that fails keeps no other from it', async () => {
    api.answers.set('GET /repos/acme/app/pulls', 500)
    await reconcileDue(app.ctx, parts(), signal)
    expect(await takeProjectToReconcile(app.ctx.db, 600_000)).toBeUndefined()
    await app.ctx.db.updateTable('projects').set({ reconciled_at: 0 }).where('id', '=', project.id).execute()
    expect(await takeProjectToReconcile(app.ctx.db, 600_000)).toMatchObject({ id: project.id })
  })
})
