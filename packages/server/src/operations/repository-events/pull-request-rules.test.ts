// Which pull requests get an environment: every rule, from the delivery of the git host to what people read.
import type { PullRequestChanges } from '@shipway/api/values/pull-request-rules'
import { sql } from 'kysely'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildHookedProject, commit, deliver, NONE, pullRequest, push, stateOf } from '../../../test/git-host-events.ts'
import { builtBeforeEach } from '../../../test/stage/built-before.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { NO_REPOSITORIES } from '../../../test/test-app.ts'
import { answerCommentRequests } from '../../background/repositories/answer-comment-requests.ts'
import { projectContext } from '../../domain/encryption-context.ts'
import type { WriteAccess } from '../../domain/repository/write-access.ts'
import { HostRefused } from '../../source/git-host/call-host.ts'
import type { Repositories } from '../../source/repositories.ts'
import { reconcilePullRequests } from './reconcile-pull-requests.ts'

const labelled = (...names: readonly string[]) => names.map((name) => ({ name }))

/** What the repository and the API of the git host say in these tests. */
const outside = {
  rules: {} as Awaited<ReturnType<Repositories['readRules']>>['read'],
  files: undefined as readonly string[] | undefined,
  access: 'unknown' as WriteAccess | Error,
  compared: [] as unknown[],
}

const repositories: Repositories = {
  ...NO_REPOSITORIES,
  readRules: async () => ({ sha: commit('c'), read: outside.rules }),
  listChangedFiles: async (_, compared) => {
    outside.compared.push(compared)
    return outside.files
  },
  findWriteAccess: async () => {
    if (outside.access instanceof Error) throw outside.access
    return outside.access
  },
}

describe.each(databases)('rules about pull requests on $name', (source) => {
  const app = stageApp(source, {}, { repositories })
  const project = builtBeforeEach(async () => {
    Object.assign(outside, { rules: {}, files: undefined, access: 'unknown', compared: [] })
    return buildHookedProject(app.ctx, { environment_limit: 5 })
  })

  const deliverEvent = async (payload: unknown, event = 'pull_request') =>
    (await deliver(app, project, event, payload)).body
  const change = (pull_requests: PullRequestChanges) =>
    app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: { pull_requests } })
  const names = async () => (await stateOf(app.ctx, project.id)).environments
  const tasks = async () => (await stateOf(app.ctx, project.id)).tasks
  const waiting = async () => {
    const { body } = await app.call('GET', `/api/projects/${project.id}/waiting`, { as: project.owner })
    return body.map((entry: { number: number; reason: string; detail: string }) => [
      entry.number,
      entry.reason,
      entry.detail,
    ])
  }
  const lastDetail = async () => {
    const { body } = await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })
    return body[0].detail
  }
  /** A pull request with more in its payload. */
  const request = (action: string, more: object = {}, options: Parameters<typeof pullRequest>[1] = {}) => {
    const payload = pullRequest(action, options)
    return { ...payload, pull_request: { ...payload.pull_request, ...more } }
  }
  const comment = (body: string, login = 'ada') => ({
    action: 'created',
    issue: { number: 7, pull_request: { url: 'https://api.github.com/repos/acme/app/pulls/7' } },
    comment: { body, user: { login, id: 5 } },
    repository: { id: 1, full_name: 'acme/app' },
  })
  const giveToken = () =>
    app.ctx.db
      .updateTable('projects')
      .set({ host_token_sealed: app.ctx.box.seal('token', projectContext(project.hook_id, 'host_token_sealed')) })
      .where('id', '=', project.id)
      .execute()

  test('by default every pull request gets an environment, drafts and bots too', async () => {
    const { body } = await app.call('GET', `/api/projects/${project.id}`, { as: project.owner })
    expect(body.pull_requests).toEqual({
      enabled: true,
      labels: [],
      drafts: true,
      bots: true,
      target_branches: [],
      paths: [],
      comments: false,
      expire_after: null,
    })
    const payload = request('opened', { draft: true, user: { login: 'renovate[bot]', type: 'Bot' } })
    expect(await deliverEvent(payload)).toEqual({ verdict: 'accepted', reason: null })
    expect(await names()).toEqual(['pr-7'])
  })

  test('with a label it gets its environment, and loses it with the last one', async () => {
    expect((await change({ enabled: 'label', labels: ['preview', 'qa'] })).status).toBe(200)
    expect(await deliverEvent(request('opened'))).toEqual({ verdict: 'ignored', reason: 'label_missing' })
    expect(await lastDetail()).toBe('It has none of the labels preview, qa')
    expect(await waiting()).toEqual([[7, 'label_missing', 'It has none of the labels preview, qa']])
    expect(await deliverEvent(request('labeled', { labels: labelled('Preview', 'bug') }, { at: 1 }))).toEqual({
      verdict: 'accepted',
      reason: null,
    })
    expect([await names(), await waiting()]).toEqual([['pr-7'], []])
    expect(await deliverEvent(request('unlabeled', { labels: labelled('bug') }, { at: 2 }))).toEqual({
      verdict: 'accepted',
      reason: 'label_missing',
    })
    expect((await tasks()).at(-1)).toMatch(/^pr-7 remove /)
    expect(await names()).toEqual([])
    expect(await waiting()).toMatchObject([[7, 'label_missing', 'It has none of the labels preview, qa']])
    await deliverEvent(request('labeled', { labels: labelled('qa') }, { at: 3 }))
    expect(await names()).toEqual(['pr-7'])
  })

  test('a protected environment stays when the last label goes', async () => {
    await change({ enabled: 'label', labels: ['preview'] })
    await deliverEvent(request('opened', { labels: labelled('preview') }))
    await app.ctx.db.updateTable('environments').set({ is_protected: 1 }).where('project_id', '=', project.id).execute()
    expect(await deliverEvent(request('unlabeled', {}, { at: 1 }))).toEqual({
      verdict: 'ignored',
      reason: 'label_missing',
    })
    expect(await lastDetail()).toBe('It has no label preview. Its environment is protected and stays')
    expect(await names()).toEqual(['pr-7'])
  })

  test('a draft waits until it is ready, and its environment gets no commits while it is one again', async () => {
    await change({ drafts: false })
    expect(await deliverEvent(request('opened', { draft: true }))).toEqual({ verdict: 'ignored', reason: 'draft' })
    expect(await waiting()).toEqual([[7, 'draft', 'It is a draft, and waits until it is ready for review']])
    expect(await deliverEvent(request('ready_for_review', {}, { at: 1 }))).toEqual({
      verdict: 'accepted',
      reason: null,
    })
    expect(await deliverEvent(request('converted_to_draft', { draft: true }, { at: 2 }))).toMatchObject({
      reason: 'draft',
    })
    expect(await deliverEvent(request('synchronize', { draft: true }, { at: 3, sha: commit('b') }))).toMatchObject({
      reason: 'draft',
    })
    expect(await deliverEvent(push({ branch: 'feature', before: commit('b'), after: commit('d') }), 'push')).toEqual({
      verdict: 'ignored',
      reason: 'draft',
    })
    expect([await names(), await tasks()]).toEqual([['pr-7'], ['pr-7 deploy queued a']])
    expect(await deliverEvent(request('ready_for_review', {}, { at: 4, sha: commit('d') }))).toEqual({
      verdict: 'accepted',
      reason: null,
    })
    expect(await tasks()).toEqual(['pr-7 deploy canceled a', 'pr-7 deploy queued d'])
  })

  test('bots get none', async () => {
    await change({ bots: false })
    const payload = request('opened', { user: { login: 'dependabot[bot]', type: 'Bot' } })
    expect(await deliverEvent(payload)).toEqual({ verdict: 'ignored', reason: 'bot_author' })
    expect(await lastDetail()).toBe('Its author dependabot[bot] is a bot')
    expect(await deliverEvent(pullRequest('opened', { number: 8 }))).toMatchObject({ reason: null })
    expect(await names()).toEqual(['pr-8'])
  })

  test('another target branch decides again', async () => {
    await change({ target_branches: ['main', 'release/*'] })
    const to = (ref: string) => ({ base: { ref, sha: commit('0'), repo: { id: 1, full_name: 'acme/app' } } })
    expect(await deliverEvent(request('opened', to('develop')))).toEqual({
      verdict: 'ignored',
      reason: 'target_branch_excluded',
    })
    expect(await lastDetail()).toBe('Its target branch develop does not match main, release/*')
    const changes = { changes: { base: { ref: { from: 'develop' } } } }
    expect(await deliverEvent({ ...request('edited', to('release/2'), { at: 1 }), ...changes })).toMatchObject({
      reason: null,
    })
    expect(await names()).toEqual(['pr-7'])
    expect(await deliverEvent({ ...request('edited', to('develop'), { at: 2 }), ...changes })).toEqual({
      verdict: 'accepted',
      reason: 'target_branch_excluded',
    })
    expect(await names()).toEqual([])
  })

  test('paths are compared with the base on opening, and with the last deployed commit on a push', async () => {
    await change({ paths: ['apps/shop/**', '!**/*.md'] })
    outside.files = ['apps/shop/README.md', 'lib/a.ts']
    expect(await deliverEvent(request('opened'))).toEqual({ verdict: 'ignored', reason: 'paths_unchanged' })
    expect(outside.compared).toEqual([{ branch: 'feature', sha: commit('a'), targetBranch: 'main', deployedSha: null }])
    expect(await lastDetail()).toBe('None of its changed files matches apps/shop/**, !**/*.md')
    // Another event about the same commit compares nothing again.
    expect(await deliverEvent(request('edited', { title: 'Other' }, { at: 1 }))).toMatchObject({
      reason: 'paths_unchanged',
    })
    expect(outside.compared).toHaveLength(1)
    // Renamed across the filter: git lists both names.
    outside.files = ['lib/cart.ts', 'apps/shop/cart.ts']
    expect(await deliverEvent(request('synchronize', {}, { at: 2, sha: commit('b') }))).toMatchObject({ reason: null })
    expect(await tasks()).toEqual(['pr-7 deploy queued b'])
    await app.ctx.db.updateTable('tasks').set({ status: 'succeeded', started_at: 1, finished_at: 2 }).execute()
    outside.files = ['lib/other.ts']
    expect(await deliverEvent(push({ branch: 'feature', before: commit('b'), after: commit('d') }), 'push')).toEqual({
      verdict: 'ignored',
      reason: 'paths_unchanged',
    })
    expect(outside.compared.at(-1)).toMatchObject({ sha: commit('d'), deployedSha: commit('b') })
    expect(await deliverEvent(request('synchronize', {}, { at: 3, sha: commit('d') }))).toMatchObject({
      reason: 'paths_unchanged',
    })
    expect([await names(), await waiting()]).toEqual([['pr-7'], []])
  })

  test('a list of files that was cut off, or cannot be had, counts as a match', async () => {
    await change({ paths: ['apps/shop/**'] })
    outside.files = undefined
    expect(await deliverEvent(request('opened'))).toEqual({ verdict: 'accepted', reason: null })
  })

  test('files are compared with another target branch, also after a list of files that was cut off', async () => {
    await change({ paths: ['apps/shop/**'] })
    const to = (ref: string) => ({ base: { ref, sha: commit('0'), repo: { id: 1, full_name: 'acme/app' } } })
    const retarget = (ref: string, at: number) =>
      deliverEvent({ ...request('edited', to(ref), { at }), changes: { base: { ref: { from: 'main' } } } })
    outside.files = ['lib/a.ts']
    expect(await deliverEvent(request('opened', to('main')))).toMatchObject({ reason: 'paths_unchanged' })
    outside.files = undefined
    expect(await retarget('release/2', 1)).toEqual({ verdict: 'accepted', reason: null })
    outside.files = ['lib/a.ts']
    expect(await deliverEvent(request('edited', { ...to('release/2'), title: 'Other' }, { at: 2 }))).toMatchObject({
      reason: 'paths_unchanged',
    })
    expect(outside.compared.map((compared) => Object(compared).targetBranch)).toEqual([
      'main',
      'release/2',
      'release/2',
    ])
    // The stored answer is of the other branch. Its commit is deployed already.
    outside.files = ['apps/shop/cart.ts']
    expect(await retarget('main', 3)).toMatchObject({ reason: 'nothing_new' })
  })

  test('the file of the default branch wins field by field, and is read again after a push to it', async () => {
    await change({ drafts: false, bots: false })
    outside.rules = { drafts: true }
    const bot = { draft: true, user: { login: 'renovate[bot]', type: 'Bot' } }
    expect(await deliverEvent(request('opened', bot))).toMatchObject({ reason: 'bot_author' })
    expect(await deliverEvent(request('opened', { draft: true }, { number: 8 }))).toMatchObject({ reason: null })
    outside.rules = { drafts: true, bots: true, expireAfterHours: 72 }
    expect(await deliverEvent(request('opened', bot, { number: 9 }))).toMatchObject({ reason: 'bot_author' })
    await deliverEvent(push({ branch: 'main', before: NONE, after: commit('e') }), 'push')
    expect(await deliverEvent(request('opened', bot, { number: 10 }))).toMatchObject({ reason: null })
    const { body } = await app.call('GET', `/api/projects/${project.id}`, { as: project.owner })
    expect([body.pull_requests.bots, body.pull_requests_file]).toEqual([
      false,
      { commit_sha: commit('c'), rules: { drafts: true, bots: true, expire_after: '3d' }, fault: null },
    ])
    expect(ofFile(body)).toEqual({
      'pull_requests.drafts': true,
      'pull_requests.bots': true,
      'pull_requests.expire_after': '3d',
    })
  })

  type RuledProject = { effective_rules: { field: string; value: unknown; from: string }[] }
  const ofFile = ({ effective_rules: rules }: RuledProject) =>
    Object.fromEntries(rules.flatMap(({ field, value, from }) => (from === 'file' ? [[field, value]] : [])))

  test('the rules as they apply say which of deploy_after come from the file', async () => {
    await giveToken()
    const read = async () => (await app.call('GET', `/api/projects/${project.id}`, { as: project.owner })).body
    const body = { deploy_after: 'checks', deploy_after_checks: ['lint'], deploy_after_minutes: 7 }
    expect((await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body })).status).toBe(200)
    const valuesOf = (shown: RuledProject) => shown.effective_rules.slice(-3).map(({ value }) => value)
    expect([valuesOf(await read()), ofFile(await read())]).toEqual([['checks', ['lint'], 7], {}])
    outside.rules = { deployAfter: { names: ['build'], minutes: null } }
    await deliverEvent(request('opened'))
    const ruled = await read()
    expect(valuesOf(ruled)).toEqual(['checks', ['build'], 7])
    expect(ofFile(ruled)).toEqual({ deploy_after: 'checks', deploy_after_checks: ['build'] })
  })

  test('a faulty file keeps the last valid rules, and says what is wrong', async () => {
    outside.rules = { drafts: false }
    await deliverEvent(request('opened', { draft: true }))
    outside.rules = { fault: '.service.yml:3:5: pull_requests.drafts: Give true or false' }
    await deliverEvent(push({ branch: 'main', before: NONE, after: commit('e') }), 'push')
    expect(await deliverEvent(request('opened', { draft: true }, { number: 8 }))).toMatchObject({ reason: 'draft' })
    const { body } = await app.call('GET', `/api/projects/${project.id}`, { as: project.owner })
    expect(body.pull_requests_file.fault).toContain('Give true or false')
  })

  test('changed rules are applied to open pull requests by the next comparison', async () => {
    await deliverEvent(request('opened'))
    await change({ enabled: 'label', labels: ['preview'] })
    const compare = () =>
      reconcilePullRequests(app.ctx, {
        projectId: project.id,
        open: { kind: 'refs', numbers: new Set([7]) },
        askedAt: app.ctx.clock() + 1,
      })
    await compare()
    expect([await names(), await waiting()]).toMatchObject([[], [[7, 'label_missing', 'It has no label preview']]])
    await change({ enabled: true })
    await compare()
    expect(await names()).toEqual(['pr-7'])
  })

  test('a push to the default branch whose event was lost is found by the comparison', async () => {
    await deliverEvent(request('opened', { draft: true }))
    outside.rules = { drafts: false, enabled: false }
    const commits = vi.spyOn(repositories, 'readRules').mockResolvedValue({ sha: commit('f'), read: outside.rules })
    const open = { kind: 'refs', numbers: new Set([7]) } as const
    await reconcilePullRequests(app.ctx, { projectId: project.id, open, askedAt: app.ctx.clock() + 1 })
    commits.mockRestore()
    expect([await names(), await waiting()]).toEqual([
      [],
      [[7, 'pull_requests_off', 'Pull requests of this project get no environments']],
    ])
  })

  test('one that is closed while it waits leaves the list', async () => {
    await change({ drafts: false })
    await deliverEvent(request('opened', { draft: true }))
    expect(await deliverEvent(request('closed', { draft: true }, { at: 1 }))).toEqual({
      verdict: 'accepted',
      reason: null,
    })
    expect(await waiting()).toEqual([])
  })

  test('a fork waits for approval, whatever the rules admit', async () => {
    await app.call('PATCH', `/api/projects/${project.id}`, {
      as: project.owner,
      body: { fork_pull_requests: 'approval', pull_requests: { enabled: 'label', labels: ['preview'] } },
    })
    const fork = { headRepository: { id: 2, full_name: 'eve/app' } }
    expect(await deliverEvent(request('opened', {}, fork))).toMatchObject({ reason: 'label_missing' })
    expect(await deliverEvent(request('labeled', { labels: labelled('preview') }, { ...fork, at: 1 }))).toEqual({
      verdict: 'accepted',
      reason: 'awaiting_approval',
    })
    expect(await tasks()).toEqual([])
  })

  test('/preview by a member starts, redeploys and stops an environment against the rules', async () => {
    await giveToken()
    await change({ enabled: false, comments: true })
    outside.access = 'write'
    expect(await deliverEvent(request('opened'))).toEqual({ verdict: 'ignored', reason: 'pull_requests_off' })
    expect(await deliverEvent(comment('/preview\n\nplease'), 'issue_comment')).toEqual({
      verdict: 'accepted',
      reason: null,
    })
    expect([await names(), await tasks()]).toEqual([['pr-7'], ['pr-7 deploy queued a']])
    expect(await deliverEvent(comment('/preview'), 'issue_comment')).toMatchObject({ reason: 'nothing_new' })
    // Its commits follow, and the rules stay silent.
    expect(await deliverEvent(request('synchronize', {}, { at: 1, sha: commit('b') }))).toMatchObject({ reason: null })
    expect(await deliverEvent(comment('/preview redeploy'), 'issue_comment')).toMatchObject({ verdict: 'accepted' })
    expect((await tasks()).at(-1)).toBe('pr-7 deploy queued b')
    expect(await deliverEvent(comment('/preview stop'), 'issue_comment')).toEqual({
      verdict: 'accepted',
      reason: 'stopped_by_comment',
    })
    expect(await names()).toEqual([])
    expect(await deliverEvent(request('synchronize', {}, { at: 2, sha: commit('d') }))).toMatchObject({
      reason: 'stopped_by_comment',
    })
    expect(await deliverEvent(comment('/preview'), 'issue_comment')).toMatchObject({ verdict: 'accepted' })
    expect(await names()).toEqual(['pr-7'])
  })

  const notSaid =
    'The git host did not say whether eve has write access. Give the project a connection or a host token that may ask'
  test.each<[access: WriteAccess, reason: string, detail: string]>([
    ['none', 'no_write_access', 'eve has no write access to the repository'],
    ['unknown', 'write_access_unknown', notSaid],
  ])('/preview by an account with access %s is ignored', async (access, reason, detail) => {
    await giveToken()
    await change({ enabled: false, comments: true })
    outside.access = access
    await deliverEvent(request('opened'))
    expect(await deliverEvent(comment('/preview', 'eve'), 'issue_comment')).toEqual({ verdict: 'ignored', reason })
    expect([await lastDetail(), await names()]).toEqual([detail, []])
  })

  describe('while the git host does not answer', () => {
    const limited = new HostRefused(403, 'GET /collaborators', 90_000)
    const answer = () => answerCommentRequests(app.ctx, new AbortController().signal)
    const due = () => app.ctx.db.updateTable('comment_requests').set({ next_at: 0 }).execute()
    const requests = () => app.ctx.db.selectFrom('comment_requests').where('project_id', '=', project.id).selectAll()
    const lastDelivery = async () => {
      const { body } = await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })
      return body[0]
    }
    beforeEach(async () => {
      await app.ctx.db.deleteFrom('comment_requests').execute()
      await giveToken()
      await change({ enabled: false, comments: true })
      await deliverEvent(request('opened'))
      outside.access = limited
    })

    test('/preview waits, as long as the host asks for, and is carried out when it answers', async () => {
      expect(await deliverEvent(comment('/preview'), 'issue_comment')).toEqual({
        verdict: 'accepted',
        reason: 'checking_permission',
      })
      expect(await lastDetail()).toBe('The git host did not answer whether ada has write access. It is asked again')
      const before = Date.now()
      await answer()
      expect((await requests().executeTakeFirstOrThrow()).next_at).toBeGreaterThan(before + 80_000)
      expect(await names()).toEqual([])
      outside.access = 'write'
      await due()
      await answer()
      expect([await names(), await requests().execute()]).toEqual([['pr-7'], []])
      expect(await lastDelivery()).toMatchObject({ verdict: 'accepted', reason: null, detail: null })
    })

    test.each<[access: WriteAccess, reason: string]>([
      ['none', 'no_write_access'],
      ['unknown', 'write_access_unknown'],
    ])('/preview of an account with access %s is ignored when it answers', async (access, reason) => {
      await deliverEvent(comment('/preview', 'eve'), 'issue_comment')
      outside.access = access
      await answer()
      expect([await names(), await requests().execute()]).toEqual([[], []])
      expect(await lastDelivery()).toMatchObject({ verdict: 'ignored', reason })
    })

    test('a host that never answers ends the wait, and says so', async () => {
      await deliverEvent(comment('/preview'), 'issue_comment')
      for (let attempt = 0; attempt < 10; attempt++) {
        await due()
        await answer()
      }
      expect([await names(), await requests().execute()]).toEqual([[], []])
      expect(await lastDelivery()).toMatchObject({ verdict: 'ignored', reason: 'git_host_unreachable' })
    })

    test('a later command replaces the one that waits, also where it is answered first', async () => {
      await deliverEvent(comment('/preview'), 'issue_comment')
      outside.access = 'write'
      await deliverEvent(comment('/preview stop'), 'issue_comment')
      expect([await names(), await requests().execute()]).toEqual([[], []])
      outside.access = limited
      await deliverEvent(comment('/preview stop'), 'issue_comment')
      await deliverEvent(comment('/preview'), 'issue_comment')
      outside.access = 'write'
      await app.ctx.db
        .updateTable('comment_requests')
        .set(({ ref }) => ({ next_at: sql<number>`0 - ${ref('id')}` }))
        .execute()
      await answer()
      expect([await names(), await requests().execute()]).toEqual([['pr-7'], []])
    })

    test('a pull request that was closed meanwhile gets nothing', async () => {
      await deliverEvent(comment('/preview'), 'issue_comment')
      await deliverEvent(request('closed', {}, { at: 9 }))
      outside.access = 'write'
      await answer()
      expect([await names(), await requests().execute()]).toEqual([[], []])
    })
  })

  test('without comments in the rules a command is ignored', async () => {
    await deliverEvent(request('opened'))
    expect(await deliverEvent(comment('/preview stop'), 'issue_comment')).toEqual({
      verdict: 'ignored',
      reason: 'comments_off',
    })
    expect(await deliverEvent(comment('What does /preview do?'), 'issue_comment')).toMatchObject({
      reason: 'not_a_command',
    })
    expect(await names()).toEqual(['pr-7'])
  })

  test('expire_after is one setting with two names', async () => {
    const { body } = await change({ expire_after: '72h' })
    expect([body.expire_after, body.pull_requests.expire_after]).toEqual(['3d', '3d'])
    const patch = { expire_after: '1h', pull_requests: { expire_after: '2h' } }
    const both = await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: patch })
    expect(both.status).toBe(422)
  })

  test.each([
    [{ enabled: 'label' }, '/pull_requests/labels'],
    [{ enabled: 'sometimes' }, '/pull_requests/enabled'],
    [{ paths: ['/etc/**'] }, '/pull_requests/paths/0'],
    [{ lables: [] }, '/pull_requests'],
  ])('%j is refused', async (pull_requests, pointer) => {
    const { status, body } = await change(pull_requests as PullRequestChanges)
    expect([status, body.errors[0].pointer]).toEqual([422, expect.stringContaining(pointer)])
  })
})
