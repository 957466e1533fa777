// The one way to start a deployment: a task is queued and announced, or the answer says why there is none.
import { sql } from 'kysely'
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildForkEnvironment,
  buildOauthToken,
  buildOrganization,
  buildProject,
  buildSession,
  buildTask,
  buildUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import type { ChangeEvent } from '../../domain/change-event.ts'

describe.each(databases)('starting a deployment on $name', (source) => {
  const app = stageApp(source)
  const { member, project } = stageProject(app, { member: 'member' })
  let environmentId: number
  const sha = 'b'.repeat(40)

  beforeEach(async () => {
    environmentId = (await buildEnvironment(app.ctx, project, { branch: 'next' })).id
  })

  const start = (options: { body?: unknown; headers?: Record<string, string>; as?: { token: string } } = {}) =>
    app.call('POST', `/api/environments/${environmentId}/tasks`, { as: member, ...options })
  const tasksOf = (id: number) => app.ctx.db.selectFrom('tasks').where('environment_id', '=', id).selectAll().execute()

  test('the answer is the stored task and where to find it', async () => {
    const { status, headers, body } = await start()
    expect(status).toBe(201)
    expect(headers.location).toBe(`/api/tasks/${body.id}`)
    expect(body).toMatchObject({
      environment_id: environmentId,
      kind: 'deploy',
      status: 'queued',
      cause: 'api',
      started_by: { id: member.id, name: member.name },
      branch: 'next',
      commit: null,
      phases: [],
    })
    expect((await app.call('GET', `/api/tasks/${body.id}`, { as: member })).body).toEqual(body)
    const audited = await app.ctx.db
      .selectFrom('audit_events')
      .where('action', '=', 'deployment.started')
      .where('target_id', '=', environmentId)
      .selectAll()
      .execute()
    expect(audited).toHaveLength(1)
  })

  test('a commit or a branch may be named, and nothing else', async () => {
    for (const body of [
      { commit: 'main' },
      { commit: '--upload-pack=x' },
      { branch: '--upload-pack=x' },
      { tag: 'x' },
      [],
      'x',
    ]) {
      expect(await start({ body: JSON.stringify(body) })).toMatchObject({ status: 422 })
    }
    expect(await tasksOf(environmentId)).toEqual([])
    expect(await start({ body: { commit: sha } })).toMatchObject({ status: 201, body: { commit: { sha } } })
  })

  test('another branch is deployed once, and the environment keeps its own', async () => {
    expect(await start({ body: { branch: 'hotfix' } })).toMatchObject({
      status: 201,
      body: { branch: 'hotfix', commit: null },
    })
    const environment = await app.call('GET', `/api/environments/${environmentId}`, { as: member })
    expect(environment.body.branch).toBe('next')
  })

  test('a pull request of a fork deploys no branch, whatever was approved', async () => {
    environmentId = (await buildForkEnvironment(app.ctx, project, { number: 7, headSha: sha })).id
    const refused = await start({ body: { branch: 'main' } })
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/branch', code: 'fork' }] } })
    expect(await tasksOf(environmentId)).toEqual([])
  })

  test('the cause is what the caller signed in with', async () => {
    const token = await buildOauthToken(app.ctx, member.id)
    expect(await start({ as: { token } })).toMatchObject({ status: 201, body: { cause: 'cli' } })
    environmentId = (await buildEnvironment(app.ctx, project)).id
    const { cookie } = await buildSession(app.ctx, member.id)
    const answer = await app.call('POST', `/api/environments/${environmentId}/tasks`, {
      headers: { cookie, origin: 'https://ship.example.com' },
    })
    expect(answer).toMatchObject({ status: 201, body: { cause: 'dashboard' } })
  })

  test('the queue gets an event once the task is stored', async () => {
    const heard: ChangeEvent[] = []
    const end = app.ctx.bus.listen((event) => heard.push(event))
    const { body } = await start()
    await start()
    end()
    expect(heard).toEqual([
      { about: 'task', id: body.id, how: 'created' },
      { about: 'environment', id: environmentId, how: 'updated' },
      { about: 'queue' },
    ])
  })

  test.each(['queued', 'running'] as const)('while one is %s there is no second one', async (status) => {
    const active = await buildTask(app.ctx, environmentId, { status })
    const answer = await start()
    expect(answer).toMatchObject({
      status: 409,
      body: { code: 'deployment_in_progress', active_task: { id: active.id, status, kind: 'deploy' } },
    })
    expect(await tasksOf(environmentId)).toHaveLength(1)
  })

  test('of starts at the same time exactly one is taken', async () => {
    const answers = await Promise.all([start(), start(), start(), start()])
    const taken = answers.filter(({ status }) => status === 201)
    expect(taken).toHaveLength(1)
    const refused = answers.filter(({ status }) => status === 409)
    expect(refused).toHaveLength(3)
    for (const { body } of refused) expect(body.active_task.id).toBe(taken[0]?.body.id)
    expect(await tasksOf(environmentId)).toHaveLength(1)
  })

  test('the same key starts it once', async () => {
    const headers = { 'idempotency-key': `start-${environmentId}` }
    const first = await start({ headers })
    const second = await start({ headers })
    expect(second).toMatchObject({ status: 201, text: first.text })
    expect(second.headers).toMatchObject({ 'idempotent-replayed': 'true', location: first.headers.location })
    expect(await tasksOf(environmentId)).toHaveLength(1)
  })

  test('a protected environment is deployed by its owner alone', async () => {
    const owner = await buildUser(app.ctx)
    const values = {
      organization_id: project.organization_id,
      user_id: owner.id,
      role: 'member',
      created_at: 1,
    } as const
    await app.ctx.db.insertInto('memberships').values(values).execute()
    environmentId = (await buildEnvironment(app.ctx, project, { owner_id: owner.id, is_protected: 1 })).id
    expect(await start()).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
    expect(await tasksOf(environmentId)).toEqual([])
    expect(await start({ as: owner })).toMatchObject({ status: 201 })
  })

  test('what is being removed is not deployed', async () => {
    await buildTask(app.ctx, environmentId, { kind: 'remove' })
    expect(await start()).toMatchObject({ status: 409, body: { code: 'environment_removing' } })
  })
})

describe.each(databases)('a database that cannot store a task on $name', (source) => {
  const app = stageApp(source)

  test('the answer says that nothing was started, and nothing was', async () => {
    const member = await buildUser(app.ctx)
    const organization = await buildOrganization(app.ctx, [{ user: member, role: 'member' }])
    const project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: member.id })
    const environment = await buildEnvironment(app.ctx, project)
    const heard: ChangeEvent[] = []
    app.ctx.bus.listen((event) => heard.push(event))
    await sql`alter table audit_events rename to audit_events_gone`.execute(app.ctx.db)
    const headers = { 'idempotency-key': 'again' }
    const url = `/api/environments/${environment.id}/tasks`
    const answer = await app.call('POST', url, { as: member, headers })
    expect(answer).toMatchObject({ status: 503, body: { code: 'task_not_created' } })
    expect(answer.text).not.toContain('audit_events')
    expect(await app.ctx.db.selectFrom('tasks').selectAll().execute()).toEqual([])
    expect(heard).toEqual([])
    expect(app.logLines.join()).toContain('could not store a task')
    await sql`alter table audit_events_gone rename to audit_events`.execute(app.ctx.db)
    expect(await app.call('POST', url, { as: member, headers })).toMatchObject({ status: 201 })
  })
})
