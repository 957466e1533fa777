// Deployments that wait for the checks of their commit: what they wait for, what ends the wait, and what never waits.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildEnvironment } from '../../../test/factories.ts'
import { type GitHostApi, startGitHostApi } from '../../../test/git-host-api.ts'
import { deliverAs, dialects } from '../../../test/git-host-dialects.ts'
import {
  buildHookedProject,
  commit,
  deliver,
  type HookedProject,
  pullRequest,
  push,
  stateOf,
} from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { recordChecks, takeNextWait } from '../../operations/repository-events/checks-of-wait.ts'
import { endTask } from '../../progress/progress.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { endUnfinishedWork } from '../../store/backup/end-unfinished-work.ts'
import type { GitDependencies } from './git-dependencies.ts'
import { reportDue } from './report-to-git-hosts.ts'
import { waitForChecks } from './wait-for-checks.ts'

const RUNS = `GET /repos/acme/app/commits/${commit('a')}/check-runs`
const STATUS = `GET /repos/acme/app/commits/${commit('a')}/status`
const run = (name: string, conclusion: string | null = null) => ({
  id: 1,
  name,
  status: conclusion === null ? 'in_progress' : 'completed',
  conclusion,
})

describe.each(databases)('waiting for checks on $name', (source) => {
  const app = stageApp(source)
  let api: GitHostApi
  let parts: GitDependencies
  let project: HookedProject

  beforeEach(async () => {
    for (const table of ['outbox', 'check_waits'] as const) await app.ctx.db.deleteFrom(table).execute()
    await endAllTasks(app.ctx)
    api = await startGitHostApi()
    const gitHosts = createGitHosts({ allowedNetworks: ['127.0.0.0/8'], base: api.base })
    parts = { gitHosts, source: { listRefs: async () => [], findFiles: async () => new Set<string>() } }
    project = await buildHookedProject(app.ctx, { repo_url: 'git@github.com:acme/app.git' })
    await change({ host_token: 'token-of-the-host', deploy_after: 'checks', deploy_after_checks: ['build', 'lint'] })
    checks([])
    return () => api.stop()
  })

  const change = async (body: object) => {
    const answer = await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body })
    expect(answer.status).toBe(200)
    return answer.body
  }
  const checks = (runs: readonly object[], statuses: readonly object[] = []) => {
    api.answers.set(RUNS, { total_count: runs.length, check_runs: runs })
    api.answers.set(STATUS, { state: 'pending', total_count: statuses.length, statuses })
  }
  const open = (options: Parameters<typeof pullRequest>[1] = {}) =>
    deliver(app, project, 'pull_request', pullRequest('opened', options))
  const checkOnce = async () => {
    await app.ctx.db.updateTable('check_waits').set({ next_at: 0 }).execute()
    await waitForChecks(app.ctx, parts, new AbortController().signal)
  }
  const tasks = async () => (await stateOf(app.ctx, project.id)).tasks
  const environmentId = async () => (await stateOf(app.ctx, project.id)).rows.environments[0]?.id ?? 0
  const waiting = async () =>
    (await app.call('GET', `/api/environments/${await environmentId()}`, { as: project.owner })).body.waiting_for_checks
  const comment = async () => {
    api.requests.length = 0
    await app.ctx.db.updateTable('outbox').set({ next_at: 0 }).execute()
    await reportDue(app.ctx, parts, new AbortController().signal)
    return api.requests.findLast(({ path, method }) => path.includes('comments') && method !== 'GET')?.body?.body ?? ''
  }

  test('a pull request is deployed when the named checks are green, and not before', async () => {
    expect((await open()).body).toEqual({ verdict: 'accepted', reason: 'waiting_for_checks' })
    expect(await tasks()).toEqual([])
    expect(await waiting()).toMatchObject({ state: 'waiting', commit_sha: commit('a'), checks: ['build', 'lint'] })
    expect(await comment()).toContain('**: aaaaaaaaaaaa waits for checks: `build`, `lint`')
    checks(
      [run('build', 'success')],
      [
        { context: 'lint', state: 'pending' },
        { context: 'other', state: 'failure' },
      ],
    )
    await checkOnce()
    expect([await tasks(), (await waiting()).checks]).toEqual([[], ['lint']])
    expect(await comment()).toContain('waits for checks: `lint`')
    checks([run('build', 'success')], [{ context: 'lint', state: 'success' }])
    await checkOnce()
    expect([await tasks(), await waiting()]).toEqual([['pr-7 deploy queued a'], null])
    await checkOnce()
    expect((await tasks()).length).toBe(1)
  })

  test('a red check ends the wait with its name', async () => {
    await open()
    checks([run('build', 'failure')])
    await checkOnce()
    expect(await waiting()).toMatchObject({ state: 'failed', checks: ['build'] })
    expect(await comment()).toContain('aaaaaaaaaaaa is not deployed: the check `build` failed')
    checks([run('build', 'success'), run('lint', 'success')])
    await checkOnce()
    expect(await tasks()).toEqual([])
  })

  test('the deadline ends it, and says what was missing', async () => {
    await change({ deploy_after_minutes: 5 })
    await open()
    checks([run('build', 'success')])
    await checkOnce()
    app.moveClock(5 * 60_000)
    await checkOnce()
    expect(await waiting()).toMatchObject({ state: 'timed_out', checks: ['lint'] })
    expect(await comment()).toContain('after 5 minutes these checks are not green: `lint`')
  })

  test('a git host that does not answer is asked again until the deadline', async () => {
    api.answers.set(RUNS, { status: 429, headers: { 'retry-after': '90' } })
    await open()
    await checkOnce()
    const [row] = await app.ctx.db.selectFrom('check_waits').selectAll().execute()
    expect(row).toMatchObject({ state: 'waiting', attempts: 1, last_error: expect.stringContaining('429') })
    expect(row?.next_at).toBeGreaterThan(Date.now() + 60_000)
    app.moveClock(31 * 60_000)
    await checkOnce()
    expect(await waiting()).toMatchObject({ state: 'timed_out' })
  })

  test.each([{}, [], { check_runs: 'x' }, { check_runs: [{}] }, { check_runs: [{ name: 5, status: 'x' }] }])(
    '%j is no list of checks',
    async (answer) => {
      await open()
      api.answers.set(RUNS, answer)
      await checkOnce()
      expect([await tasks(), (await waiting()).state]).toEqual([[], 'waiting'])
    },
  )

  test('without names, those count that the target branch requires', async () => {
    await change({ deploy_after_checks: [] })
    api.answers.set('GET /repos/acme/app/rules/branches/main', [
      { type: 'deletion' },
      {
        type: 'required_status_checks',
        parameters: { required_status_checks: [{ context: 'e2e' }, { context: 'shipway/pr-7' }] },
      },
    ])
    api.answers.set('GET /repos/acme/app/branches/main', {
      protection: { enabled: true, required_status_checks: { contexts: ['unit'] } },
    })
    await open()
    checks([run('e2e', 'success'), run('optional', 'failure')], [{ context: 'unit', state: 'pending' }])
    await checkOnce()
    expect((await waiting()).checks).toEqual(['unit'])
    checks([run('e2e', 'success'), run('optional', 'failure')], [{ context: 'unit', state: 'success' }])
    await checkOnce()
    expect((await tasks()).length).toBe(1)
  })

  test('without names and required ones, all must be green for a while, and one at least', async () => {
    await change({ deploy_after_checks: [] })
    api.answers.set('GET /repos/acme/app/rules', 404)
    api.answers.set('GET /repos/acme/app/branches', 403)
    await open()
    await checkOnce()
    expect(await waiting()).toMatchObject({ state: 'waiting', checks: [] })
    checks([run('build', 'success')], [{ context: 'shipway/pr-7', state: 'pending' }])
    await checkOnce()
    expect(await tasks()).toEqual([])
    // The next job is reported a moment later.
    checks([run('build', 'success'), run('test')])
    await checkOnce()
    expect((await waiting()).checks).toEqual(['test'])
    checks([run('build', 'success'), run('test', 'neutral'), run('docs', 'skipped')])
    await checkOnce()
    app.moveClock(15_000)
    await checkOnce()
    expect(await tasks()).toEqual(['pr-7 deploy queued a'])
  })

  test('of a commit that Bitbucket Cloud abbreviates, the whole hash is asked for, checked and deployed', async () => {
    const cloud = dialects.find(({ name }) => name === 'Bitbucket Cloud')
    if (!cloud) throw new Error('There is no such dialect')
    project = await buildHookedProject(app.ctx, {
      repo_url: 'git@bitbucket.org:acme/app.git',
      repository_host: 'bitbucket',
    })
    await change({ host_token: 'token-of-the-host', deploy_after: 'checks', deploy_after_checks: ['build'] })
    const short = commit('a').slice(0, 12)
    const opened = cloud.pullRequest({ sha: short })
    expect((await deliverAs(cloud, { app, hookId: project.hook_id }, opened)).body.reason).toBe('waiting_for_checks')
    const at = 'GET /repositories/acme/app/commit/'
    const statuses = { values: [{ key: 'build', name: 'build', state: 'SUCCESSFUL' }] }
    api.answers.set(`${at}${commit('a')}/statuses`, statuses)
    // Another commit begins alike, or the answer is none.
    for (const hash of [commit('b'), short, 5]) {
      api.answers.set(`${at}${short}`, { hash })
      await checkOnce()
      expect(await tasks()).toEqual([])
    }
    api.answers.set(`${at}${short}`, { hash: commit('a') })
    await checkOnce()
    const { rows } = await stateOf(app.ctx, project.id)
    expect(rows.tasks).toMatchObject([{ commit_sha: commit('a') }])
  })

  test('a newer commit takes the place of the one that waits', async () => {
    await open()
    await deliver(app, project, 'pull_request', pullRequest('synchronize', { sha: commit('b'), at: 5 }))
    expect((await waiting()).commit_sha).toBe(commit('b'))
    checks([run('build', 'success'), run('lint', 'success')])
    api.answers.set(`GET /repos/acme/app/commits/${commit('b')}`, { check_runs: [], statuses: undefined })
    await checkOnce()
    expect(await tasks()).toEqual([])
  })

  test('a newer commit that arrives while the checks are read wins', async () => {
    await open()
    checks([run('build', 'success'), run('lint', 'success')])
    const slow = { ...parts.gitHosts }
    const moving: GitDependencies = {
      ...parts,
      gitHosts: {
        ...slow,
        listChecks: async (repository, sha) => {
          const found = await slow.listChecks(repository, sha)
          if (sha === commit('a'))
            await deliver(app, project, 'pull_request', pullRequest('synchronize', { sha: commit('b'), at: 5 }))
          return sha === commit('a') ? found : []
        },
      },
    }
    await app.ctx.db.updateTable('check_waits').set({ next_at: 0 }).execute()
    await waitForChecks(app.ctx, moving, new AbortController().signal)
    expect([await tasks(), (await waiting()).commit_sha]).toEqual([[], commit('b')])
  })

  test('closing the pull request ends it', async () => {
    await open()
    await deliver(app, project, 'pull_request', pullRequest('closed', { at: 9 }))
    expect(await app.ctx.db.selectFrom('check_waits').selectAll().execute()).toEqual([])
  })

  test('a user who deploys does not wait', async () => {
    await open()
    const answer = await app.call('POST', `/api/environments/${await environmentId()}/tasks`, { as: project.owner })
    expect([answer.status, await waiting()]).toEqual([201, null])
  })

  test('a deployment of another commit leaves the wait as it is', async () => {
    await open()
    const body = { commit: commit('c') }
    const url = `/api/environments/${await environmentId()}/tasks`
    expect((await app.call('POST', url, { as: project.owner, body })).status).toBe(201)
    expect((await waiting()).commit_sha).toBe(commit('a'))
  })

  test('a push to the branch of an environment waits, too, and is deployed once', async () => {
    const { id } = await buildEnvironment(app.ctx, project, { branch: 'main', name: 'staging' })
    expect((await deliver(app, project, 'push', push({ after: commit('a') }))).body).toEqual({
      verdict: 'accepted',
      reason: 'waiting_for_checks',
    })
    checks([run('build', 'success'), run('lint', 'success')])
    await checkOnce()
    expect(await tasks()).toEqual(['staging deploy queued a'])
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    expect((await app.call('GET', `/api/environments/${id}`, { as: project.owner })).body.waiting_for_checks).toBeNull()
  })

  test('the same commit is not waited for twice', async () => {
    await open()
    const again = await deliver(app, project, 'push', push({ branch: 'feature', after: commit('a') }))
    expect(again.body).toEqual({ verdict: 'ignored', reason: 'nothing_new' })
    expect((await app.ctx.db.selectFrom('check_waits').selectAll().execute()).length).toBe(1)
  })

  test.each([
    ['protected', { is_protected: 1 }],
    ['without automatic deployments', { auto_deploy: 0 }],
  ] as const)('an environment that became %s is not deployed', async (_, values) => {
    await open()
    await app.ctx.db
      .updateTable('environments')
      .set(values)
      .where('id', '=', await environmentId())
      .execute()
    checks([run('build', 'success'), run('lint', 'success')])
    await checkOnce()
    expect([await tasks(), await waiting()]).toEqual([[], null])
  })

  test('a project that stops waiting deploys what waits', async () => {
    await open()
    await change({ deploy_after: null })
    await checkOnce()
    expect(await tasks()).toEqual(['pr-7 deploy queued a'])
  })

  test.each([
    ['check_run', { action: 'completed', check_run: { id: 5, head_sha: commit('a') } }],
    ['check_suite', { action: 'completed', check_suite: { id: 5, head_sha: commit('a') } }],
    ['status', { sha: commit('a'), state: 'success', context: 'lint' }],
  ])('%s of the git host wakes the wait, and is not listed', async (event, payload) => {
    await open()
    await app.ctx.db
      .updateTable('check_waits')
      .set({ next_at: Date.now() + 3_600_000 })
      .execute()
    const delivered = { ...payload, repository: { id: 1, full_name: 'acme/app' }, sender: { login: 'ada' } }
    expect((await deliver(app, project, event, delivered)).body).toEqual({ verdict: 'accepted', reason: null })
    const [row] = await app.ctx.db.selectFrom('check_waits').selectAll().execute()
    expect(row?.next_at).toBeLessThan(Date.now() + 60_000)
    const listed = await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })
    expect(listed.body.map((delivery: { event: string }) => delivery.event)).toEqual(['pull_request'])
    const other = JSON.parse(JSON.stringify(delivered).replaceAll(commit('a'), commit('f')))
    expect((await deliver(app, project, event, other)).body).toEqual({ verdict: 'ignored', reason: 'nothing_new' })
  })

  const checkSuite = () =>
    deliver(app, project, 'check_suite', {
      action: 'completed',
      check_suite: { id: 5, head_sha: commit('a') },
      repository: { id: 1, full_name: 'acme/app' },
      sender: { login: 'ada' },
    })
  const nextAt = async () => {
    const [row] = await app.ctx.db.selectFrom('check_waits').selectAll().execute()
    return row?.next_at ?? 0
  }

  test('no event shortens the pause that the git host asks for', async () => {
    api.answers.set(RUNS, { status: 429, headers: { 'retry-after': '90' } })
    await open()
    await checkOnce()
    const before = await nextAt()
    expect(before).toBeGreaterThan(Date.now() + 60_000)
    await checkSuite()
    expect(await nextAt()).toBe(before)
    await deliver(app, project, 'pull_request', pullRequest('synchronize', { sha: commit('b'), at: 5 }))
    expect([(await waiting()).commit_sha, await nextAt()]).toEqual([commit('b'), before])
  })

  test('an event while the checks are read discards nothing, and they are read again soon', async () => {
    await open()
    const taken = await takeNextWait(app.ctx)
    if (!taken) throw new Error('No wait is due')
    await checkSuite()
    expect(await takeNextWait(app.ctx)).toBeUndefined()
    await recordChecks(app.ctx, taken, { openChecks: ['lint'] })
    expect((await waiting()).checks).toEqual(['lint'])
    expect(await nextAt()).toBeLessThan(Date.now() + 8_000)
  })

  test('names of checks stay inert in the comment', async () => {
    await change({ deploy_after_checks: ['`x` @acme/all <img src=x>', '[a](javascript:b)'] })
    await open()
    expect(await comment()).toContain("waits for checks: `'x' @acme/all <img src=x>`, `[a](javascript:b)`")
  })

  test('the file of the default branch wins over the settings', async () => {
    await change({ deploy_after: null, deploy_after_minutes: 5 })
    const file = (rules: object) =>
      app.ctx.db
        .updateTable('projects')
        .set({ file_rules: JSON.stringify(rules), is_file_rules_stale: 0 })
        .where('id', '=', project.id)
        .execute()
    await file({ deployAfter: { names: ['e2e'], minutes: null } })
    expect((await open()).body).toEqual({ verdict: 'accepted', reason: 'waiting_for_checks' })
    const { checks: names, since, deadline_at } = await waiting()
    expect([names, Date.parse(deadline_at) - Date.parse(since)]).toEqual([['e2e'], 5 * 60_000])
    await file({})
    await checkOnce()
    expect(await tasks()).toEqual(['pr-7 deploy queued a'])
  })

  test('a wait goes on after the process that read its checks was killed', async () => {
    await open()
    const taken = await takeNextWait(app.ctx)
    expect(taken?.sha).toBe(commit('a'))
    expect(await takeNextWait(app.ctx)).toBeUndefined()
    await app.ctx.db.updateTable('check_waits').set({ held_until: 0 }).execute()
    checks([run('build', 'success'), run('lint', 'success')])
    await checkOnce()
    expect(await tasks()).toEqual(['pr-7 deploy queued a'])
  })

  test('a restored backup waits for nothing', async () => {
    await open()
    await endUnfinishedWork(app.ctx.db, app.ctx.clock())
    await app.ctx.db.deleteFrom('settings').where('key', '=', 'restored_at').execute()
    expect(await waiting()).toBeNull()
  })

  test('the setting needs access to the git host', async () => {
    const bare = await buildHookedProject(app.ctx, { repo_url: 'git@github.com:acme/bare.git' })
    const body = { deploy_after: 'checks' }
    const answer = await app.call('PATCH', `/api/projects/${bare.id}`, { as: bare.owner, body })
    expect(answer.body.errors).toMatchObject([{ pointer: '/deploy_after', code: 'host_token_needed' }])
    const both = { ...body, host_token: 'a-token' }
    expect((await app.call('PATCH', `/api/projects/${bare.id}`, { as: bare.owner, body: both })).body).toMatchObject({
      deploy_after: 'checks',
      deploy_after_checks: [],
      deploy_after_minutes: null,
    })
  })
})
