import { tmpdir } from 'node:os'
import { type RawBuilder, sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from '../../test/databases.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import { openDatabase, violatedUnique } from './database.ts'
import { databaseTime } from './database-time.ts'

describe.each(databases)('a database on $name', ({ openEmpty }) => {
  let database: TestDatabase

  beforeAll(async () => {
    database = await openEmpty()
    await run(sql`create table ships (
      id bigint primary key, name text not null, "order" bigint, harbour bigint, state text, unique ("order")
    )`)
    await run(sql`create unique index ships_lower_name_unique on ships (lower(name))`)
    await run(sql`create unique index ships_harbour_loading_unique on ships (harbour) where state = 'loading'`)
    await run(sql`create unique index ships_harbour_name_unique on ships (harbour, name)`)
    await run(sql`insert into ships values (1, 'Ada', 1, 7, 'loading')`)
  })

  afterAll(() => database.drop())

  const run = (query: RawBuilder<unknown>) => query.execute(database.db)

  const fail = async (query: RawBuilder<unknown>): Promise<unknown> => {
    try {
      await run(query)
    } catch (error) {
      return error
    }
    throw new Error('The query was expected to fail')
  }

  test.each([
    ['a primary key', sql`insert into ships values (1, 'Bea', 2, 8, null)`, 'ships(id)'],
    ['a column with a reserved name', sql`insert into ships values (2, 'Bea', 1, 8, null)`, 'ships(order)'],
    ['a partial index', sql`insert into ships values (2, 'Bea', 2, 7, 'loading')`, 'ships(harbour)'],
    ['an index on an expression', sql`insert into ships values (2, 'aDA', 2, 8, null)`, 'ships_lower_name_unique'],
  ])('violatedUnique names %s', async (_, query, expected) => {
    expect(violatedUnique(await fail(query))).toBe(expected)
  })

  test('violatedUnique names all columns of an index, whatever the values hold', async () => {
    await run(sql`create table moorings (harbour text, name text)`)
    await run(sql`create unique index moorings_harbour_name_unique on moorings (harbour, name)`)
    await run(sql`insert into moorings values ('a)=(b', 'c, d')`)
    const error = await fail(sql`insert into moorings values ('a)=(b', 'c, d')`)
    expect(violatedUnique(error)).toBe('moorings(harbour, name)')
  })

  test('violatedUnique takes no other error for its own', async () => {
    expect(violatedUnique(await fail(sql`insert into ships (id) values (9)`))).toBeUndefined()
    expect(violatedUnique(await fail(sql`select * from nowhere`))).toBeUndefined()
    expect(violatedUnique(new Error('UNIQUE constraint failed: ships.id'))).toBeUndefined()
    expect(violatedUnique(undefined)).toBeUndefined()
  })

  test('integers, counts and sums are numbers', async () => {
    const time = 1_800_000_000_123
    const { rows } = await run(
      sql`select cast(${time} as bigint) as time, count(*) as count, sum(id) as sum from ships`,
    )
    expect({ ...Object(rows[0]) }).toEqual({ time, count: 1, sum: 1 })
  })

  test('an integer that a number cannot hold is an error, never a rounded value', async () => {
    await expect(run(sql`select 9007199254740993 as value`)).rejects.toThrow(/too large/)
  })

  test("the database's time is in whole milliseconds and agrees with the clock of this machine", async () => {
    const before = Date.now()
    const { rows } = await sql<{ now: number }>`select ${databaseTime(database.db)} as now`.execute(database.db)
    const now = rows[0]?.now ?? 0
    expect(Number.isInteger(now)).toBe(true)
    expect(now).toBeGreaterThanOrEqual(before - 1)
    expect(now).toBeLessThanOrEqual(Date.now() + 1)
    await database.db.transaction().execute(async (transaction) => {
      const inside = await sql<{ now: number }>`select ${databaseTime(transaction)} as now`.execute(transaction)
      expect(inside.rows[0]?.now).toBeGreaterThanOrEqual(now)
    })
  })
})

test.each(['mysql://host/name', 'host:5432', ''])('the address "%s" is refused', async (url) => {
  await expect(openDatabase({ url, dataFolder: tmpdir() })).rejects.toThrow(CannotStart)
})

test.each([
  ['postgres://shipway:hush@127.0.0.1:1/shipway', '127.0.0.1:1/shipway', 'connect ECONNREFUSED 127.0.0.1:1'],
  ['postgres:///shipway?host=/nowhere', '/nowhere/shipway', 'connect ENOENT /nowhere/.s.PGSQL.5432'],
])('a server that does not answer at %s is named without its password', async (url, where, reason) => {
  await expect(openDatabase({ url, dataFolder: tmpdir() })).rejects.toThrow(
    new CannotStart(
      `The database at ${where} does not answer (${reason}). Check DATABASE_URL and that PostgreSQL runs.`,
    ),
  )
})
