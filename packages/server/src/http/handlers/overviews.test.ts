// Projects at a glance over HTTP: it must agree with what the single lists say.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildForkEnvironment,
  buildOrganization,
  buildProject,
  buildStep,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('overviews on $name', (source) => {
  const app = stageApp(source)
  const now = () => app.ctx.clock()

  async function stage() {
    const user = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user, role: 'viewer' }])
    const project = () => buildProject(app.ctx, { organizationId: organization.id, ownerId: user.id })
    return { user, organization, project }
  }
  const list = async (as: TestUser, query = '', headers: Record<string, string> = {}) =>
    app.call('GET', `/api/overview${query}`, { as, headers })
  const one = async (as: TestUser) => (await list(as)).body[0]
  const ended = () => ({ started_at: now() - 5000, finished_at: now() - 1000 })

  test('a project without anything has nothing', async () => {
    const { user, project } = await stage()
    const { id } = await project()
    expect(await list(user)).toMatchObject({
      status: 200,
      body: [{ project_id: id, environments: [], waiting_count: 0, latest_task: null }],
    })
  })

  test('environments stand in the order of their list, with the same status', async () => {
    const { user, project: build } = await stage()
    const project = await build()
    const environment = (columns = {}) => buildEnvironment(app.ctx, project, columns)
    await environment({ name: 'new' })
    const tasks = {
      running: [{ status: 'succeeded', ...ended() }],
      failed: [
        { status: 'succeeded', ...ended() },
        { status: 'failed', ...ended() },
      ],
      'taken-away': [
        { status: 'succeeded', ...ended() },
        { kind: 'remove', status: 'failed', unrouted_at: now(), ...ended() },
      ],
      reset: [
        { status: 'succeeded', ...ended() },
        { kind: 'reset', status: 'succeeded', unrouted_at: now(), ...ended() },
      ],
      deploying: [{ status: 'succeeded', ...ended() }, { status: 'queued' }],
      removing: [{ kind: 'remove', status: 'running', started_at: now() }],
      canceled: [{ status: 'canceled', finished_at: now() }],
    } as const
    for (const [name, own] of Object.entries(tasks)) {
      const { id } = await environment({ name, is_sticky: name === 'failed' ? 1 : 0 })
      for (const task of own) await buildTask(app.ctx, id, task)
    }
    await buildForkEnvironment(app.ctx, project, { number: 7, headSha: 'a'.repeat(40) })
    await environment({ name: 'gone', removed_at: 1 })
    const listed = (await app.call('GET', `/api/projects/${project.id}/environments`, { as: user })).body
    type Glance = { id: number; name: string; title: string; status: string }
    const shown: Glance[] = (await one(user)).environments
    expect(shown).toEqual(listed.map(({ id, name, title, status }: Glance) => ({ id, name, title, status })))
    expect(new Set(shown.map(({ status }) => status)).size).toBe(6)
    expect(shown.map(({ name }) => name)).not.toContain('gone')
    expect(shown[0]?.name).toBe('failed')
  })

  test('an environment is called by its own title, else by that of its pull request', async () => {
    const { user, project: build } = await stage()
    const project = await build()
    const request = { type: 'pull_request', pull_request_number: 7, pull_request_title: 'Take payments' } as const
    await buildEnvironment(app.ctx, project, { name: 'pr-7', ...request })
    await buildEnvironment(app.ctx, project, { name: 'pr-8', ...request, pull_request_number: 8, title: 'Rehearsal' })
    await buildEnvironment(app.ctx, project, { name: 'staging', title: '' })
    const shown: { name: string; title: string }[] = (await one(user)).environments
    expect(shown.map(({ name, title }) => [name, title])).toEqual([
      ['staging', ''],
      ['pr-8', 'Rehearsal'],
      ['pr-7', 'Take payments'],
    ])
  })

  test('of many environments the first sixty are shown, and the newest task may be of another', async () => {
    const { user, project: build } = await stage()
    const project = await build()
    const oldest = await buildEnvironment(app.ctx, project)
    for (let count = 0; count < 60; count++) await buildEnvironment(app.ctx, project)
    const task = await buildTask(app.ctx, oldest.id)
    const shown = await one(user)
    const listed = await app.call('GET', `/api/projects/${project.id}/environments?limit=60`, { as: user })
    const idsOf = (items: { id: number }[]) => items.map(({ id }) => id)
    expect(idsOf(shown.environments)).toEqual(idsOf(listed.body))
    expect(idsOf(shown.environments)).not.toContain(oldest.id)
    expect(shown.latest_task).toMatchObject({ id: task.id, environment: { id: oldest.id, name: oldest.name } })
  })

  test('the newest task has every field, and the phase that it failed in', async () => {
    const { user, project: build } = await stage()
    const project = await build()
    const environment = await buildEnvironment(app.ctx, project)
    await buildTask(app.ctx, (await buildEnvironment(app.ctx, project)).id, { status: 'succeeded', ...ended() })
    const task = await buildTask(app.ctx, environment.id, {
      kind: 'reset',
      status: 'failed',
      reason: 'timed_out',
      cause: 'push',
      started_by: user.id,
      commit_sha: 'a'.repeat(40),
      commit_message: 'Fix the door\n\nIt did not open.',
      ...ended(),
    })
    await buildStep(app.ctx, task.id, { phase: 'Build', status: 'failed' })
    await buildStep(app.ctx, task.id, { phase: 'Clean up', status: 'failed' })
    expect((await one(user)).latest_task).toEqual({
      id: task.id,
      environment: { id: environment.id, name: environment.name },
      kind: 'reset',
      status: 'failed',
      reason: 'timed_out',
      cause: 'push',
      started_by: { id: user.id, name: user.name },
      created_at: '2026-01-02T03:04:05.678Z',
      started_at: '2026-01-02T03:04:00.678Z',
      finished_at: '2026-01-02T03:04:04.678Z',
      duration_ms: 4000,
      phase: 'Build',
      message: 'Fix the door',
    })
  })

  test('a running task is in the phase of its last step; one that waits or is over is in none', async () => {
    const { user, project: build } = await stage()
    const environment = await buildEnvironment(app.ctx, await build())
    const running = await buildTask(app.ctx, environment.id, { status: 'running', started_at: now() - 700 })
    expect((await one(user)).latest_task).toMatchObject({ phase: null, duration_ms: 700, finished_at: null })
    await buildStep(app.ctx, running.id, { phase: 'Prepare' })
    await buildStep(app.ctx, running.id, { phase: 'Build', status: 'running' })
    expect((await one(user)).latest_task).toMatchObject({ phase: 'Build' })
    const succeeded = { status: 'succeeded', finished_at: now() } as const
    await app.ctx.db.updateTable('tasks').set(succeeded).where('id', '=', running.id).execute()
    expect((await one(user)).latest_task).toMatchObject({ status: 'succeeded', phase: null })
    await buildTask(app.ctx, environment.id)
    expect((await one(user)).latest_task).toMatchObject({ status: 'queued', phase: null, duration_ms: null })
  })

  test('tasks of removed environments are left out', async () => {
    const { user, project: build } = await stage()
    const project = await build()
    const kept = await buildTask(app.ctx, (await buildEnvironment(app.ctx, project)).id)
    const gone = await buildEnvironment(app.ctx, project, { removed_at: 1 })
    await buildTask(app.ctx, gone.id, { kind: 'remove', status: 'succeeded', ...ended() })
    expect((await one(user)).latest_task.id).toBe(kept.id)
  })

  test('pull requests that wait are counted', async () => {
    const { user, project: build } = await stage()
    const [project, other] = [await build(), await build()]
    const waiting = (projectId: number, number: number, since: number | null) => ({
      project_id: projectId,
      number,
      state: 'open' as const,
      title: 'One',
      branch: 'one',
      head_sha: 'a'.repeat(40),
      is_fork: 0 as const,
      is_draft: 0 as const,
      host_updated_at: now(),
      changed_at: now(),
      waiting_since: since,
    })
    await app.ctx.db
      .insertInto('pull_requests')
      .values([waiting(project.id, 1, now()), waiting(project.id, 2, now()), waiting(project.id, 3, null)])
      .execute()
    const counts = (await list(user)).body.map((item: { waiting_count: number }) => item.waiting_count)
    expect((await list(user)).body.map((item: { project_id: number }) => item.project_id)).toEqual([
      other.id,
      project.id,
    ])
    expect(counts).toEqual([0, 2])
  })

  test('pages and their order are those of the list of projects', async () => {
    const { user, project } = await stage()
    for (let count = 0; count < 5; count++) await project()
    const idsOf = async (path: string, key: 'id' | 'project_id') => {
      const pages: number[][] = []
      for (let url: string | undefined = `${path}?limit=2`; url !== undefined; ) {
        const page = await app.call('GET', url, { as: user })
        pages.push(page.body.map((item: Record<string, number>) => item[key]))
        url = /<([^>]+)>; rel="next"/.exec(String(page.headers.link))?.[1]
      }
      return pages
    }
    const pages = await idsOf('/api/overview', 'project_id')
    expect(pages).toEqual(await idsOf('/api/projects', 'id'))
    expect(pages.map(({ length }) => length)).toEqual([2, 2, 1])
  })

  test('users see only their own organizations, and the header narrows', async () => {
    const [own, foreign] = [await stage(), await stage()]
    const mine = await own.project()
    const hidden = await buildEnvironment(app.ctx, await foreign.project())
    await buildTask(app.ctx, hidden.id)
    const second = await buildOrganization(app.ctx, [{ user: own.user, role: 'owner' }])
    const other = await buildProject(app.ctx, { organizationId: second.id, ownerId: own.user.id })
    const idsOf = async (headers = {}) =>
      (await list(own.user, '', headers)).body.map((item: { project_id: number }) => item.project_id)
    expect(await idsOf()).toEqual([other.id, mine.id])
    expect(await idsOf({ 'x-service-organization': String(own.organization.id) })).toEqual([mine.id])
    const refused = { 'x-service-organization': String(foreign.organization.id) }
    expect(await list(own.user, '', refused)).toMatchObject({ status: 404 })
  })

  test('what is kept shows a change at once', async () => {
    const { user, project: build } = await stage()
    const environment = await buildEnvironment(app.ctx, await build())
    expect((await one(user)).environments[0].status).toBe('new')
    await buildTask(app.ctx, environment.id)
    expect((await one(user)).environments[0].status).toBe('deploying')
  })
})
