// Environments over HTTP: changed, handed over and removed, by those who may and those who may not.
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildServer,
  buildSession,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'

describe.each(databases)('changes of environments on $name', (source) => {
  const app = stageApp(source)
  let [owner, keeper, member, viewer]: TestUser[] = []
  let organizationId: number
  let project: Awaited<ReturnType<typeof buildProject>>

  beforeAll(async () => {
    owner = await buildUser(app.ctx)
    keeper = await buildUser(app.ctx)
    member = await buildUser(app.ctx)
    viewer = await buildUser(app.ctx)
    const members = [
      { user: owner, role: 'owner' },
      { user: keeper, role: 'member' },
      { user: member, role: 'member' },
      { user: viewer, role: 'viewer' },
    ] as const
    organizationId = (await buildOrganization(app.ctx, members)).id
  })
  beforeEach(async () => {
    project = await buildProject(app.ctx, { organizationId, ownerId: owner?.id ?? 0 }, { manual_recipe: 'allowed' })
  })

  const build = (overrides: Parameters<typeof buildEnvironment>[2] = {}) =>
    buildEnvironment(app.ctx, project, { owner_id: keeper?.id ?? 0, ...overrides })
  const patch = (id: number, body: Record<string, unknown>, as: TestUser | undefined = member) =>
    app.call('PATCH', `/api/environments/${id}`, { as, body })
  const remove = (id: number, as: TestUser | undefined = member) =>
    app.call('DELETE', `/api/environments/${id}`, { as })
  const eventsOf = (id: number) =>
    app.ctx.db
      .selectFrom('audit_events')
      .where('target_kind', '=', 'environment')
      .where('target_id', '=', id)
      .orderBy('id')
      .select(['action', 'fields'])
      .execute()

  test('a recipe that could not take the variables is refused until they are gone', async () => {
    const { id } = await build({ recipe: 'docker' })
    const variables = (body: unknown) => app.call('PATCH', `/api/environments/${id}/variables`, { as: member, body })
    expect(await variables({ set: { PATH: '/tmp', LD_PRELOAD: 'x', KEPT: 'y' } })).toMatchObject({ status: 200 })
    const refused = await patch(id, { recipe: 'manual' }, owner)
    expect(refused).toMatchObject({ status: 422, body: { errors: [{ pointer: '/recipe', code: 'reserved_key' }] } })
    expect(refused.body.detail).toContain('LD_PRELOAD, PATH')
    await variables({ unset: ['PATH', 'LD_PRELOAD'] })
    const taken = await patch(id, { recipe: 'manual' }, owner)
    expect(taken).toMatchObject({ status: 200, body: { effective_recipe: 'manual' } })
  })

  test('a member changes what is sent and nothing else, and the audit log has what differed', async () => {
    const environment = await build({ title: 'Old' })
    app.moveClock(1000)
    const changed = await patch(environment.id, {
      title: 'New',
      branch: 'main',
      recipe: 'docker',
      auto_deploy: false,
      sticky: true,
      domain: `other.${project.domain}`,
    })
    expect(changed).toMatchObject({
      status: 200,
      body: { title: 'New', recipe: 'docker', auto_deploy: false, sticky: true, domain: `other.${project.domain}` },
    })
    expect(changed.body.updated_at > changed.body.created_at).toBe(true)
    expect(await eventsOf(environment.id)).toEqual([
      { action: 'environment.updated', fields: '["title","recipe","domain","auto_deploy","sticky"]' },
    ])
  })

  test('a value that is sent as it stands is no change', async () => {
    const environment = await build({ title: 'Same' })
    const same = { title: 'Same', server_id: project.serverId, domain: environment.domain, recipe: null, sticky: false }
    expect(await patch(environment.id, same)).toMatchObject({ status: 200 })
    expect(await eventsOf(environment.id)).toEqual([])
  })

  test('basic auth is set, and taken back to what the project has', async () => {
    const { id } = await build()
    const basic_auth = { username: 'me', password: 'p-s-w' }
    const set = await patch(id, { basic_auth })
    expect(set.body.basic_auth).toEqual({ username: 'me', inherited: false })
    expect(set.text).not.toContain('p-s-w')
    expect((await patch(id, { basic_auth: null })).body.basic_auth).toBeNull()
  })

  test('a viewer changes and removes nothing', async () => {
    const { id } = await build({ owner_id: viewer?.id ?? 0 })
    for (const answer of [await patch(id, { title: 'x' }, viewer), await remove(id, viewer)]) {
      expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
    }
  })

  test('a protected environment is changed and removed by its owner alone', async () => {
    const { id } = await build({ is_protected: 1 })
    for (const as of [member, owner]) {
      for (const answer of [await patch(id, { branch: 'x' }, as), await patch(id, {}, as), await remove(id, as)]) {
        expect(answer).toMatchObject({ status: 403, body: { code: 'environment_protected' } })
      }
    }
    expect(await patch(id, { branch: 'x', sticky: true }, keeper)).toMatchObject({ status: 200 })
    expect(await remove(id, keeper)).toMatchObject({ status: 202 })
  })

  test('protection keeps title, server and domain even from the owner, until it is taken off and saved', async () => {
    const environment = await build({ is_protected: 1, title: 'Kept' })
    const { id } = environment
    const altered = { title: 'New', domain: `new.${project.domain}`, server_id: 999_999, protected: false }
    expect(await patch(id, altered, keeper)).toMatchObject({
      status: 409,
      body: { code: 'environment_protected_fields', fields: ['title', 'server', 'domain'] },
    })
    const same = { title: 'Kept', domain: environment.domain, server_id: project.serverId, protected: false }
    expect(await patch(id, same, keeper)).toMatchObject({ status: 200, body: { protected: false } })
    expect(await patch(id, { title: 'New' }, keeper)).toMatchObject({ status: 200, body: { title: 'New' } })
  })

  test('a protected environment is not reset, not even by its owner, until the protection is taken off', async () => {
    const { id } = await build({ is_protected: 1 })
    const reset = () => app.call('POST', `/api/environments/${id}/reset`, { as: keeper })
    expect(await reset()).toMatchObject({
      status: 409,
      body: { code: 'environment_protected_fields', detail: expect.stringContaining('Take the protection off') },
    })
    expect(await patch(id, { protected: false }, keeper)).toMatchObject({ status: 200 })
    expect(await reset()).toMatchObject({ status: 201 })
  })

  test('protection drops a reset that is still queued', async () => {
    const { id } = await build()
    const reset = await app.call('POST', `/api/environments/${id}/reset`, { as: keeper })
    expect(await patch(id, { protected: true }, keeper)).toMatchObject({ status: 200 })
    expect(await app.call('GET', `/api/tasks/${reset.body.id}`, { as: keeper })).toMatchObject({
      body: { status: 'canceled', reason: 'protected' },
    })
  })

  test('an organization owner hands even a protected environment over, and both people get a mail', async () => {
    const { id, name } = await build({ is_protected: 1 })
    expect(await patch(id, { owner_id: member?.id }, keeper)).toMatchObject({ status: 403 })
    expect(await patch(id, { owner_id: member?.id, branch: 'x' }, owner)).toMatchObject({
      status: 403,
      body: { code: 'environment_protected' },
    })
    const before = app.mails.length
    expect(await patch(id, { owner_id: member?.id }, owner)).toMatchObject({
      status: 200,
      body: { owner: { id: member?.id }, protected: true },
    })
    await app.finished()
    expect(app.mails.slice(before).map(({ to }) => to)).toEqual([keeper?.email, member?.email])
    expect(app.mails.at(-1)?.text).toContain(`"${name}"`)
    expect(await eventsOf(id)).toEqual([{ action: 'environment.transferred', fields: '["owner_id"]' }])
    expect(await patch(id, { branch: 'x' }, member)).toMatchObject({ status: 200 })
  })

  test('the new owner must be of the organization and may not be a viewer', async () => {
    const { id } = await build()
    const stranger = await buildUser(app.ctx)
    for (const ownerId of [stranger.id, viewer?.id, 999_999]) {
      expect(await patch(id, { owner_id: ownerId }, owner)).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/owner_id', code: 'not_a_member' }] },
      })
    }
  })

  test('a move to a server of another organization or project is refused like one that does not exist', async () => {
    const { id } = await build()
    const foreign = await buildServer(app.ctx, (await buildOrganization(app.ctx)).id)
    const own = await buildServer(app.ctx, organizationId)
    for (const server_id of [foreign.id, own.id, 999_999]) {
      expect(await patch(id, { server_id })).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: '/server_id', code: 'not_found' }] },
      })
    }
  })

  test('a domain that another environment has is taken', async () => {
    const [one, two] = [await build(), await build()]
    expect(await patch(one.id, { domain: two.domain })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: '/domain', code: 'taken' }] },
    })
  })

  test('server, domain and recipe stay while a task is queued or running; the rest may change', async () => {
    const { id } = await build()
    const task = await buildTask(app.ctx, id)
    for (const body of [{ recipe: 'manual' }, { domain: `x.${project.domain}` }, { server_id: 999_999 }]) {
      expect(await patch(id, body)).toMatchObject({
        status: 409,
        body: {
          code: 'deployment_in_progress',
          detail: 'A deployment of this environment is queued or running. Wait for it, or cancel it',
          active_task: { id: task.id, status: 'queued', kind: 'deploy' },
        },
      })
    }
    expect(await patch(id, { title: 'Still', branch: 'next' })).toMatchObject({ status: 200 })
  })

  test('one that was never deployed is gone at once, and its name and domain are free again', async () => {
    const environment = await build()
    const answer = await remove(environment.id)
    expect(answer).toMatchObject({
      status: 202,
      body: { kind: 'remove', status: 'succeeded', cause: 'api', started_by: { id: member?.id } },
    })
    const url = `/api/environments/${environment.id}`
    for (const gone of [
      await app.call('GET', url, { as: member }),
      await patch(environment.id, { title: 'x' }),
      await remove(environment.id),
      await app.call('GET', `${url}/variables`, { as: member }),
    ]) {
      expect(gone).toMatchObject({ status: 404, body: { code: 'not_found' } })
    }
    expect(await app.call('GET', `/api/tasks/${answer.body.id}`, { as: member })).toMatchObject({ status: 200 })
    const body = { name: environment.name, branch: 'main' }
    const again = await app.call('POST', `/api/projects/${project.id}/environments`, { as: member, body })
    expect(again).toMatchObject({ status: 201, body: { domain: environment.domain } })
    expect(await eventsOf(environment.id)).toEqual([{ action: 'environment.removed', fields: '[]' }])
  })

  test('one that is on a server is removed by a task, and takes no change until then', async () => {
    const { id } = await build()
    await buildTask(app.ctx, id, { status: 'failed', started_at: 1, finished_at: 2 })
    const { cookie } = await buildSession(app.ctx, member?.id ?? 0)
    const answer = await app.call('DELETE', `/api/environments/${id}`, {
      headers: { cookie, origin: 'https://ship.example.com' },
    })
    expect(answer).toMatchObject({ status: 202, body: { kind: 'remove', status: 'queued', cause: 'dashboard' } })
    expect((await app.call('GET', `/api/environments/${id}`, { as: member })).body).toMatchObject({
      status: 'removing',
      locked: true,
      active_task: { id: answer.body.id, kind: 'remove' },
    })
    for (const refused of [await remove(id), await patch(id, { title: 'x' })]) {
      expect(refused).toMatchObject({ status: 409, body: { code: 'environment_removing' } })
    }
  })

  test('one that is being deployed stays', async () => {
    const { id } = await build()
    const task = await buildTask(app.ctx, id, { status: 'running', started_at: 1 })
    expect(await remove(id)).toMatchObject({
      status: 409,
      body: { code: 'deployment_in_progress', active_task: { id: task.id } },
    })
  })

  test('of several removals at once one is done', async () => {
    const { id } = await build()
    const answers = await Promise.all([remove(id), remove(id), remove(id), remove(id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([202, 404, 404, 404])
  })
})
