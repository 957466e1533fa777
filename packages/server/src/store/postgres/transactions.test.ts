import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../../test/databases.ts'
import { postgresOnly } from '../../../test/postgres-only.ts'
import { repeatableTransaction } from '../repeatable-transaction.ts'

describe.each(postgresOnly)('repeatable transactions on $name', ({ openEmpty }) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await openEmpty()
    await sql`create table lines (line int)`.execute(database.db)
  })
  afterAll(() => database.drop())

  const lines = async () => (await sql<{ line: number }>`select line from lines`.execute(database.db)).rows

  test('are one statement, which is there even if nothing comes after it', async () => {
    await repeatableTransaction(database.db).execute((tx) => sql`insert into lines values (1)`.execute(tx))
    expect(await lines()).toEqual([{ line: 1 }])
  })

  test('refuse a second statement, and the connection is as good as new', async () => {
    const two = repeatableTransaction(database.db).execute(async (tx) => {
      await sql`select 1`.execute(tx)
      await sql`insert into lines values (2)`.execute(tx)
    })
    await expect(two).rejects.toThrow('A repeatable transaction is one statement on PostgreSQL')
    const taken = database.db.transaction().execute(async (tx) => {
      await sql`insert into lines values (3)`.execute(tx)
      throw new Error('not after all')
    })
    await expect(taken).rejects.toThrow('not after all')
    expect(await lines()).toEqual([{ line: 1 }])
  })

  test('that fail say why, and leave nothing', async () => {
    const failing = repeatableTransaction(database.db).execute((tx) => sql`insert into lines select 1 / 0`.execute(tx))
    await expect(failing).rejects.toThrow('division by zero')
    expect(await lines()).toEqual([{ line: 1 }])
  })
})
