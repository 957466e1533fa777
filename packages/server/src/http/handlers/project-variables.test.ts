// Variables of a project over HTTP: who may change them, and what its environments make of them.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildForkEnvironment,
  buildOrganization,
  buildProject,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { builtBeforeAll } from '../../../test/stage/built-before.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { loadVariables } from '../../runner/load-variables.ts'
import { takeTask } from '../../store/tasks/task-queue.ts'

describe.each(databases)('variables of a project on $name', (source) => {
  const app = stageApp(source)
  const admin = builtBeforeAll(() => buildUser(app.ctx))
  const member = builtBeforeAll(() => buildUser(app.ctx))
  let project: Awaited<ReturnType<typeof buildProject>>
  let environmentId: number

  beforeEach(async () => {
    const organization = await buildOrganization(app.ctx, [
      { user: admin, role: 'admin' },
      { user: member, role: 'member' },
    ])
    project = await buildProject(app.ctx, { organizationId: organization.id, ownerId: admin.id })
    environmentId = (await buildEnvironment(app.ctx, project)).id
  })

  const path = () => `/api/projects/${project.id}/variables`
  const patch = (body: unknown, more: { as?: TestUser; headers?: Record<string, string> } = {}) =>
    app.call('PATCH', path(), { as: more.as ?? admin, body, ...(more.headers && { headers: more.headers }) })
  const patchEnvironment = (body: unknown) =>
    app.call('PATCH', `/api/environments/${environmentId}/variables`, { as: member, body })
  const ofEnvironment = async (id = environmentId) =>
    (await app.call('GET', `/api/environments/${id}/variables`, { as: member })).body
  const handedTo = async (id: number, isFork: boolean) => {
    const { variables } = await loadVariables(
      app.ctx,
      { id, projectId: project.id },
      { isFork, inheritsVariables: true },
    )
    return Object.fromEntries([...variables].map(([key, value]) => [key, value.reveal()]))
  }

  test('a change answers with keys, the next version and what is too short to hide', async () => {
    const answer = await patch({ set: { TOKEN: 'secret-token', FLAG: 'on' } })
    expect(answer).toMatchObject({ status: 200, headers: { etag: '"v1"' } })
    expect(answer.body).toMatchObject({
      project_id: project.id,
      version: 1,
      variables: [{ key: 'FLAG' }, { key: 'TOKEN', updated_by: { id: admin.id } }],
      unmasked_keys: ['FLAG'],
    })
    expect(answer.text).not.toContain('secret-token')
    const { unmasked_keys: _, ...listed } = answer.body
    expect(await app.call('GET', path(), { as: member })).toMatchObject({ status: 200, body: listed })
  })

  test('an environment inherits them, may override them, and says where each comes from', async () => {
    await patch({ set: { SHARED: 'of the project', OWN: 'of the project' } })
    await patchEnvironment({ set: { OWN: 'of the environment', ALONE: 'alone' } })
    expect((await ofEnvironment()).variables).toMatchObject([
      { key: 'ALONE', source: 'environment' },
      { key: 'OWN', source: 'environment' },
      { key: 'SHARED', source: 'project' },
    ])
    expect(await handedTo(environmentId, false)).toEqual({
      SHARED: 'of the project',
      OWN: 'of the environment',
      ALONE: 'alone',
    })
    await patchEnvironment({ unset: ['OWN'] })
    expect(await handedTo(environmentId, false)).toMatchObject({ OWN: 'of the project' })
  })

  test('a pull request of a fork inherits nothing and is handed nothing', async () => {
    const fork = await buildForkEnvironment(app.ctx, project, { number: 7, headSha: 'a'.repeat(40) })
    await patch({ set: { SHARED: 'of the project' } })
    expect(await ofEnvironment(fork.id)).toMatchObject({ variables: [], variables_changed: false, version: 0 })
    expect(await handedTo(fork.id, true)).toEqual({})
  })

  test('the change is one of every environment until a deployment takes it', async () => {
    await buildTask(app.ctx, environmentId)
    const take = () =>
      app.ctx.change(PLATFORM, (tx) => takeTask(tx, { worker: 'test', mostInAll: 1000, mostPerServer: 1000 }))
    const changed = async () => {
      const environment = await app.call('GET', `/api/environments/${environmentId}`, { as: member })
      const { variables_changed, hint } = await ofEnvironment()
      expect(environment.body.variables_changed).toBe(variables_changed)
      expect(hint).toBe(variables_changed ? 'Variables changed since the last deployment' : null)
      return variables_changed
    }
    const finish = () =>
      app.ctx.db
        .updateTable('tasks')
        .set({ status: 'succeeded', finished_at: 1 })
        .where('environment_id', '=', environmentId)
        .execute()
    expect(await changed()).toBe(false)
    await patch({ set: { A: 'before the first deployment' } })
    expect(await changed(), 'set before the first deployment').toBe(true)
    await take()
    expect(await changed(), 'the deployment has started with it').toBe(false)
    await finish()
    await patch({ set: { A: 'after it' } })
    expect(await changed()).toBe(true)
    await patchEnvironment({ set: { B: 'own' } })
    await buildTask(app.ctx, environmentId)
    expect(await changed(), 'the deployment only waits').toBe(true)
    await take()
    expect(await changed()).toBe(false)
    await finish()
  })

  test('one version is changed once, and a repeated request answers as before', async () => {
    const headers = { 'idempotency-key': `key-${project.id}`, 'if-match': '"v0"' }
    const first = await patch({ set: { A: 'first value' } }, { headers })
    expect(first.status).toBe(200)
    expect(await patch({ set: { A: 'first value' } }, { headers })).toMatchObject({ status: 200, text: first.text })
    const late = await patch({ set: { A: 'second value' } }, { headers: { 'if-match': '"v0"' } })
    expect(late).toMatchObject({ status: 412, body: { code: 'precondition_failed' } })
  })

  test('keys that either recipe keeps are refused, and nothing of the change is done', async () => {
    for (const key of ['SERVICE_X', 'DOCKER_HOST', 'PATH', 'LD_PRELOAD', 'GIT_DIR']) {
      const answer = await patch({ set: { GOOD: 'x', [key]: 'x' } })
      expect(answer).toMatchObject({
        status: 422,
        body: { errors: [{ pointer: `/set/${key}`, code: 'reserved_key' }] },
      })
    }
    expect((await app.call('GET', path(), { as: admin })).body).toMatchObject({ variables: [], version: 0 })
  })

  test('members read the keys and change nothing; a project that is being deleted stays as it is', async () => {
    expect(await patch({ set: { A: 'x' } }, { as: member })).toMatchObject({ status: 403 })
    await app.ctx.db.updateTable('projects').set({ deleting_since: 1 }).where('id', '=', project.id).execute()
    expect(await patch({ set: { A: 'x' } })).toMatchObject({ status: 409, body: { code: 'project_deleting' } })
  })

  test('the audit log names the keys', async () => {
    await patch({ set: { TOKEN: 'secret-token' } })
    const events = await app.ctx.db
      .selectFrom('audit_events')
      .where('target_id', '=', project.id)
      .where('action', '=', 'project.variables_changed')
      .selectAll()
      .execute()
    expect(events).toMatchObject([{ target_kind: 'project', fields: '["TOKEN"]', user_id: admin.id }])
  })
})
