import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repeatableTransaction } from './repeatable-transaction.ts'
import { openSqlite } from './sqlite.ts'

type Ship = { id: number; name: string | null }

let folder: string
let db: Kysely<{ ships: Ship; crews: { ship_id: number } }>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-sqlite-'))
  db = new Kysely({ dialect: openSqlite(join(folder, 'test.db')).dialect })
  await sql`create table ships (id integer primary key, name text)`.execute(db)
  await sql`create table crews (ship_id integer not null references ships (id))`.execute(db)
})

afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const names = async () => (await db.selectFrom('ships').select('name').orderBy('id').execute()).map(({ name }) => name)

test('a query from outside a transaction waits for its end and is not undone with it', async () => {
  const inside = Promise.withResolvers<void>()
  const mayEnd = Promise.withResolvers<void>()
  const transaction = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('ships').values({ id: 1, name: 'inside' }).execute()
    inside.resolve()
    await mayEnd.promise
    throw new Error('undo')
  })
  await inside.promise
  const order: string[] = []
  const outside = db
    .insertInto('ships')
    .values({ id: 2, name: 'outside' })
    .execute()
    .then(() => order.push('outside'))
  const seen = names()
  await new Promise(setImmediate)
  order.push('end')
  mayEnd.resolve()
  await expect(transaction).rejects.toThrow('undo')
  await outside
  expect(order).toEqual(['end', 'outside'])
  expect(await seen).not.toContain('inside')
  expect(await names()).toEqual(['outside'])
})

test('transactions that run at once do not interleave', async () => {
  await db.insertInto('ships').values({ id: 1, name: '0' }).execute()
  const increments = Array.from({ length: 50 }, (_, index) =>
    db.transaction().execute(async (transaction) => {
      const ship = await transaction.selectFrom('ships').select('name').executeTakeFirstOrThrow()
      await new Promise(setImmediate)
      await transaction
        .updateTable('ships')
        .set({ name: String(Number(ship.name) + 1) })
        .execute()
      if (index % 5 === 0) throw new Error('undo')
    }),
  )
  const results = await Promise.allSettled(increments)
  expect(results.filter(({ status }) => status === 'rejected')).toHaveLength(10)
  expect(await names()).toEqual(['40'])
})

test('a failed statement leaves the connection usable for the next transaction', async () => {
  const failing = db.transaction().execute((transaction) => sql`insert into nowhere values (1)`.execute(transaction))
  await expect(failing).rejects.toThrow('nowhere')
  await db
    .transaction()
    .execute((transaction) => transaction.insertInto('ships').values({ id: 1, name: 'Ada' }).execute())
  expect(await names()).toEqual(['Ada'])
})

test('an error after which SQLite rolled back by itself is the one that is reported', async () => {
  const transaction = db.transaction().execute(async (transaction) => {
    await transaction.insertInto('ships').values({ id: 1, name: 'Ada' }).execute()
    await sql`insert or rollback into ships values (1, 'Bea')`.execute(transaction)
  })
  await expect(transaction).rejects.toThrow('UNIQUE constraint failed: ships.id')
  expect(await names()).toEqual([])
})

test('writes are durable', async () => {
  const setting = async (name: string) => Object.values(Object((await sql.raw(`pragma ${name}`).execute(db)).rows[0]))
  expect(await setting('journal_mode')).toEqual(['wal'])
  expect(await setting('synchronous')).toEqual([2])
})

test('references are enforced, and the caller may try again as on PostgreSQL: another transaction was faster', async () => {
  await expect(db.insertInto('crews').values({ ship_id: 99 }).execute()).rejects.toMatchObject({
    code: 'unavailable',
    headers: { 'retry-after': '1' },
    cause: { message: 'FOREIGN KEY constraint failed' },
  })
})

test('the database can be read by its owner alone', () => {
  for (const file of ['test.db', 'test.db-wal']) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600)
})

test('the same text answers with what is there now, also after the table has changed', async () => {
  const all = () => sql<Ship>`select * from ships where id = ${1}`.execute(db)
  expect((await all()).rows).toEqual([])
  await db.insertInto('ships').values({ id: 1, name: 'Ada' }).execute()
  await sql`alter table ships add column flag text`.execute(db)
  expect({ ...(await all()).rows[0] }).toEqual({ id: 1, name: 'Ada', flag: null })
})

test('more different texts than are kept still work, the first one again too', async () => {
  const numbers = Array.from({ length: 1_100 }, (_, index) => index % 550)
  for (const number of numbers) {
    const { rows } = await sql<{ value: number }>`select ${sql.lit(number)} as value`.execute(db)
    expect(rows[0]?.value).toBe(number)
  }
})

test('returning hands back rows, and a write without it the number of changed rows', async () => {
  const inserted = await db.insertInto('ships').values({ id: 5, name: 'Ada' }).returning('id').executeTakeFirstOrThrow()
  expect(inserted.id).toBe(5)
  const updated = await db.updateTable('ships').set({ name: 'Bea' }).executeTakeFirstOrThrow()
  expect(updated.numUpdatedRows).toBe(1n)
})

test.each([[new Date()], [{ name: 'Ada' }], [true], [undefined]])('the parameter %o is refused', async (value) => {
  await expect(sql`select ${value}, ${1}`.execute(db)).rejects.toThrow(TypeError)
})

test('the disk is waited for at every commit but that of a transaction that says so', async () => {
  const levelIn = async (connection: Kysely<never>): Promise<number> =>
    (await sql<{ synchronous: number }>`pragma synchronous`.execute(connection)).rows[0]?.synchronous ?? -1
  const [normal, full] = [1, 2]
  const levels: number[] = []
  const readFrom = async (transaction: unknown): Promise<void> => {
    levels.push(await levelIn(transaction as Kysely<never>))
  }
  await repeatableTransaction(db).execute(readFrom)
  await readFrom(db)
  await db.transaction().execute(readFrom)
  const failing = repeatableTransaction(db).execute(async (transaction) => {
    await readFrom(transaction)
    throw new Error('undo')
  })
  await expect(failing).rejects.toThrow('undo')
  await readFrom(db)
  expect(levels).toEqual([normal, full, full, normal, full])
})
