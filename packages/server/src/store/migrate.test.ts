import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases } from '../../test/databases.ts'
import { startChild } from '../../test/processes/child.ts'
import { CannotStart } from '../domain/cannot-start.ts'
import type { Database } from './database.ts'
import { migrate } from './migrate.ts'

describe.each(databases)('migrations on $name', ({ name, open, openEmpty }) => {
  let database: Awaited<ReturnType<typeof openEmpty>>
  let folder: string

  beforeEach(async () => {
    database = await openEmpty()
    folder = await mkdtemp(join(tmpdir(), 'shipway-migrations-'))
    await write('0001-harbours', 'create table harbours (id {{id}}, name text not null unique);')
    await write('0002-ships', ships)
  })

  afterEach(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  const write = (name: string, text: string) => writeFile(join(folder, `${name}.sql`), text)

  const target = () => database.address.url ?? join(database.address.dataFolder, 'shipway.db')

  test('are applied once, in order', async () => {
    expect(await migrate(database, folder)).toEqual(['0001-harbours', '0002-ships'])
    expect(await migrate(database, folder)).toEqual([])
    await write('0003-piers', 'create table piers (id {{id}});')
    expect(await migrate(database, folder)).toEqual(['0003-piers'])
    expect(await applied(database)).toEqual(['0001-harbours', '0002-ships', '0003-piers'])
  })

  test('are cut at semicolons outside quotes and comments', async () => {
    await migrate(database, folder)
    const { rows } = await sql`select id, name, motto from ships order by id`.execute(database.db)
    expect(rows.map((row) => Object.assign({}, row))).toEqual([
      { id: 1, name: 'Ada; -- not a comment', motto: "it's; fine" },
      { id: 2, name: 'Bea', motto: '' },
    ])
  })

  test('of runners that start at once one applies a migration, the others find it done', async () => {
    const words = [database.kind, target(), folder, 'never']
    const runners = [1, 2, 3].map(() => startChild('migrate-and-hang.ts', ...words))
    const lines = await Promise.all(runners.map((runner) => runner.firstLine))
    expect(lines.join(' ').trim().split(/\s+/).sort()).toEqual(['0001-harbours', '0002-ships'])
    expect(await applied(database)).toEqual(['0001-harbours', '0002-ships'])
  })

  // The embedded database has one process at a time, by the lock on its folder, so there it is not asked.
  if (name === 'postgres') {
    test('a second runner waits, and takes over from a killed one', async () => {
      const first = startChild('migrate-and-hang.ts', database.kind, target(), folder, 'create table harbours')
      expect(await first.firstLine).toBe('hanging')
      const second = migrate(database, folder)
      const waiting = sql`select 1 from pg_locks join pg_database on pg_database.oid = pg_locks.database
        where datname = current_database() and locktype = 'advisory' and not granted`
      await expect.poll(async () => (await waiting.execute(database.db)).rows.length).toBe(1)
      await first.kill()
      expect(await second).toEqual(['0001-harbours', '0002-ships'])
    })
  }

  test('a migration whose process is killed in the middle is undone, and the next start finishes', async () => {
    const child = startChild('migrate-and-hang.ts', database.kind, target(), folder, 'create index ships_motto')
    expect(await child.firstLine).toBe('hanging')
    expect(await applied(database)).toEqual(['0001-harbours'])
    await child.kill()
    expect(await migrate(database, folder)).toEqual(['0002-ships'])
    const { rows } = await sql`select id from ships`.execute(database.db)
    expect(rows).toHaveLength(2)
  })

  test('a migration that fails leaves nothing behind, also of its own first statements', async () => {
    await write('0003-piers', 'create table piers (id {{id}});\ninsert into nowhere values (1);')
    await expect(migrate(database, folder)).rejects.toThrow('nowhere')
    await expect(sql`select * from piers`.execute(database.db)).rejects.toThrow('piers')
    expect(await applied(database)).toEqual(['0001-harbours', '0002-ships'])
  })

  test('a schema newer than the program is refused', async () => {
    await migrate(database, folder)
    await rm(join(folder, '0002-ships.sql'))
    await expect(migrate(database, folder)).rejects.toThrow(
      new CannotStart(
        'The database is newer than this version of Shipway: it has the migration 0002-ships. ' +
          'Start the version that made it or a newer one, or restore a backup from before the update.',
      ),
    )
  })

  test('a schema of a later release on which this one works is accepted, and left alone', async () => {
    await write('0003-settings', 'create table settings (key text primary key, value text not null);')
    await write('0004-later', 'create table later (id {{id}});')
    await migrate(database, folder)
    await rm(join(folder, '0004-later.sql'))
    const noteOldest = (release: string) =>
      sql`insert into settings (key, value) values ('oldest_release', ${release})
        on conflict (key) do update set value = excluded.value`.execute(database.db)
    await noteOldest('1.9.0')
    expect(await migrate(database, folder)).toEqual([])
    await noteOldest('99.0.0')
    await expect(migrate(database, folder)).rejects.toThrow('The database is newer than this version')
  })

  test('the newest release notes which ones work on its tables', async () => {
    const own = await open()
    await migrate(own)
    const { rows } = await sql`select value from settings where key = 'oldest_release'`.execute(own.db)
    expect(rows).toEqual([{ value: expect.stringMatching(/^\d+\.\d+\.\d+$/) }])
    await own.drop()
  })

  test('a migration that was changed after it was applied is refused, and nothing after it is applied', async () => {
    await migrate(database, folder)
    await write('0002-ships', `${ships}\n-- changed`)
    await write('0003-piers', 'create table piers (id {{id}});')
    await expect(migrate(database, folder)).rejects.toThrow(
      new CannotStart(
        'The migration 0002-ships was changed after it was applied to this database. ' +
          'Restore the file as it was, and put the change into a new migration.',
      ),
    )
    expect(await applied(database)).toEqual(['0001-harbours', '0002-ships'])
  })

  test("the project's own are in every database that the tests open, each separate from the others", async () => {
    const [one, two] = await Promise.all([open(), open()])
    expect(await migrate(one)).toEqual([])
    await sql`create table only_in_one (id bigint)`.execute(one.db)
    await sql`create table only_in_one (id bigint)`.execute(two.db)
    expect(await applied(two)).toContain('0001-foundation')
    await Promise.all([one.drop(), two.drop()])
  })

  test.each(['0004-gap', '0002-twice', 'piers', '3-short'])('a file named %s.sql is refused', async (name) => {
    await write(name, 'create table piers (id {{id}});')
    await expect(migrate(database, folder)).rejects.toThrow('numbered without a gap')
  })
})

const ships = `-- Ships; each with a name.
create table ships (
  id {{id}},
  name text not null, -- as painted;
  motto text not null default ''
);
insert into ships (name, motto) values ('Ada; -- not a comment', 'it''s; fine'); insert into ships (name)
values ('Bea');
create index ships_motto on ships (motto); -- the last one
create index ships_name on ships (name)
`

async function applied({ db }: Database): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`select name from schema_migrations order by version`.execute(db)
  return rows.map(({ name }) => name)
}
