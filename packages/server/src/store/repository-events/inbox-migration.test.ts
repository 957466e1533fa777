// Installations from before deliveries were stored first: what was seen stays, and what came to nothing may be sent again.
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { databases } from '../../../test/databases.ts'
import { migrate, readMigrations } from '../migrate.ts'
import type { Tables } from '../tables/tables.ts'

const migrations = fileURLToPath(new URL('../../../migrations', import.meta.url))
const verdicts = ['accepted', 'duplicate', 'ignored', 'refused']

describe.each(databases)('earlier deliveries on $name', ({ openEmpty }) => {
  test('keep their verdicts, and those that were ignored are no duplicates of themselves', async () => {
    const database = await openEmpty()
    onTestFinished(database.drop)
    const { db } = database
    await migrateToBefore(database)
    const id = await insertProject(db)
    for (const verdict of verdicts) {
      await sql`insert into deliveries (project_id, delivery_id, event, verdict, received_at)
        values (${id}, ${verdict}, 'push', ${verdict}, 1)`.execute(db)
    }
    for (const name of ['accepted', 'ignored', 'long ago']) {
      await sql`insert into delivery_ids (project_id, delivery_id, received_at) values (${id}, ${name}, 1)`.execute(db)
    }
    await migrate(database)
    const kept = await db.selectFrom('deliveries').orderBy('id').select(['delivery_id', 'verdict', 'content']).execute()
    expect(kept).toEqual(verdicts.map((verdict) => ({ delivery_id: verdict, verdict, content: null })))
    const ids = await db
      .selectFrom('delivery_ids')
      .orderBy('delivery_id')
      .select(['delivery_id', 'took_effect'])
      .execute()
    expect(ids.map((row) => [row.delivery_id, row.took_effect])).toEqual([
      ['accepted', 1],
      ['ignored', 0],
      ['long ago', 1],
    ])
  })
})

/** As it was then: the factories know the newest tables alone. */
async function insertProject(db: Kysely<Tables>): Promise<number> {
  const id = async (insert: RawBuilder<{ id: number }>) => (await insert.execute(db)).rows[0]?.id ?? 0
  const user = await id(sql`insert into users (email, email_key, name, password_hash, created_at)
    values ('ada@example.com', 'ada@example.com', 'Ada', 'x', 1) returning id`)
  const organization = await id(sql`insert into organizations (name, created_at) values ('Acme', 1) returning id`)
  return id(sql`insert into projects (organization_id, owner_id, name, repo_url, repository_host, domain, default_branch,
      default_recipe, tls, fork_pull_requests, hook_id, webhook_secret_sealed, repository_public_key,
      repository_private_key_sealed, created_at, updated_at)
    values (${organization}, ${user}, 'App', 'https://git.example.com/app.git', 'github', 'app.example.com', 'main',
      'docker', 'off', 'off', 'hook', 'sealed', 'key', 'sealed', 1, 1) returning id`)
}

async function migrateToBefore(database: Parameters<typeof migrate>[0]): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'shipway-migrations-'))
  onTestFinished(() => rm(folder, { recursive: true }))
  for (const { name } of await readMigrations()) {
    if (name.endsWith('-inbox')) break
    await copyFile(join(migrations, `${name}.sql`), join(folder, `${name}.sql`))
  }
  await migrate(database, folder)
}
