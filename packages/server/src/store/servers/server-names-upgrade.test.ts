// What becomes of servers that had one name before names were unique.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { migrate } from '../migrate.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))

describe.each(databases)('servers of one name from an earlier version on $name', ({ openEmpty }) => {
  test('survive: the oldest keeps its name, each other one gets its number added', async () => {
    const database = await openEmpty()
    onTestFinished(database.drop)
    const folder = await mkdtemp(join(tmpdir(), 'shipway-migrations-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const files = (await readdir(migrations)).sort()
    const earlier = files.slice(
      0,
      files.findIndex((file) => file.endsWith('-server-names.sql')),
    )
    for (const file of earlier) await cp(join(migrations, file), join(folder, file))
    await migrate(database, folder)
    for (const statement of records) await sql.raw(statement).execute(database.db)
    await migrate(database)
    const servers = await database.db.selectFrom('servers').orderBy('id').select('name').execute()
    expect(servers.map(({ name }) => name)).toEqual([
      'harbor',
      'harbor (server 2)',
      'harbor (server 3)',
      'harbor',
      'Harbor',
      'harbor (server 2) (server 6)',
    ])
  })
})

const server = (id: number, organization: number, name: string): string =>
  `insert into servers (id, organization_id, machine_id, principal, name, hostname, port, unix_user, connection, edge, created_at)
   values (${id}, ${organization}, ${id + 10}, 'shipway-${organization}-${String(id).padStart(32, '0')}', '${name}', '10.0.0.${id}', 22, 'shipway', 'ssh', 'haproxy', 1)`

const records = [
  `insert into organizations (id, name, created_at) values (1, 'One', 1), (2, 'Two', 1)`,
  ...[1, 2, 3, 4, 5, 6].map(
    (id) => `insert into machines (id, organization_id) values (${id + 10}, ${id === 4 ? 2 : 1})`,
  ),
  server(1, 1, 'harbor'),
  server(2, 1, 'harbor'),
  server(3, 1, 'harbor'),
  server(4, 2, 'harbor'),
  server(5, 1, 'Harbor'),
  // A name that the second one gets.
  server(6, 1, 'harbor (server 2)'),
]
