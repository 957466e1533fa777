import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { TestDatabase } from '../../../test/databases.ts'
import { postgresOnly } from '../../../test/postgres-only.ts'
import { AppError } from '../../domain/errors.ts'
import { openDatabase } from '../database.ts'

// A connection that breaks without a listener would end the process, and with it this file.
describe.each(postgresOnly)('connections to $name', ({ open }) => {
  let database: Awaited<ReturnType<typeof open>>
  let other: Omit<TestDatabase, 'drop'>

  beforeAll(async () => {
    database = await open()
    other = await openDatabase(database.address)
  })

  afterAll(async () => {
    await other.close()
    await database.drop()
  })

  const end = async (pid: number) => {
    await sql`select pg_terminate_backend(${pid}, 10000)`.execute(other.db)
  }

  const pid = sql<{ pid: number }>`select pg_backend_pid() as pid`

  test('may break while idle', async () => {
    const { rows } = await pid.execute(database.db)
    const broken = rows[0]?.pid ?? 0
    await end(broken)
    await new Promise(setImmediate)
    const again = await pid.execute(database.db)
    expect(again.rows[0]?.pid).not.toBe(broken)
  })

  test('may break inside a transaction, which then fails', async () => {
    const transaction = database.db.transaction().execute(async (transaction) => {
      const { rows } = await pid.execute(transaction)
      await end(rows[0]?.pid ?? 0)
      await sql`select 1`.execute(transaction)
    })
    await expect(transaction).rejects.toThrow()
    expect((await pid.execute(database.db)).rows).toHaveLength(1)
  })

  test('may fall silent: the version is not known for a moment, and then again', async () => {
    const silenced = await openSilenceable(new URL(database.address.url ?? ''))
    const behind = await openDatabase({ ...database.address, url: silenced.url })
    expect(await behind.version()).toBeDefined()
    silenced.silence()
    expect(await Promise.all([behind.version(), behind.version()])).toContain(undefined)
    expect(await behind.version()).toBeDefined()
    silenced.close()
    await behind.close()
  })

  test('that have prepared a statement for a table of before fail once, and are replaced', async () => {
    await sql`create table changing (id integer)`.execute(other.db)
    const read = () => sql`select * from changing where id <> ${1}`.execute(database.db)
    for (let time = 0; time < 8; time++) await read()
    await sql`alter table changing add column name text`.execute(other.db)
    const outcomes = [await outcomeOf(read()), await outcomeOf(read()), await outcomeOf(read())]
    expect(outcomes).toEqual(['unavailable', 'answered', 'answered'])
  })

  const outcomeOf = (query: Promise<unknown>) =>
    query.then(
      () => 'answered',
      (error: unknown) => (error instanceof AppError ? error.code : String(error)),
    )

  test('say who they are and do not run for ever', async () => {
    const { rows } = await sql<{ name: string; limit: string }>`
      select current_setting('application_name') as name, current_setting('statement_timeout') as limit
    `.execute(database.db)
    expect(rows).toEqual([{ name: 'shipway', limit: '30s' }])
  })
})

/** The way to the database: what is connected through it can be made to fall silent, while new connections work. */
async function openSilenceable(address: URL) {
  const pairs: (readonly [Socket, Socket])[] = []
  const server = createServer((from) => {
    const to = connect(Number(address.port), address.hostname)
    pairs.push([from, to])
    from.pipe(to).pipe(from)
    for (const socket of [from, to]) socket.on('error', () => socket.destroy())
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const own = server.address()
  if (own === null || typeof own === 'string') throw new Error('It listens at no port')
  const url = new URL(address)
  url.port = String(own.port)
  url.search = ''
  return {
    url: url.href,
    silence: () => {
      for (const [from, to] of pairs) {
        from.unpipe(to)
        to.unpipe(from)
        from.pause()
        to.pause()
      }
    },
    close: () => {
      for (const pair of pairs) for (const socket of pair) socket.destroy()
      server.close()
    },
  }
}
