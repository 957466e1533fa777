// What it takes to reach the repository of a project.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'

export type ProjectRepository = {
  readonly address: string
  readonly publicKey: string
  readonly privateKeySealed: string
  /** Null until the first connection has met the host. */
  readonly hostKey: string | null
  readonly hookId: string
}

/** The caller has found the project. */
export async function findProjectRepository(
  db: Kysely<Tables>,
  projectId: number,
): Promise<ProjectRepository | undefined> {
  return db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select([
      'repo_url as address',
      'repository_public_key as publicKey',
      'repository_private_key_sealed as privateKeySealed',
      'repository_host_key as hostKey',
      'hook_id as hookId',
    ])
    .executeTakeFirst()
}

/** Whether a project reads its repository with this public key, given as type and bytes. Stored keys end with a comment. */
export async function isRepositoryKey(db: Kysely<Tables>, publicKey: string): Promise<boolean> {
  const { rows } = await sql`select 1 from projects where repository_public_key = ${publicKey}
    or substr(repository_public_key, 1, ${publicKey.length + 1}) = ${`${publicKey} `} limit 1`.execute(db)
  return rows.length > 0
}
