// What becomes of the servers of an installation from before machines were known.
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { databases, type TestDatabase } from '../../../test/databases.ts'
import { listEmbeddedRoutes } from '../environments/routes.ts'
import { migrate } from '../migrate.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))

describe.each(databases)('servers of an earlier version on $name', ({ openEmpty }) => {
  let database: TestDatabase
  let folder: string

  beforeEach(async () => {
    database = await openEmpty()
    folder = await mkdtemp(join(tmpdir(), 'shipway-migrations-'))
    const files = (await readdir(migrations)).sort()
    const earlier = files.slice(
      0,
      files.findIndex((file) => file.endsWith('-machines.sql')),
    )
    for (const file of earlier) await cp(join(migrations, file), join(folder, file))
    await migrate(database, folder)
    for (const statement of records) await sql.raw(statement).execute(database.db)
    await migrate(database)
  })
  afterEach(async () => {
    await database.drop()
    await rm(folder, { recursive: true })
  })

  test('get principals of their own, need the new set-up line, and none has proved its key', async () => {
    const servers = await database.db.selectFrom('servers').orderBy('id').selectAll().execute()
    expect(new Set(servers.map(({ principal }) => principal)).size).toBe(5)
    for (const server of servers) {
      expect(server.principal).toMatch(new RegExp(`^shipway-${server.organization_id}-[0-9a-f]{32}$`))
      expect(server.signed_in_at).toBeNull()
    }
    // Two organizations have the key of one machine in their records: the operator of the machine says whose it is.
    expect(servers.slice(0, 2).map(({ host_key }) => host_key)).toEqual(['ssh-ed25519 AAAA', 'ssh-ed25519 AAAA'])
    const machines = await database.db.selectFrom('machines').selectAll().execute()
    expect(machines.filter(({ host_key }) => host_key !== null)).toEqual([])
    expect(new Set(servers.map(({ machine_id }) => machine_id)).size).toBe(4)
  })

  test('with the edge inside the platform but on another machine get HAProxy', async () => {
    const servers = await database.db.selectFrom('servers').orderBy('id').selectAll().execute()
    expect(servers.map(({ connection, edge }) => `${connection} ${edge}`)).toEqual([
      ...['ssh haproxy', 'ssh haproxy', 'ssh haproxy', 'local embedded', 'local embedded'],
    ])
  })

  test('may be in a private network where a platform administrator gave the address, and no other user changed it', async () => {
    const servers = await database.db.selectFrom('servers').orderBy('id').selectAll().execute()
    expect(servers.map(({ may_be_private }) => may_be_private)).toEqual([1, 0, 0, 0, 0])
  })

  test('keep their ports, one environment each on the machine that two of them are, and their routes', async () => {
    const ports = await database.db.selectFrom('ports').orderBy('server_id').orderBy('port').selectAll().execute()
    expect(
      ports.map(({ server_id, port, environment_id, service }) => [server_id, port, environment_id, service]),
    ).toEqual([
      [1, 20_000, 1, 'web'],
      [2, 20_000, 2, 'web'],
      [4, 8080, 4, ':8080'],
      [4, 20_000, 4, 'web'],
    ])
    const routes = await listEmbeddedRoutes(database.db)
    expect(routes.map(({ domain, port }) => [domain, port]).toSorted()).toEqual([
      ['five.example.com', null],
      ['four.example.com', 8080],
    ])
  })
})

const server = (id: number, organization: number, rest: string) =>
  `insert into servers (id, organization_id, name, hostname, port, unix_user, connection, edge, host_key, created_at)
   values (${id}, ${organization}, 'Server ${id}', '10.0.0.${id}', 22, 'shipway', ${rest}, 1)`
const environment = (id: number, name: string) => [
  `insert into environments (id, project_id, server_id, owner_id, name, type, branch, created_at, updated_at)
   values (${id}, 1, ${id}, 1, '${name}', 'manual', 'main', 1, 1)`,
  `insert into domains (domain, environment_id) values ('${name}.example.com', ${id})`,
  `insert into tasks (id, environment_id, kind, status, cause, created_at, started_at, finished_at, server_id)
   values (${id}, ${id}, 'deploy', 'succeeded', 'api', 1, 1, 1, ${id})`,
]
const changed = (id: number, user: number, action: string, fields = '[]') =>
  `insert into audit_events (user_id, action, target_kind, target_id, target_name, fields, created_at)
   values (${user}, 'server.${action}', 'server', ${id}, 'Server', '${fields}', 1)`

const records = [
  `insert into users (id, email, email_key, name, password_hash, is_platform_admin, created_at)
   values (1, 'a@example.com', 'a@example.com', 'Ada', 'none', 1, 1), (2, 'b@example.com', 'b@example.com', 'Bea', 'none', 0, 1)`,
  `insert into organizations (id, name, created_at) values (1, 'One', 1), (2, 'Two', 1)`,
  server(1, 1, "'ssh', 'haproxy', 'ssh-ed25519 AAAA'"),
  server(2, 2, "'ssh', 'haproxy', 'ssh-ed25519 AAAA'"),
  server(3, 1, "'ssh', 'embedded', null"),
  server(4, 1, "'local', 'embedded', null"),
  server(5, 2, "'local', 'embedded', null"),
  changed(1, 1, 'created'),
  changed(1, 2, 'updated', '["name"]'),
  changed(2, 2, 'created'),
  changed(3, 1, 'created'),
  changed(3, 2, 'updated', '["hostname","port"]'),
  `insert into projects (id, organization_id, owner_id, name, repo_url, repository_host, domain, default_branch, default_recipe, tls,
     fork_pull_requests, hook_id, webhook_secret_sealed, repository_public_key, repository_private_key_sealed, created_at, updated_at)
   values (1, 1, 1, 'P', 'https://github.com/a/b.git', 'github', 'example.com', 'main', 'manual', 'off', 'off', 'h', 's', 'k', 's', 1, 1)`,
  ...environment(1, 'one'),
  ...environment(2, 'two'),
  ...environment(4, 'four'),
  ...environment(5, 'five'),
  // Both records of the platform's own machine have allocated one port; one deployment is from before ports were claimed.
  `insert into ports (server_id, port, environment_id, service)
   values (1, 20000, 1, 'web'), (2, 20000, 2, 'web'), (4, 20000, 4, 'web'), (5, 20000, 5, 'web')`,
  `insert into routes (domain, port, task_id) values ('four.example.com', 8080, 4), ('five.example.com', 20000, 5)`,
]
