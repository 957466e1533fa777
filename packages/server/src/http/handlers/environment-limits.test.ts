// What the containers of an environment may use, over HTTP.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildTask } from '../../../test/factories.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { stageProject } from '../../../test/stage/stage-members.ts'
import { findTaskToRun } from '../../store/tasks/tasks-to-run.ts'

describe.each(databases)('limits on $name', (source) => {
  const app = stageApp(source)
  const { admin, member, project } = stageProject(app, { admin: 'admin', member: 'member' })

  const patch = (id: number, limits: unknown, as = admin) =>
    app.call('PATCH', `/api/environments/${id}`, { as, body: { limits } })
  const all = ['cpus', 'memory_mb', 'processes']

  test('a pull request has limits from the beginning, a manual environment none', async () => {
    const manual = await buildEnvironment(app.ctx, project)
    const ofPullRequest = await buildEnvironment(app.ctx, project, { type: 'pull_request', pull_request_number: 5 })
    const read = async (id: number) => (await app.call('GET', `/api/environments/${id}`, { as: member })).body.limits
    expect(await read(manual.id)).toEqual({ cpus: null, memory_mb: null, processes: null, defaults: all })
    expect(await read(ofPullRequest.id)).toEqual({ cpus: 2, memory_mb: 2048, processes: 1024, defaults: all })
  })

  test('an administrator sets them one by one, and takes them back', async () => {
    const { id } = await buildEnvironment(app.ctx, project, { type: 'pull_request', pull_request_number: 6 })
    const first = await patch(id, { cpus: 0.5, memory_mb: 256 })
    expect(first.status, first.text).toBe(200)
    expect(first.body.limits).toEqual({ cpus: 0.5, memory_mb: 256, processes: 1024, defaults: ['processes'] })
    const second = await patch(id, { cpus: null, processes: 64 })
    expect(second.body.limits).toEqual({ cpus: 2, memory_mb: 256, processes: 64, defaults: ['cpus'] })
    const task = await buildTask(app.ctx, id)
    const toRun = await findTaskToRun(app.ctx.db, task.id)
    expect(toRun?.environment.limits).toEqual({ cpus: null, memoryBytes: 256 * 1024 ** 2, processes: 64 })
    expect((await patch(id, null)).body.limits).toEqual({ cpus: 2, memory_mb: 2048, processes: 1024, defaults: all })
  })

  test('sending what stands already is no change', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    for (const limits of [null, {}, { cpus: 1.5 }, { cpus: 1.5 }]) await patch(id, limits)
    const events = await app.ctx.db.selectFrom('audit_events').where('target_id', '=', id).select('fields').execute()
    expect(events).toEqual([{ fields: '["limits"]' }])
  })

  test('a member cannot set them', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const answer = await patch(id, { cpus: 8 }, member)
    expect(answer).toMatchObject({ status: 403, body: { code: 'insufficient_role' } })
  })

  test.each([{ cpus: 0 }, { memory_mb: 5 }, { memory_mb: 1.5 }, { processes: 0 }, { memory: 1 }, 'none'])(
    'what Docker cannot take is refused: %j',
    async (limits) => {
      const { id } = await buildEnvironment(app.ctx, project)
      const answer = await patch(id, limits)
      expect(answer).toMatchObject({ status: 422, body: { code: 'validation_failed' } })
      expect(answer.body.errors[0].pointer).toMatch(/^\/limits/)
    },
  )
})
