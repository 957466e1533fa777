// Check runs of projects with a GitHub App: what they say, and what their buttons do, by whom.
import { beforeEach, describe, expect, test } from 'vitest'
import { buildConnection } from '../../../test/connections/connection-records.ts'
import { databases } from '../../../test/databases.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildStep } from '../../../test/factories.ts'
import { type GitHostApi, startGitHostApi } from '../../../test/git-host-api.ts'
import {
  buildHookedProject,
  commit,
  deliver,
  type HookedProject,
  pullRequest,
  stateOf,
} from '../../../test/git-host-events.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { connectionContext } from '../../domain/encryption-context.ts'
import { appendOutput, endTask } from '../../progress/progress.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { answerCheckRequests } from './answer-check-requests.ts'
import type { GitDependencies } from './git-dependencies.ts'
import { reportDue } from './report-to-git-hosts.ts'

const TOKEN = 'token-of-the-installation'
const RUNS = '/repos/acme/app/check-runs'
const stranger = { id: 2, full_name: 'stranger/app' }

describe.each(databases)('check runs on $name', (source) => {
  const app = stageApp(source)
  let api: GitHostApi
  let parts: GitDependencies
  let project: HookedProject
  let askedFor: readonly string[] = []

  beforeEach(async () => {
    for (const table of ['outbox', 'check_requests', 'check_runs'] as const)
      await app.ctx.db.deleteFrom(table).execute()
    await endAllTasks(app.ctx)
    api = await startGitHostApi()
    api.answers.set('GET /repos/acme/app/commits', { total_count: 0, check_runs: [] })
    const findFiles = async (_: number, __: string, paths: ReadonlySet<string>) => {
      askedFor = [...paths]
      return new Set(['src/shop.ts'])
    }
    const gitHosts = createGitHosts({ allowedNetworks: ['127.0.0.0/8'], base: api.base })
    parts = { gitHosts, source: { listRefs: async () => [], findFiles } }
    project = await buildHookedProject(app.ctx, {
      repo_url: 'https://github.com/acme/app.git',
      fork_pull_requests: 'approval',
    })
    const connection = await buildConnection(app.ctx, project.organizationId, { type: 'github_app' })
    const sealed = app.ctx.box.seal(TOKEN, connectionContext(connection.seal_id, 'token_sealed'))
    const { db } = app.ctx
    await db.updateTable('connections').set({ token_sealed: sealed }).where('id', '=', connection.id).execute()
    await db.updateTable('projects').set({ connection_id: connection.id }).where('id', '=', project.id).execute()
    return () => api.stop()
  })

  const signal = new AbortController().signal
  const open = (options: Parameters<typeof pullRequest>[1] = {}) =>
    deliver(app, project, 'pull_request', pullRequest('opened', options))
  const report = async () => {
    api.requests.length = 0
    await app.ctx.db.updateTable('outbox').set({ next_at: 0 }).execute()
    await reportDue(app.ctx, parts, signal)
    return api.requests.filter(({ path }) => path.includes('/check-runs'))
  }
  const answer = async () => {
    await app.ctx.db.updateTable('check_requests').set({ next_at: 0 }).execute()
    await answerCheckRequests(app.ctx, parts, signal)
  }
  const deployed = async (status: 'succeeded' | 'failed' = 'succeeded') => {
    await open()
    await endTask(app.ctx, await takeNext(app.ctx), { status })
    const [, written] = await report()
    expect(written?.method).toBe('POST')
    const row = await app.ctx.db.selectFrom('check_runs').selectAll().executeTakeFirstOrThrow()
    return Number(row.host_id)
  }
  const click = (id: number, identifier: string, more: object = {}) =>
    deliver(app, project, 'check_run', {
      action: 'requested_action',
      requested_action: { identifier },
      check_run: { id, head_sha: commit('a'), external_id: 'x', app: { id: 1 } },
      repository: { id: 1, full_name: 'acme/app' },
      sender: { login: 'ada' },
      ...more,
    })
  const mayWrite = (permission: string, login = 'ada') =>
    api.answers.set(`GET /repos/acme/app/collaborators/${login}/permission`, { permission })
  const deliveries = async () =>
    (await app.call('GET', `/api/projects/${project.id}/deliveries`, { as: project.owner })).body
  const tasks = async () => (await stateOf(app.ctx, project.id)).tasks

  test('one is created, follows the deployment, and no commit status is written', async () => {
    await open()
    const [find, created] = await report()
    expect([find?.method, created?.method, created?.path]).toEqual(['GET', 'POST', RUNS])
    expect(created?.body).toMatchObject({ head_sha: commit('a'), name: 'shipway/pr-7', status: 'queued' })
    expect(created?.body.details_url).toContain('https://ship.example.com/environments/')
    expect(api.requests.some(({ path }) => path.includes(`/statuses/${commit('a')}`))).toBe(false)
    expect(api.requests.map(({ path }) => path)).toContain('/repos/acme/app/deployments')
    const lease = await takeNext(app.ctx)
    const [running] = await report()
    expect([running?.method, running?.body.status]).toEqual(['PATCH', 'in_progress'])
    await endTask(app.ctx, lease, { status: 'succeeded' })
    const [ended] = await report()
    expect(ended?.body).toMatchObject({ conclusion: 'success', actions: [{ identifier: 'redeploy' }] })
    expect(JSON.stringify(api.requests.map(({ body }) => body))).not.toContain(TOKEN)
  })

  test('a failure has its step, its last lines and the lines of files of the commit', async () => {
    await open()
    const lease = await takeNext(app.ctx)
    const output =
      'src/shop.ts:12:5 - error TS2322: `no`\n```\n<img src=x> @acme/all \u001b[31mred\u001b[0m\nother.ts:1:1: no\n'
    await appendOutput(app.ctx, lease, { position: 0, bytes: Buffer.from(output) })
    await buildStep(app.ctx, lease.taskId, {
      phase: 'Build',
      name: 'Build images',
      status: 'failed',
      message: 'exit 1',
      output_from: 0,
      output_to: Buffer.byteLength(output),
    })
    await endTask(app.ctx, lease, { status: 'failed' })
    const [, run] = await report()
    expect(run?.body.conclusion).toBe('failure')
    expect(run?.body.output.title).toMatch(/^Failed at Build images after /)
    expect(run?.body.output.summary).toContain('Failed step: `Build: Build images` `exit 1`')
    expect(run?.body.output.summary).toContain(
      '````text\nsrc/shop.ts:12:5 - error TS2322: `no`\n```\n<img src=x> @acme/all red',
    )
    expect(askedFor).toEqual(['src/shop.ts', 'other.ts'])
    expect(run?.body.output.annotations).toEqual([
      {
        path: 'src/shop.ts',
        start_line: 12,
        end_line: 12,
        annotation_level: 'failure',
        message: 'error TS2322: `no`',
      },
    ])
  })

  test('a run with annotations is replaced by the next deployment of the commit, any other is used again', async () => {
    const first = await deployed('failed')
    const again = await app.call('POST', `/api/environments/${await environmentId()}/tasks`, {
      as: project.owner,
      body: {},
    })
    expect(again.status).toBe(201)
    await app.ctx.db
      .updateTable('tasks')
      .set({ commit_sha: commit('a') })
      .where('id', '=', again.body.id)
      .execute()
    expect((await report()).map(({ method, path }) => `${method} ${path}`)).toEqual([`PATCH ${RUNS}/${first}`])
    await app.ctx.db.updateTable('check_runs').set({ has_annotations: 1 }).execute()
    await app.ctx.db.updateTable('outbox').set({ told: null }).execute()
    expect((await report()).map(({ method }) => method)).toEqual(['GET', 'POST'])
  })

  const environmentId = async () => (await stateOf(app.ctx, project.id)).rows.environments[0]?.id ?? 0

  test('a fork awaits approval with a button, which a user with write access may press', async () => {
    await open({ headRepository: stranger })
    const [, run] = await report()
    expect(run?.body).toMatchObject({ conclusion: 'action_required', actions: [{ identifier: 'approve' }] })
    const row = await app.ctx.db.selectFrom('check_runs').selectAll().executeTakeFirstOrThrow()
    mayWrite('write')
    expect((await click(Number(row.host_id), 'approve')).body).toEqual({
      verdict: 'accepted',
      reason: 'checking_permission',
    })
    expect(await tasks()).toEqual([])
    await answer()
    expect(await tasks()).toEqual(['pr-7 deploy queued a'])
    const [delivery] = await deliveries()
    expect(delivery).toMatchObject({
      event: 'check_run',
      verdict: 'accepted',
      reason: null,
      environment: { name: 'pr-7' },
    })
    const [patched] = await report()
    expect([patched?.method, patched?.body.status]).toEqual(['PATCH', 'queued'])
    const audit = await app.call('GET', `/api/organizations/${project.organizationId}/audit`, {
      as: project.owner,
    })
    expect(JSON.stringify(audit.body)).toContain('github:ada')
  })

  test.each(['read', 'none', 'triage'])('a sender with permission %s changes nothing', async (permission) => {
    await open({ headRepository: stranger })
    await report()
    const row = await app.ctx.db.selectFrom('check_runs').selectAll().executeTakeFirstOrThrow()
    mayWrite(permission)
    await click(Number(row.host_id), 'approve')
    await answer()
    expect(await tasks()).toEqual([])
    expect((await deliveries())[0]).toMatchObject({ verdict: 'ignored', reason: 'no_write_access' })
    expect(await app.ctx.db.selectFrom('check_requests').selectAll().execute()).toEqual([])
  })

  test.each([
    ['the button', (id: number) => click(id, 'redeploy')],
    ['Re-run of the check', (id: number) => click(id, '', { action: 'rerequested', requested_action: undefined })],
    [
      'Re-run of all checks',
      () =>
        deliver(app, project, 'check_suite', {
          action: 'rerequested',
          check_suite: { id: 5, head_sha: commit('a'), app: { id: 1 } },
          repository: { id: 1 },
          sender: { login: 'ada' },
        }),
    ],
  ])('%s redeploys', async (_, press) => {
    const id = await deployed()
    mayWrite('admin')
    expect((await press(id)).body).toEqual({ verdict: 'accepted', reason: 'checking_permission' })
    await answer()
    expect(await tasks()).toEqual(['pr-7 deploy succeeded a', 'pr-7 deploy queued a'])
  })

  test('a commit that the pull request has moved on from is not deployed again', async () => {
    const id = await deployed()
    await deliver(app, project, 'pull_request', pullRequest('synchronize', { sha: commit('b'), at: 5 }))
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    mayWrite('write')
    await click(id, 'redeploy')
    await answer()
    expect((await tasks()).length).toBe(2)
    expect((await deliveries())[0]).toMatchObject({ verdict: 'ignored', reason: 'too_late' })
  })

  test('an environment that expires is extended', async () => {
    await app.call('PATCH', `/api/projects/${project.id}`, { as: project.owner, body: { expire_after: '7d' } })
    const id = await deployed()
    const read = async () =>
      (await app.call('GET', `/api/environments/${await environmentId()}`, { as: project.owner })).body.expires_at
    const before = Date.parse(await read())
    app.moveClock(3 * 86_400_000)
    mayWrite('write')
    await click(id, 'extend')
    await answer()
    expect(Date.parse(await read()) - before).toBeGreaterThanOrEqual(3 * 86_400_000)
  })

  test.each([
    ['of another check run', { check_run: { id: 999_999 } }, 'no_environment'],
    ['without an id', { check_run: {} }, 'incomplete_payload'],
    ['with an id that is a text', { check_run: { id: '1' } }, 'incomplete_payload'],
    ['with another button', { requested_action: { identifier: 'delete' } }, 'action_not_used'],
    ['with a button of every object', { requested_action: { identifier: 'constructor' } }, 'action_not_used'],
    ['of no sender', { sender: null }, 'incomplete_payload'],
    ['of a sender that is a path', { sender: { login: '../../user' } }, 'incomplete_payload'],
    ['of another repository', { repository: { id: 77 } }, 'other_repository'],
  ])('a click %s leads to nothing', async (_, more, reason) => {
    const id = await deployed()
    await app.ctx.db.updateTable('projects').set({ repository_external_id: '1' }).where('id', '=', project.id).execute()
    expect((await click(id, 'redeploy', more)).body).toEqual({ verdict: 'ignored', reason })
    expect(await app.ctx.db.selectFrom('check_requests').selectAll().execute()).toEqual([])
  })

  test('the check run of another project is unknown', async () => {
    const id = await deployed()
    const other = await buildHookedProject(app.ctx, { repo_url: 'https://github.com/acme/other.git' })
    const payload = {
      action: 'rerequested',
      check_run: { id },
      repository: { id: 9, full_name: 'acme/other' },
      sender: { login: 'ada' },
    }
    expect((await deliver(app, other, 'check_run', payload)).body).toEqual({
      verdict: 'ignored',
      reason: 'no_environment',
    })
  })

  test('a rate limit puts the question off for as long as GitHub asks', async () => {
    const id = await deployed()
    const headers = { 'retry-after': '120' }
    api.answers.set('GET /repos/acme/app/collaborators', { status: 429, headers })
    await click(id, 'redeploy')
    await answer()
    const [row] = await app.ctx.db.selectFrom('check_requests').selectAll().execute()
    expect(row).toMatchObject({ attempts: 1, last_error: expect.stringContaining('429') })
    expect(row?.next_at).toBeGreaterThan(Date.now() + 60_000)
    api.answers.delete('GET /repos/acme/app/collaborators')
    mayWrite('write')
    await answer()
    expect((await tasks()).length).toBe(2)
  })

  test('a report waits as long as GitHub asks, too', async () => {
    api.answers.set('POST /repos/acme/app/check-runs', { status: 403, headers: { 'retry-after': '600' } })
    await open()
    await report()
    const [entry] = await app.ctx.db.selectFrom('outbox').where('task_id', 'is not', null).selectAll().execute()
    expect(entry?.next_at).toBeGreaterThan(Date.now() + 300_000)
  })

  test('a run that GitHub has and the records have not is found by its own id', async () => {
    await open()
    const task = await app.ctx.db.selectFrom('tasks').orderBy('id', 'desc').selectAll().executeTakeFirstOrThrow()
    const external_id = `environment-${task.environment_id}-task-${task.id}`
    api.answers.set('GET /repos/acme/app/commits', { total_count: 1, check_runs: [{ id: 31, external_id }] })
    expect((await report()).map(({ method, path }) => `${method} ${path}`)[1]).toBe(`PATCH ${RUNS}/31`)
  })
})
