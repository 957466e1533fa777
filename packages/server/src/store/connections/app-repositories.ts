// Projects whose repository a GitHub App reaches: found by the id of the repository, which stays when it is renamed.
import type { Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type ProjectOfRepository = { readonly id: number; readonly name: string }

/** GitHub names all repositories of an installation in one event; a database takes only so many values at once. */
const AT_ONCE = 500

export async function listProjectsOfRepositories(
  db: Kysely<Tables>,
  connectionId: number,
  repositoryIds: readonly string[],
): Promise<readonly ProjectOfRepository[]> {
  const found: ProjectOfRepository[] = []
  for (let start = 0; start < repositoryIds.length; start += AT_ONCE) {
    const rows = await db
      .selectFrom('projects')
      .where('connection_id', '=', connectionId)
      .where('repository_external_id', 'in', repositoryIds.slice(start, start + AT_ONCE))
      .orderBy('id')
      .select(['id', 'name'])
      .execute()
    found.push(...rows)
  }
  return found
}

/**
 * What the git host says of the repository, as a sentence for people on the project's page; null where the repository can be read. Checks
 * keep it until then: they only find that it cannot be read.
 */
export async function updateHostFault(
  tx: Change,
  { id }: Pick<ProjectOfRepository, 'id'>,
  sentence: string | null,
): Promise<void> {
  const values = { last_error: sentence, host_fault: sentence }
  await tx.updateTable('repository_access').set(values).where('project_id', '=', id).execute()
  tx.notify({ about: 'project', id, how: 'updated' })
}

/** The App may not read the repository any more; if the git host has said why, that stays. */
export async function updateAccessRefused(
  tx: Change,
  { id }: Pick<ProjectOfRepository, 'id'>,
  sentence: string,
): Promise<void> {
  await tx
    .updateTable('repository_access')
    .set(({ fn, val }) => ({ last_error: fn.coalesce('host_fault', val(sentence)) }))
    .where('project_id', '=', id)
    .execute()
  tx.notify({ about: 'project', id, how: 'updated' })
}

type NewName = { readonly repoUrl: string; readonly fullName: string; readonly at: number }

export async function updateRepositoryName(
  tx: Change,
  { id }: Pick<ProjectOfRepository, 'id'>,
  { repoUrl, fullName, at }: NewName,
): Promise<void> {
  await tx.updateTable('repository_access').set({ repository: fullName }).where('project_id', '=', id).execute()
  await tx.updateTable('projects').set({ repo_url: repoUrl, updated_at: at }).where('id', '=', id).execute()
  tx.notify({ about: 'project', id, how: 'updated' })
}
