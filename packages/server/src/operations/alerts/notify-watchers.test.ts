// Watching an environment: who gets a mail that a deployment failed, once, and that one succeeds again.
import { beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import {
  buildEnvironment,
  buildOrganization,
  buildProject,
  buildTask,
  buildUser,
  type TestUser,
} from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { notifyWatchers } from './notify-watchers.ts'

const never = new AbortController().signal

describe.each(databases)('watching an environment on $name', (source) => {
  const app = stageApp(source)
  let owner: TestUser
  let viewer: TestUser
  let organizationId: number
  let environmentId: number
  let earlier: number

  beforeEach(async () => {
    owner = await buildUser(app.ctx)
    viewer = await buildUser(app.ctx)
    organizationId = (
      await buildOrganization(app.ctx, [
        { user: owner, role: 'owner' },
        { user: viewer, role: 'viewer' },
      ])
    ).id
    const project = await buildProject(app.ctx, { organizationId, ownerId: owner.id })
    environmentId = (await buildEnvironment(app.ctx, project)).id
    earlier = app.mails.length
  })

  const watch = (method: 'PUT' | 'DELETE' | 'GET', as: TestUser) =>
    app.call(method, `/api/environments/${environmentId}/watch`, { as })
  const end = async (status: 'failed' | 'succeeded' | 'canceled', kind: 'deploy' | 'action' | 'remove' = 'deploy') => {
    const at = app.ctx.clock()
    const { id } = await buildTask(app.ctx, environmentId, {
      status,
      kind,
      started_at: at,
      finished_at: at,
      ...(kind === 'action' && { action: 'x' }),
    })
    await Promise.all([notifyWatchers(app.ctx, never), notifyWatchers(app.ctx, never)])
    await app.finished()
    return id
  }
  const newMails = () => app.mails.slice(earlier).map(({ to, subject }) => `${to}: ${subject}`)

  test('a watcher gets one mail for each failure, with the step, and one for the next success', async () => {
    await end('failed')
    expect(await watch('GET', viewer)).toMatchObject({ status: 200, body: { watched: false } })
    expect(await watch('PUT', viewer)).toMatchObject({ status: 204, text: '' })
    expect((await watch('PUT', viewer)).status).toBe(204)
    expect((await watch('GET', viewer)).body).toEqual({ watched: true })
    await end('succeeded')
    expect(newMails()).toEqual([])
    const failed = await end('failed')
    expect(app.mails.at(-1)?.text).toContain(`https://ship.example.com/environments/${environmentId}/tasks/${failed}\n`)
    await end('canceled')
    await end('failed', 'action')
    await end('failed', 'remove')
    await end('failed')
    await end('succeeded')
    await end('succeeded')
    expect(newMails()).toEqual([
      `${viewer.email}: A deployment failed`,
      `${viewer.email}: A deployment failed`,
      `${viewer.email}: A deployment succeeded again`,
    ])
  })

  test('the failed step is named, as text', async () => {
    await watch('PUT', owner)
    const at = app.ctx.clock()
    const { id: task_id } = await buildTask(app.ctx, environmentId, {
      status: 'failed',
      started_at: at,
      finished_at: at,
    })
    const step = { task_id, phase: 'Build', name: 'Build <b>', status: 'failed', kind: 'command', position: 0 } as const
    await app.ctx.db
      .insertInto('steps')
      .values({ ...step, message: 'See https://evil.example\nnow', exit_code: 1, started_at: at, finished_at: at })
      .execute()
    await notifyWatchers(app.ctx, never)
    await app.finished()
    const mail = app.mails.at(-1)
    expect(mail?.text).toContain('It failed at "Build <b>": See https[:]//evil[.]example now')
    expect(mail?.html).toContain('Build &lt;b&gt;')
    expect(mail?.html).not.toContain('https://evil')
  })

  test('former watchers and former members get no mail', async () => {
    await watch('PUT', owner)
    await watch('PUT', viewer)
    await watch('DELETE', owner)
    await app.call('DELETE', `/api/organizations/${organizationId}/members/${viewer.id}`, { as: owner })
    await end('failed')
    expect(newMails()).toEqual([])
    expect((await watch('PUT', viewer)).status).toBe(404)
  })

  test('a member who is locked out for lack of two-factor codes gets none until they are on', async () => {
    await watch('PUT', viewer)
    await app.ctx.db
      .updateTable('organizations')
      .set({ require_two_factor: 1 })
      .where('id', '=', organizationId)
      .execute()
    await end('failed')
    expect(newMails()).toEqual([])
    const factor = { user_id: viewer.id, key_id: 'key', secret_sealed: 'sealed', created_at: 1, confirmed_at: 1 }
    await app.ctx.db.insertInto('second_factors').values(factor).execute()
    await end('failed')
    expect(newMails()).toEqual([`${viewer.email}: A deployment failed`])
  })

  test('one receiver gets at most twenty an hour', async () => {
    await watch('PUT', owner)
    for (let count = 0; count < 23; count++) await end('failed')
    expect(newMails()).toHaveLength(20)
  })
})
