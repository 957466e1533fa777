// What is committed reaches the database file itself, without a commit having to wait for it.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Kysely, sql } from 'kysely'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { repeatableTransaction } from './repeatable-transaction.ts'
import { openSqlite } from './sqlite.ts'

let folder: string
let db: Kysely<{ pieces: { bytes: string } }>

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'shipway-checkpoints-'))
  db = new Kysely({ dialect: openSqlite(join(folder, 'test.db')).dialect })
  await sql`create table pieces (bytes text not null)`.execute(db)
})

afterEach(async () => {
  await db.destroy()
  rmSync(folder, { recursive: true })
})

const isInFile = (text: string): boolean => readFileSync(join(folder, 'test.db')).includes(text)
const put = (bytes: string) =>
  repeatableTransaction(db).execute((tx) => tx.insertInto('pieces').values({ bytes }).execute())

test('soon after a piece of output, and again after the next', async () => {
  for (const mark of ['first-mark', 'second-mark']) {
    await put(mark)
    await expect
      .poll(async () => {
        // What comes while one is under way is moved by the next.
        await put('another')
        return isInFile(mark)
      })
      .toBe(true)
  }
})

test('what is written meanwhile is all there', async () => {
  const pieces = Array.from({ length: 400 }, (_, index) => `${index} ${'x'.repeat(20_000)}`)
  for (const piece of pieces) await put(piece)
  const rows = await db.selectFrom('pieces').select('bytes').orderBy(sql`rowid`).execute()
  expect(rows.map(({ bytes }) => bytes)).toEqual(pieces)
  const check = await sql<{ integrity_check: string }>`pragma integrity_check`.execute(db)
  expect(check.rows).toEqual([{ integrity_check: 'ok' }])
})
