// Installations from before tasks had facts of their own: what was read off the names of steps is written down once.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildUser } from '../../../test/factories.ts'
import { migrate, readMigrations } from '../migrate.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))

describe.each(databases)('the facts of earlier tasks on $name', ({ openEmpty }) => {
  test('come from their steps, also where a name was masked', async () => {
    const database = await openEmpty()
    onTestFinished(database.drop)
    const { db } = database
    await migrateToBefore(database)
    const ctx = { db, clock: () => 1 }
    const user = await buildUser(ctx)
    const { id: organizationId } = await buildOrganization(ctx, [{ user, role: 'owner' }])
    // As servers were then.
    const { rows: servers } = await sql<{ id: number }>`
      insert into servers (organization_id, name, hostname, port, unix_user, connection, edge, created_at)
      values (${organizationId}, 'One', 'one.example.com', 22, 'shipway', 'ssh', 'haproxy', 1) returning id`.execute(db)
    const project = await buildProject(ctx, { organizationId, ownerId: user.id, serverId: servers[0]?.id ?? 0 })
    const insert = async (
      kind: string,
      status: string,
      steps: readonly [phase: string, name: string, status: string][],
    ) => {
      const { id: environmentId } = await buildEnvironment(ctx, project)
      const finished = status === 'running' ? null : 2
      const { rows } = await sql<{ id: number }>`
        insert into tasks (environment_id, kind, status, cause, created_at, started_at, finished_at)
        values (${environmentId}, ${kind}, ${status}, 'api', 1, 1, ${finished}) returning id`.execute(db)
      const id = rows[0]?.id ?? 0
      for (const [phase, name, stepStatus] of steps)
        await sql`insert into steps (task_id, phase, name, status, kind)
          values (${id}, ${phase}, ${name}, ${stepStatus}, 'check')`.execute(db)
      return id
    }
    const ids = {
      deployed: await insert('deploy', 'succeeded', [['Switch', 'Switch routes', 'succeeded']]),
      switched: await insert('deploy', 'running', [['Switch', 'Switch *****', 'succeeded']]),
      failed: await insert('deploy', 'failed', [['Prepare', 'Fetch source', 'failed']]),
      reset: await insert('reset', 'failed', [['Prepare', 'Remove routes', 'succeeded']]),
      kept: await insert('reset', 'failed', [['Prepare', 'Remove routes', 'failed']]),
      masked: await insert('reset', 'failed', [
        ['Prepare', 'Remove *****', 'succeeded'],
        ['Prepare', 'Remove containers', 'failed'],
      ]),
      built: await insert('reset', 'failed', [
        ['Prepare', 'Remove *****', 'succeeded'],
        ['Build', 'Build images', 'failed'],
      ]),
      early: await insert('remove', 'failed', [['Prepare', 'Connect to the server', 'failed']]),
    }
    await migrate(database)
    const rows = await db.selectFrom('tasks').select(['id', 'switched_at', 'unrouted_at', 'recipe']).execute()
    const factOf = (fact: 'switched_at' | 'unrouted_at') =>
      Object.entries(ids).flatMap(([name, id]) => (rows.find((row) => row.id === id)?.[fact] === null ? [] : [name]))
    expect(factOf('switched_at')).toEqual(['deployed', 'switched'])
    expect(factOf('unrouted_at')).toEqual(['reset', 'masked', 'built'])
    expect(rows.find(({ id }) => id === ids.switched)?.recipe).toBe(project.default_recipe)
  })
})

async function migrateToBefore(database: Parameters<typeof migrate>[0]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipway-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const { name } of await readMigrations()) {
    if (name.endsWith('-task-facts')) break
    await copyFile(join(migrations, `${name}.sql`), join(folder, `${name}.sql`))
  }
  await migrate(database, folder)
}
