import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from '../../../test/databases.ts'
import { deleteCountersBefore, takeFromQuota } from './counters.ts'

const quota = (key: string) => ({ key, most: 3, windowMs: 1_000 })

describe.each(databases)('counters on $name', ({ name, open }) => {
  let database: TestDatabase
  beforeEach(async () => {
    database = await open()
  })
  afterEach(() => database.drop())

  const keys = async (): Promise<string[]> => {
    const rows = await database.db.selectFrom('counters').select('key').orderBy('key').execute()
    return rows.map(({ key }) => key)
  }

  test('old ones go, and those of now stay', async () => {
    await takeFromQuota(database.db, quota('old'), 0)
    await takeFromQuota(database.db, quota('new'), 5_000)
    await deleteCountersBefore(database.db, 5_000)
    expect(await keys()).toEqual(['new'])
  })

  // The embedded database has one connection, so there no two transactions meet.
  if (name === 'embedded') return
  test('deleting counters never waits for a counter in use', async () => {
    for (const key of ['first', 'second']) await takeFromQuota(database.db, quota(key), 0)
    await database.db.transaction().execute(async (db) => {
      await takeFromQuota(db, quota('second'), 5_000)
      await deleteCountersBefore(database.db, 5_000)
      await takeFromQuota(db, quota('first'), 5_000)
    })
    expect(await keys()).toEqual(['first', 'second'])
  })
})
