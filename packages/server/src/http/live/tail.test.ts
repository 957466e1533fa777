// The journal in memory: what of it is known, and what it costs to forget.
import { describe, expect, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { longestStopMs } from '../../../test/longest-stop.ts'
import { stageApp } from '../../../test/stage/stage-app.ts'
import { PLATFORM } from '../../domain/people/actor.ts'
import { createBus } from '../../progress/bus.ts'
import { createChangeRecords } from '../../progress/change-records.ts'
import { deleteOldJournal, findJournalEnds } from '../../store/journal.ts'
import { Tail } from './tail.ts'

const MANY = 50_000

describe.each(databases)('the tail of the journal on $name', (source) => {
  const app = stageApp(source)

  test('knows that something has changed, though all of it was deleted before it could be read', async () => {
    const { db, clock } = app.ctx
    const tail = new Tail(app.ctx)
    await tail.refresh()
    const before = tail.last
    const woken: number[] = []
    const endListening = tail.listen('project:7', (after) => () => woken.push(after))
    // Another process, of which nothing is heard for longer than the journal is kept.
    const change = createChangeRecords({ db, clock, bus: createBus(), describeWebhookEvent: async () => '' })
    await change(PLATFORM, async (tx) => {
      for (const id of [7, 8, 9]) tx.notify({ about: 'project', id, how: 'deleted', organizationId: 1 })
    })
    app.moveClock(11 * 60_000)
    await deleteOldJournal(db, clock())
    await tail.refresh()
    expect(tail.reaches(before)).toBe(false)
    await expect.poll(() => woken).toContain(before)
    expect(tail.last).toBe((await findJournalEnds(db)).last)
    endListening()
    await tail.close()
  })

  test('forgets much at once without keeping everybody waiting', async () => {
    const { db, clock } = app.ctx
    const tail = new Tail(app.ctx)
    const { last } = await findJournalEnds(db)
    const entry = { at: clock(), about: 'step', id: 7, how: 'updated', position: 1, parent_id: null } as const
    for (let from = last + 1; from <= last + MANY; from += 1_000) {
      const entries = Array.from({ length: 1_000 }, (_, index) => ({ ...entry, seq: from + index }))
      await db.insertInto('journal').values(entries).execute()
    }
    await db
      .updateTable('journal_end')
      .set({ seq: last + MANY })
      .execute()
    await tail.refresh()
    expect(tail.reaches(last)).toBe(true)
    app.moveClock(6 * 60_000)
    expect(await longestStopMs(() => tail.refresh())).toBeLessThan(200)
    expect(tail.reaches(last + MANY - 1)).toBe(false)
    expect(tail.after('task:7', last)).toEqual([])
    await tail.close()
  })
})
