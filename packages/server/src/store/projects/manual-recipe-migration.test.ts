// Installations from before owners allowed the manual recipe: projects that use it keep it, and no other project gets it.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { buildServer } from '../../../test/factories.ts'
import { migrate, readMigrations } from '../migrate.ts'
import type { Tables } from '../tables/tables.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))

describe.each(databases)('earlier projects on $name', ({ openEmpty }) => {
  test('have the consent where they use the manual recipe', async () => {
    const database = await openEmpty()
    onTestFinished(database.drop)
    const { db } = database
    await migrateToBefore(database)
    const insertProject = await projectsOf(db)
    await insertProject('docker', 'docker', [])
    await insertProject('docker, removed', 'docker', [{ recipe: 'manual', removedAt: 5 }])
    await insertProject('one environment', 'docker', [{ recipe: null }, { recipe: 'manual' }])
    await insertProject('manual', 'manual', [])
    await migrate(database)
    const rows = await db.selectFrom('projects').orderBy('id').select(['name', 'manual_recipe']).execute()
    expect(rows.map((row) => [row.name, row.manual_recipe])).toEqual([
      ['docker', 'off'],
      ['docker, removed', 'off'],
      ['one environment', 'allowed'],
      ['manual', 'allowed'],
    ])
  })
})

type OldEnvironment = { readonly recipe: string | null; readonly removedAt?: number }

/** As it was then: the factories know the newest tables alone. */
async function projectsOf(db: Kysely<Tables>) {
  const id = async (insert: RawBuilder<{ id: number }>) => (await insert.execute(db)).rows[0]?.id ?? 0
  const user = await id(sql`insert into users (email, email_key, name, password_hash, created_at)
    values ('ada@example.com', 'ada@example.com', 'Ada', 'x', 1) returning id`)
  const organization = await id(sql`insert into organizations (name, created_at) values ('Acme', 1) returning id`)
  const { id: server } = await buildServer({ db, clock: () => 1 }, organization)
  return async (name: string, recipe: string, environments: readonly OldEnvironment[]) => {
    const project =
      await id(sql`insert into projects (organization_id, owner_id, name, repo_url, repository_host, domain,
        default_branch, default_recipe, tls, fork_pull_requests, hook_id, webhook_secret_sealed, repository_public_key,
        repository_private_key_sealed, created_at, updated_at)
      values (${organization}, ${user}, ${name}, 'https://git.example.com/app.git', 'github', ${`${name}.example.com`}, 'main',
        ${recipe}, 'off', 'off', ${name}, 'sealed', 'key', 'sealed', 1, 1) returning id`)
    for (const [index, environment] of environments.entries()) {
      await sql`insert into environments (project_id, server_id, owner_id, name, title, type, branch, recipe, is_protected, is_sticky,
          auto_deploy, removed_at, created_at, updated_at)
        values (${project}, ${server}, ${user}, ${`e${index}`}, '', 'manual', 'main', ${environment.recipe}, 0, 0, 1,
          ${environment.removedAt ?? null}, 1, 1)`.execute(db)
    }
  }
}

async function migrateToBefore(database: Parameters<typeof migrate>[0]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipway-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const { name } of await readMigrations()) {
    if (name.endsWith('-manual-recipe')) break
    await copyFile(join(migrations, `${name}.sql`), join(folder, `${name}.sql`))
  }
  await migrate(database, folder)
}
