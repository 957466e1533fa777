// The whole way of a project with a GitHub App, against the GitHub of the tests: its check run, its buttons, its deployments, and CI.
import { beforeEach, describe, expect, test } from 'vitest'
import { type ConnectedApp, stageGitHubApp } from '../../../test/connections/stage-github-app.ts'
import { endAllTasks, takeNext } from '../../../test/deployments.ts'
import { buildProject, buildStep } from '../../../test/factories.ts'
import { commit, pullRequest, stateOf } from '../../../test/git-host-events.ts'
import { ALLOW_LOOPBACK } from '../../../test/hooks/stage-hooks.ts'
import { oneDatabase } from '../../../test/one-database.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { appendOutput, endTask } from '../../progress/progress.ts'
import { createGitHosts } from '../../source/git-hosts.ts'
import { updateEnvironment } from '../../store/environments/environments.ts'
import { answerCheckRequests } from './answer-check-requests.ts'
import type { GitDependencies } from './git-dependencies.ts'
import { reportDue } from './report-to-git-hosts.ts'
import { waitForChecks } from './wait-for-checks.ts'

describe.each(oneDatabase)('feedback of a GitHub App on $name', (source) => {
  const app = stageApp(source, ALLOW_LOOPBACK)
  const apps = stageGitHubApp(app)
  const findFiles = async (_: number, __: string, paths: ReadonlySet<string>) => paths
  const parts: GitDependencies = {
    gitHosts: createGitHosts(ALLOW_LOOPBACK),
    source: { listRefs: async () => [], findFiles },
  }
  let own: ConnectedApp
  let repositoryId: number
  let projectId: number

  beforeEach(async () => {
    for (const table of ['outbox', 'check_requests', 'check_waits'] as const)
      await app.ctx.db.deleteFrom(table).execute()
    await endAllTasks(app.ctx)
    for (const written of Object.values(apps.github.records.written)) written.length = 0
    own = await apps.connect()
    const repository = apps.github.addRepository('acme', `shop-${own.id}`, { hasContent: false })
    repositoryId = repository.id
    const project = await buildProject(
      app.ctx,
      { organizationId: apps.organizationId, ownerId: apps.owner.id },
      {
        connection_id: own.id,
        repository_external_id: `${repository.id}`,
        repo_url: `${apps.github.base}/acme/${repository.name}.git`,
        default_recipe: 'manual',
      },
    )
    projectId = project.id
    const access = { project_id: projectId, repository: `acme/${repository.name}`, last_error: null }
    await app.ctx.db.insertInto('repository_access').values(access).execute()
  })

  const written = (kind: 'check-runs' | 'deployment-statuses' | 'comments' | 'statuses') =>
    apps.github.records.written[kind]
  const signal = new AbortController().signal
  const work = async () => {
    for (const table of ['outbox', 'check_requests', 'check_waits'] as const)
      await app.ctx.db.updateTable(table).set({ next_at: 0 }).execute()
    await answerCheckRequests(app.ctx, parts, signal)
    await waitForChecks(app.ctx, parts, signal)
    await reportDue(app.ctx, parts, signal)
  }
  const deliver = (event: string, payload: object) =>
    apps.deliver(own, event, { ...payload, repository: { id: repositoryId } })
  const open = (action = 'opened', at = 0, labels: readonly string[] = []) => {
    const side = { id: repositoryId, full_name: 'acme/shop' }
    const payload = pullRequest(action, { headRepository: side, at })
    const base = { ...payload.pull_request.base, repo: side }
    const labelled = { labels: labels.map((name) => ({ name })) }
    return deliver('pull_request', { ...payload, pull_request: { ...payload.pull_request, base, ...labelled } })
  }
  const tasks = async () => (await stateOf(app.ctx, projectId)).tasks

  test('a check run of an App that was deleted at GitHub is left alone: only the App that wrote it may change it', async () => {
    await open()
    await work()
    const [before] = written('check-runs')
    Object.assign(before ?? {}, { app: { id: 1 } })
    await app.ctx.db.deleteFrom('check_runs').execute()
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    await work()
    expect(written('check-runs')).toMatchObject([
      { status: 'queued', app: { id: 1 } },
      { conclusion: 'success', external_id: before?.external_id },
    ])
  })

  test('from the failed deployment over Re-run to the removal', async () => {
    expect((await open()).body).toEqual({ verdict: 'accepted', reason: null })
    await work()
    expect(written('check-runs')).toMatchObject([{ head_sha: commit('a'), name: 'shipway/pr-7', status: 'queued' }])
    const lease = await takeNext(app.ctx)
    const output = 'src/shop.ts:12:5 - error TS2322: no\n'
    await appendOutput(app.ctx, lease, { position: 0, bytes: Buffer.from(output) })
    await buildStep(app.ctx, lease.taskId, {
      name: 'Build images',
      status: 'failed',
      output_from: 0,
      output_to: output.length,
    })
    await endTask(app.ctx, lease, { status: 'failed' })
    await work()
    const [failed] = written('check-runs')
    expect(failed).toMatchObject({
      conclusion: 'failure',
      output: { annotations: [{ path: 'src/shop.ts', start_line: 12 }] },
    })
    expect(written('statuses')).toEqual([])

    const again = {
      action: 'rerequested',
      check_run: { id: failed?.id, head_sha: commit('a') },
      sender: { login: 'ada' },
    }
    expect((await deliver('check_run', again)).body).toEqual({ verdict: 'accepted', reason: 'checking_permission' })
    await work()
    expect((await tasks()).length).toBe(1)
    apps.github.records.permissions.set(`${repositoryId} ada`, 'write')
    await deliver('check_run', again)
    await work()
    expect(await tasks()).toEqual(['pr-7 deploy failed a', 'pr-7 deploy queued a'])
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    await work()
    // The failed one keeps its annotations; GitHub shows the newest of a name.
    expect(written('check-runs').map(({ conclusion }) => conclusion)).toEqual(['failure', 'success'])
    expect(written('comments').length).toBe(1)

    await open('closed', 9)
    const removal = await takeNext(app.ctx)
    const { rows } = await stateOf(app.ctx, projectId)
    await endTask(app.ctx, removal, { status: 'succeeded' }, (tx) =>
      updateEnvironment(tx, rows.environments[0]?.id ?? 0, { removed_at: app.ctx.clock() }),
    )
    await work()
    const last = new Map(written('deployment-statuses').map(({ deployment, state }) => [deployment, state]))
    expect([...last.values()]).toEqual(['inactive', 'inactive'])
  })

  test('taking away the last label edits the comment, which says why the environment goes', async () => {
    const rules = { pull_requests: { enabled: 'label', labels: ['preview'] } }
    expect((await apps.call('PATCH', `projects/${projectId}`, rules)).status).toBe(200)
    const comments = () => written('comments').filter((comment) => comment.repositoryId === repositoryId)
    await open('opened', 0, ['preview'])
    await expect.poll(tasks).toEqual(['pr-7 deploy queued a'])
    await endTask(app.ctx, await takeNext(app.ctx), { status: 'succeeded' })
    await work()
    const [posted] = comments()
    expect(posted?.body).toContain('deployed aaaaaaaaaaaa')
    await open('unlabeled', 1)
    await expect.poll(async () => (await tasks()).at(-1)).toMatch(/^pr-7 remove queued/)
    await work()
    const says = (text: string) => [{ id: posted?.id, body: expect.stringContaining(text) }]
    expect(comments()).toMatchObject(says('New commits are not deployed: `It has no label preview`'))
    const removal = await takeNext(app.ctx)
    const { rows } = await stateOf(app.ctx, projectId)
    await endTask(app.ctx, removal, { status: 'succeeded' }, (tx) =>
      updateEnvironment(tx, rows.environments[0]?.id ?? 0, { removed_at: app.ctx.clock() }),
    )
    await work()
    expect(comments()).toMatchObject(says('This pull request has no environment: `It has no label preview`'))
  })

  test('a pull request waits for the checks that the branch requires', async () => {
    apps.github.records.requiredChecks.set(repositoryId, ['build'])
    const settings = await apps.call('PATCH', `projects/${projectId}`, { deploy_after: 'checks' })
    expect(settings.status, settings.text).toBe(200)
    expect((await open()).body).toEqual({ verdict: 'accepted', reason: 'waiting_for_checks' })
    await work()
    await work()
    expect(written('check-runs')).toMatchObject([
      { name: 'shipway/pr-7', status: 'queued', output: { title: 'aaaaaaaaaaaa waits for checks: build' } },
    ])
    const { nextId } = apps.github.records
    const build = { name: 'build', head_sha: commit('a'), status: 'completed', conclusion: 'success' }
    written('check-runs').push({ id: nextId(), repositoryId, ...build })
    const payload = { action: 'completed', check_run: { id: 5, head_sha: commit('a') }, sender: { login: 'ci' } }
    expect((await deliver('check_run', payload)).body).toEqual({ verdict: 'accepted', reason: null })
    await work()
    expect(await tasks()).toEqual(['pr-7 deploy queued a'])
    expect(written('check-runs').filter(({ name }) => name === 'shipway/pr-7')).toMatchObject([
      { status: 'queued', output: { title: 'Waiting to deploy aaaaaaaaaaaa' } },
    ])
  })
})
