// Tasks and diagnostics over HTTP.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildStep,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'

describe.each(databases)('tasks on $name', (source) => {
  const app = stageApp(source)
  const { viewer, project } = stageProject(app, { viewer: 'viewer' })
  let environmentId: number
  const sha = 'a'.repeat(40)

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })

  const now = () => app.ctx.clock()
  const failedTask = (kind: 'deploy' | 'reset' | 'action' = 'deploy') =>
    buildTask(app.ctx, environmentId, { kind, status: 'failed', started_at: now() - 5000, finished_at: now() - 1000 })
  const get = (path: string, as: TestUser | undefined = viewer) => app.call('GET', path, { as })
  const idsOf = (tasks: readonly { id: number }[]) => tasks.map(({ id }) => id)

  test('a task has every field, its phases and steps', async () => {
    const task = await buildTask(app.ctx, environmentId, {
      status: 'failed',
      started_by: viewer.id,
      branch: 'main',
      commit_sha: sha,
      commit_message: 'Fix',
      commit_author: 'Ann',
      started_at: now() - 5000,
      finished_at: now() - 1000,
    })
    await buildStep(app.ctx, task.id, { name: 'Fetch', started_at: now() - 5000, finished_at: now() - 4000 })
    const message = 'There is no .service.yml in the repository'
    await buildStep(app.ctx, task.id, {
      name: 'Read .service.yml',
      status: 'failed',
      kind: 'check',
      exit_code: 3,
      message,
      started_at: now() - 4000,
    })
    await buildStep(app.ctx, task.id, { phase: 'Build', name: 'Build image', status: 'skipped' })
    const { status, body } = await get(`/api/tasks/${task.id}`)
    expect(status).toBe(200)
    expect(body).toEqual({
      id: task.id,
      environment_id: environmentId,
      project_id: project.id,
      kind: 'deploy',
      status: 'failed',
      reason: null,
      cause: 'api',
      started_by: { id: viewer.id, name: viewer.name },
      branch: 'main',
      commit: { sha, message: 'Fix', author: 'Ann' },
      url: `https://ship.example.com/environments/${environmentId}/tasks/${task.id}`,
      action: null,
      command: null,
      service: null,
      created_at: '2026-01-02T03:04:05.678Z',
      started_at: '2026-01-02T03:04:00.678Z',
      finished_at: '2026-01-02T03:04:04.678Z',
      duration_ms: 4000,
      phases: [
        {
          name: 'Prepare',
          status: 'failed',
          started_at: '2026-01-02T03:04:00.678Z',
          duration_ms: 1000,
          steps: [
            {
              name: 'Fetch',
              status: 'succeeded',
              started_at: '2026-01-02T03:04:00.678Z',
              duration_ms: 1000,
              exit_code: null,
              message: null,
              output: null,
            },
            {
              name: 'Read .service.yml',
              status: 'failed',
              started_at: '2026-01-02T03:04:01.678Z',
              // Its end was never written, and it cannot have outlasted the task.
              duration_ms: 3000,
              exit_code: 3,
              message,
              output: null,
            },
          ],
        },
        {
          name: 'Build',
          status: 'skipped',
          started_at: null,
          duration_ms: null,
          steps: [
            {
              name: 'Build image',
              status: 'skipped',
              started_at: null,
              duration_ms: null,
              exit_code: null,
              message: null,
              output: null,
            },
          ],
        },
      ],
      failed_step: { phase: 'Prepare', name: 'Read .service.yml', message, exit_code: 3 },
      log_url: `https://ship.example.com/api/tasks/${task.id}/log`,
      log_expired_at: null,
    })
  })

  test('a queued task has taken no time, a running one the time until now', async () => {
    const running = await buildTask(app.ctx, environmentId, { status: 'running', started_at: now() - 700 })
    const queued = await buildTask(app.ctx, environmentId)
    expect((await get(`/api/tasks/${running.id}`)).body).toMatchObject({ duration_ms: 700, finished_at: null })
    expect((await get(`/api/tasks/${queued.id}`)).body).toMatchObject({
      duration_ms: null,
      started_at: null,
      started_by: null,
      commit: null,
      phases: [],
      failed_step: null,
    })
  })

  test('the list is newest first, and each task has its own steps', async () => {
    const tasks = [await failedTask(), await failedTask(), await failedTask()]
    for (const { id } of tasks) await buildStep(app.ctx, id, { name: `Of ${id}` })
    await failedTaskElsewhere()
    const { body } = await get(`/api/environments/${environmentId}/tasks`)
    expect(idsOf(body)).toEqual(idsOf(tasks).reverse())
    for (const task of body) expect(task.phases[0].steps).toMatchObject([{ name: `Of ${task.id}` }])
  })

  async function failedTaskElsewhere() {
    const other = await buildEnvironment(app.ctx, project)
    const task = await buildTask(app.ctx, other.id, { status: 'failed', finished_at: 1 })
    await buildStep(app.ctx, task.id, { name: 'Elsewhere' })
  }

  test('filters narrow the list and hold over its pages', async () => {
    const wanted = []
    for (let number = 0; number < 5; number++) {
      wanted.unshift(await failedTask())
      await failedTask('action')
      await buildTask(app.ctx, environmentId, { status: 'succeeded', finished_at: now() })
    }
    const newest = wanted[0]?.id
    const seen: number[] = []
    let url: string | undefined =
      `/api/environments/${environmentId}/tasks?limit=2&status=failed&kind=deploy&before=${newest}`
    while (url !== undefined) {
      const page = await get(url)
      seen.push(...idsOf(page.body))
      url = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
    }
    expect(seen).toEqual(idsOf(wanted.slice(1)))
  })

  test.each(['status=done', 'kind=build', 'before=0', 'before=x', 'limit=0', 'cursor=!', 'cursor=djE', 'sort=asc'])(
    'the list refuses ?%s',
    async (query) => {
      const answer = await get(`/api/environments/${environmentId}/tasks?${query}`)
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
    },
  )

  test('an environment without tasks has an empty list', async () => {
    expect(await get(`/api/environments/${environmentId}/tasks`)).toMatchObject({ status: 200, body: [] })
  })

  test('tasks of a removed environment stay readable', async () => {
    const task = await failedTask()
    await app.ctx.db.updateTable('environments').set({ removed_at: 1 }).where('id', '=', environmentId).execute()
    expect(await get(`/api/tasks/${task.id}`)).toMatchObject({ status: 200 })
    expect(idsOf((await get(`/api/environments/${environmentId}/tasks`)).body)).toEqual([task.id])
    expect((await get(`/api/environments/${environmentId}/diagnostics`)).body.task.id).toBe(task.id)
  })

  test('a stranger gets the answer of a task that does not exist', async () => {
    const task = await failedTask()
    const without = await buildUser(app.ctx)
    const elsewhere = await buildUser(app.ctx)
    await buildOrganization(app.ctx, [{ user: elsewhere, role: 'owner' }])
    const headers = { 'x-request-id': 'the-same-request' }
    const paths = (taskId: number, environment: number) => [
      `/api/tasks/${taskId}`,
      `/api/environments/${environment}/tasks`,
      `/api/environments/${environment}/diagnostics`,
    ]
    const absent = paths(999_999, 999_999)
    for (const as of [without, elsewhere]) {
      for (const [index, path] of paths(task.id, environmentId).entries()) {
        const hidden = await app.call('GET', path, { as, headers })
        const missing = await app.call('GET', String(absent[index]), { as, headers })
        expect(hidden.status).toBe(404)
        expect(hidden.text).toBe(missing.text)
      }
    }
  })

  const diagnostics = async () => (await get(`/api/environments/${environmentId}/diagnostics`)).body

  test('diagnostics of an environment where nothing failed say so', async () => {
    const { id } = await buildTask(app.ctx, environmentId, { status: 'succeeded', started_at: 1, finished_at: 2 })
    expect(await diagnostics()).toEqual({
      environment_id: environmentId,
      task: null,
      latest_task: { id, status: 'succeeded' },
      is_latest: false,
      failed_step: null,
      output: null,
      hints: [],
      log_url: null,
      variables_changed: false,
    })
  })

  test('diagnostics point at the most recent failed deployment, and say whether it is the latest', async () => {
    await failedTask()
    const failed = await failedTask('reset')
    await buildStep(app.ctx, failed.id, {
      phase: 'Build',
      name: 'Build image',
      status: 'failed',
      exit_code: 2,
      message: 'docker build failed',
      started_at: now() - 3000,
      finished_at: now() - 2000,
    })
    await failedTask('action')
    expect(await diagnostics()).toMatchObject({
      task: { id: failed.id, kind: 'reset', status: 'failed' },
      latest_task: { id: failed.id },
      is_latest: true,
      failed_step: {
        phase: 'Build',
        name: 'Build image',
        kind: 'command',
        message: 'docker build failed',
        exit_code: 2,
        started_at: '2026-01-02T03:04:02.678Z',
        duration_ms: 1000,
      },
      log_url: `https://ship.example.com/api/tasks/${failed.id}/log`,
    })
    const later = await buildTask(app.ctx, environmentId, { status: 'succeeded', started_at: 1, finished_at: 2 })
    expect(await diagnostics()).toMatchObject({
      task: { id: failed.id },
      latest_task: { id: later.id, status: 'succeeded' },
      is_latest: false,
    })
  })

  test('diagnostics hint at variables that changed since the last deployment that started', async () => {
    await app.ctx.db.updateTable('environments').set({ variables_version: 4 }).where('id', '=', environmentId).execute()
    await buildTask(app.ctx, environmentId, { status: 'failed', variables_version: 3, started_at: 1, finished_at: 2 })
    const queued = await buildTask(app.ctx, environmentId)
    const hints = ['Variables changed since the last deployment']
    expect(await diagnostics()).toMatchObject({ variables_changed: true, hints, latest_task: { id: queued.id } })
    await buildTask(app.ctx, environmentId, { status: 'running', variables_version: 4, started_at: 3 })
    expect(await diagnostics()).toMatchObject({ variables_changed: false, hints: [] })
  })
})
