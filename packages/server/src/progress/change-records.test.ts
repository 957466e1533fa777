// The one way to change records: all or nothing, with a line in the audit log, and events after the commit.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildEnvironment } from '../../test/factories.ts'
import { buildOwnedProject } from '../../test/owned-project.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import type { ChangeEvent } from '../domain/change-event.ts'
import { anonymous, PLATFORM } from '../domain/people/actor.ts'
import { updateEnvironment } from '../store/environments/environments.ts'
import { insertOrganization, updateOrganization } from '../store/people/organizations.ts'
import { takeTask } from '../store/tasks/task-queue.ts'
import { dropQueuedTask, insertTask } from '../store/tasks/task-states.ts'
import { beginStep, endStep, endTask } from './progress.ts'

describe.each(databases)('a change on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>

  beforeAll(async () => {
    project = await buildOwnedProject(app.ctx)
  })

  /** What is told while something is done, and what the records said of it by then. */
  async function heardDuring(work: () => Promise<unknown>): Promise<readonly ChangeEvent[]> {
    const heard: ChangeEvent[] = []
    const end = app.ctx.bus.listen((event) => heard.push(event))
    await work().finally(end)
    return heard
  }
  const values = { name: 'Acme', created_at: 1 }

  test('is announced once, after the commit', async () => {
    let id = 0
    let isCommitted = false
    let wasCommitted: boolean | undefined
    const end = app.ctx.bus.listen(() => {
      wasCommitted = isCommitted
    })
    const heard = await heardDuring(() =>
      app.ctx.change(PLATFORM, async (tx) => {
        id = await insertOrganization(tx, values)
        await updateOrganization(tx, id, { name: 'Bolt' })
        await updateOrganization(tx, id, { name: 'Cog' })
        isCommitted = true
      }),
    )
    end()
    expect(heard).toEqual([{ about: 'organization', id, how: 'created' }])
    expect(wasCommitted).toBe(true)
  })

  test('that fails is not announced, and leaves neither record nor audit event', async () => {
    const failing = app.ctx.change(PLATFORM, async (tx) => {
      const id = await insertOrganization(tx, { ...values, name: 'Never' })
      await tx.audit({ organizationId: id, action: 'test.never', target: { kind: 'organization', id, name: 'Never' } })
      throw new Error('no')
    })
    expect(await heardDuring(() => failing.catch(() => undefined))).toEqual([])
    await expect(failing).rejects.toThrow('no')
    const { db } = app.ctx
    expect(await db.selectFrom('organizations').where('name', '=', 'Never').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('audit_events').where('action', '=', 'test.never').selectAll().execute()).toEqual([])
  })

  test('is recorded with its author', async () => {
    const origin = { address: '127.0.0.9', requestId: 'request' }
    await app.ctx.change(anonymous(origin), async (tx) => {
      const entry = { organizationId: null, action: 'test.done', target: { kind: 'user', id: null, name: '' } }
      await tx.audit(entry)
      await tx.audit(entry, PLATFORM)
    })
    const lines = app.ctx.db.selectFrom('audit_events').where('action', '=', 'test.done').orderBy('id')
    expect(await lines.select(['user_name', 'address']).execute()).toEqual([
      { user_name: null, address: '127.0.0.9' },
      { user_name: 'Shipway', address: '' },
    ])
  })

  test('of a task is announced wherever it comes from, and so is its environment', async () => {
    const { id: environmentId } = await buildEnvironment(app.ctx, project)
    const task = { environment_id: environmentId, kind: 'deploy', cause: 'push', created_at: 1 } as const
    let id = 0
    const queued = await heardDuring(async () => {
      id = (await app.ctx.change(PLATFORM, (tx) => insertTask(tx, task))).id
    })
    const environment = { about: 'environment', id: environmentId, how: 'updated' }
    expect(queued).toEqual([{ about: 'task', id, how: 'created' }, environment, { about: 'queue' }])
    const dropped = await heardDuring(() =>
      app.ctx.change(PLATFORM, (tx) => dropQueuedTask(tx, id, { reason: 'superseded', at: 1 })),
    )
    expect(dropped).toEqual([{ about: 'task', id, how: 'updated' }, environment, { about: 'queue' }])
    const next = await app.ctx.change(PLATFORM, (tx) => insertTask(tx, task))
    const limits = { worker: 'test', mostInAll: 10, mostPerServer: 10 }
    const taken = await heardDuring(() => app.ctx.change(PLATFORM, (tx) => takeTask(tx, limits)))
    expect(taken).toEqual([{ about: 'task', id: next.id, how: 'updated' }, environment])
    const lease = { taskId: next.id, epoch: 1 }
    const step = { about: 'step', id: next.id, position: 1 }
    const output = { about: 'output', id: next.id }
    const begun = { position: 1, phase: 'Build', key: 'Build images', name: 'Build images' }
    expect(await heardDuring(() => beginStep(app.ctx, lease, begun))).toEqual([output, { ...step, how: 'created' }])
    const ended = await heardDuring(() => endStep(app.ctx, lease, 1, { status: 'succeeded' }))
    expect(ended).toEqual([{ ...step, how: 'updated' }])
    const over = await heardDuring(() => endTask(app.ctx, lease, { status: 'succeeded' }))
    expect(over).toEqual([{ about: 'task', id: next.id, how: 'updated' }, environment, { about: 'queue' }])
  })

  test('that removes an environment says so, and that there is room', async () => {
    const { id } = await buildEnvironment(app.ctx, project)
    const heard = await heardDuring(() =>
      app.ctx.change(PLATFORM, async (tx) => {
        await updateEnvironment(tx, id, { title: 'Soon gone' })
        await updateEnvironment(tx, id, { removed_at: 5 })
        await updateEnvironment(tx, id, { title: 'Gone' })
      }),
    )
    expect(heard).toEqual([
      { about: 'environment', id, how: 'deleted', organizationId: project.organization_id },
      { about: 'project', id: project.id, how: 'updated' },
      { about: 'slots', id: project.id },
    ])
  })
})
