// Changes travel between processes of one PostgreSQL, and go on doing so after the connection was lost.
import { sql } from 'kysely'
import { describe, expect, test } from 'vitest'
import { postgresOnly } from '../../../test/postgres-only.ts'
import { openNotifications } from './notifications.ts'

// The embedded database has one process, which needs no messenger.
describe.each(postgresOnly)('notifications on $name', (source) => {
  test('reach the other process and not the sender, also after their connections were cut', async () => {
    const database = await source.openEmpty()
    const { url } = database.address
    if (url === undefined) throw new Error('PostgreSQL has an address')
    const received: { here: unknown[]; there: unknown[] } = { here: [], there: [] }
    const errors: unknown[] = []
    const open = (receive: (message: unknown) => void) =>
      openNotifications({ url, db: database.db, receive, onError: (error) => errors.push(error) })
    const here = open((message) => received.here.push(message))
    const there = open((message) => received.there.push(message))
    const ended = new Set<number>()
    const listeners = async (): Promise<number[]> => {
      const { rows } = await sql<{ pid: number }>`select pid from pg_stat_activity
        where datname = current_database() and query = 'listen shipway'`.execute(database.db)
      return rows.map(({ pid }) => pid).filter((pid) => !ended.has(pid))
    }
    await expect.poll(listeners).toHaveLength(2)
    here.send([{ about: 'queue' }])
    await expect.poll(() => received.there).toEqual([{ about: 'queue' }])
    // Another version of the platform, or another program.
    for (const payload of ['{"from":"x","message":{}}', 'no json', 'null', ''])
      await sql`select pg_notify('shipway', ${payload})`.execute(database.db)
    // One that is told to end is listed for a moment longer.
    for (const pid of await listeners()) {
      await sql`select pg_terminate_backend(${pid})`.execute(database.db)
      ended.add(pid)
    }
    await expect.poll(listeners).toHaveLength(2)
    there.send([{ about: 'routes' }])
    const missed = { about: 'missed' }
    await expect.poll(() => received.here).toEqual([missed, { about: 'routes' }])
    expect(received.there).toEqual([{ about: 'queue' }, missed])
    expect(errors.length).toBeGreaterThan(0)
    await here.close()
    await there.close()
    await database.drop()
  })

  test('closed while they connect they leave no connection', async () => {
    const database = await source.openEmpty()
    const { url } = database.address
    if (url === undefined) throw new Error('PostgreSQL has an address')
    const received: unknown[] = []
    const open = () =>
      openNotifications({
        url,
        db: database.db,
        receive: (message) => received.push(message),
        onError: () => undefined,
      })
    const listeners = async () =>
      (
        await sql`select pid from pg_stat_activity
          where datname = current_database() and query = 'listen shipway'`.execute(database.db)
      ).rows
    for (let count = 0; count < 5; count += 1) await open().close()
    // Whatever was left would be there before one that is opened later.
    const later = open()
    await expect.poll(listeners).not.toHaveLength(0)
    expect(await listeners()).toHaveLength(1)
    await later.close()
    await expect.poll(listeners).toHaveLength(0)
    await database.drop()
  })
})
