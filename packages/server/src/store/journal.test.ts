// The journal: every change that a page can show, numbered in the order of the commits, and there with the change or not at all.
import { beforeAll, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { buildEnvironment } from '../../test/factories.ts'
import { buildOwnedProject } from '../../test/owned-project.ts'
import { stageApp } from '../../test/stage/stage-app.ts'
import { PLATFORM } from '../domain/people/actor.ts'
import { deleteOldJournal, findJournalEnds, listJournal } from './journal.ts'
import { insertOrganization, updateOrganization } from './people/organizations.ts'
import { insertTask } from './tasks/task-states.ts'

describe.each(databases)('the journal on $name', (source) => {
  const app = stageApp(source)
  let project: Awaited<ReturnType<typeof buildOwnedProject>>

  beforeAll(async () => {
    project = await buildOwnedProject(app.ctx)
  })

  const end = async (): Promise<number> => (await findJournalEnds(app.ctx.db)).last

  test('says whose a record is', async () => {
    const environment = await buildEnvironment(app.ctx, project)
    const before = await end()
    const task = await app.ctx.change(PLATFORM, async (tx) => {
      tx.notify({ about: 'project', id: project.id, how: 'updated' })
      tx.notify({ about: 'server', id: 77, how: 'deleted', organizationId: 5 })
      tx.notify({ about: 'step', id: 9, position: 3, how: 'created' })
      tx.notify({ about: 'queue' })
      return insertTask(tx, { environment_id: environment.id, kind: 'deploy', cause: 'push', created_at: 1 })
    })
    const entries = await listJournal(app.ctx.db, before, 100)
    const at = app.ctx.clock()
    expect(entries).toEqual(
      [
        { about: 'project', id: project.id, how: 'updated', position: null, parentId: project.organization_id },
        { about: 'server', id: 77, how: 'deleted', position: null, parentId: 5 },
        { about: 'step', id: 9, how: 'created', position: 3, parentId: null },
        { about: 'task', id: task.id, how: 'created', position: null, parentId: environment.id },
        { about: 'environment', id: environment.id, how: 'updated', position: null, parentId: project.id },
      ].map((entry, index) => ({ seq: before + 1 + index, at, ...entry })),
    )
  })

  test('holds nothing of a change that failed', async () => {
    const before = await end()
    const failing = app.ctx.change(PLATFORM, async (tx) => {
      tx.notify({ about: 'organization', id: 1, how: 'updated' })
      throw new Error('no')
    })
    await expect(failing).rejects.toThrow('no')
    expect(await end()).toBe(before)
  })

  test('never shows a number before a lower one', async () => {
    const { db, change } = app.ctx
    const id = await change(PLATFORM, (tx) => insertOrganization(tx, { name: 'Busy', created_at: 1 }))
    const before = await end()
    const ids = await Promise.all(
      Array.from({ length: 8 }, () => change(PLATFORM, (tx) => insertOrganization(tx, { name: 'One', created_at: 1 }))),
    )
    let isOver = false
    const changes = Promise.all(
      [id, ...ids].map(async (own) => {
        for (let round = 0; round < 10; round++)
          await change(PLATFORM, (tx) => updateOrganization(tx, own, { name: `Round ${round}` }))
      }),
    ).finally(() => {
      isOver = true
    })
    const seen: number[] = []
    for (let last = before, isLast = false; !isLast; ) {
      isLast = isOver
      const entries = await listJournal(db, last, 1000)
      seen.push(...entries.map(({ seq }) => seq))
      last = seen.at(-1) ?? last
    }
    await changes
    expect(seen).toEqual(Array.from({ length: 98 }, (_, index) => before + 1 + index))
  })

  test('forgets what is old, and says from where on it is whole', async () => {
    const last = await end()
    app.moveClock(11 * 60_000)
    await app.ctx.change(PLATFORM, async (tx) => tx.notify({ about: 'organization', id: 1, how: 'updated' }))
    await deleteOldJournal(app.ctx.db, app.ctx.clock())
    expect(await findJournalEnds(app.ctx.db)).toEqual({ first: last, last: last + 1 })
    app.moveClock(11 * 60_000)
    await deleteOldJournal(app.ctx.db, app.ctx.clock())
    // All but the last one, by which a gap is noticed.
    expect(await findJournalEnds(app.ctx.db)).toEqual({ first: last, last: last + 1 })
  })
})
