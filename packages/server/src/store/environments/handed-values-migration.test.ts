// Installations from before received values were recorded: the deployed release is assumed to have the values of now.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildEnvironment, buildOrganization, buildProject, buildTask, buildUser } from '../../../test/factories.ts'
import { migrate, readMigrations } from '../migrate.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))

describe.each(databases)('values of earlier deployments on $name', ({ openEmpty }) => {
  test('are the current ones, for each environment that was deployed', async () => {
    const database = await openEmpty()
    onTestFinished(database.drop)
    await migrateToBefore(database)
    const { db } = database
    const ctx = { db, clock: () => 1 }
    const user = await buildUser(ctx)
    const organization = await buildOrganization(ctx, [{ user, role: 'owner' }])
    const project = await buildProject(ctx, { organizationId: organization.id, ownerId: user.id })
    const deployed = await buildEnvironment(ctx, project)
    const fresh = await buildEnvironment(ctx, project)
    const removed = await buildEnvironment(ctx, project, { removed_at: 1 })
    const ended = { status: 'succeeded', started_at: 1, finished_at: 1 } as const
    await buildTask(ctx, deployed.id, ended)
    const newest = await buildTask(ctx, deployed.id, { ...ended, status: 'failed' })
    await buildTask(ctx, removed.id, ended)
    for (const { id } of [deployed, fresh, removed]) {
      await sql`insert into variables (environment_id, key, value_sealed, updated_at, updated_by)
        values (${id}, 'OWN', 'own', 1, ${user.id})`.execute(db)
    }
    await sql`insert into project_variables (project_id, key, value_sealed, updated_at, updated_by)
      values (${project.id}, 'SHARED', 'shared', 1, ${user.id})`.execute(db)
    await migrate(database)
    const values = await db.selectFrom('handed_values').orderBy('key').selectAll().execute()
    const by = { environment_id: deployed.id, first_task_id: 0, last_task_id: newest.id }
    expect(values.map(({ id: _, ...value }) => value)).toEqual([
      { ...by, owner: 'environment', owner_id: deployed.id, key: 'OWN', value_sealed: 'own' },
      { ...by, owner: 'project', owner_id: project.id, key: 'SHARED', value_sealed: 'shared' },
    ])
  })
})

async function migrateToBefore(database: Parameters<typeof migrate>[0]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipway-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const { name } of await readMigrations()) {
    if (name.endsWith('-handed-values')) break
    await copyFile(join(migrations, `${name}.sql`), join(folder, `${name}.sql`))
  }
  await migrate(database, folder)
}
