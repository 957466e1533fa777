// Rows of check_runs: GitHub's ids of the check runs that the platform wrote, one for each environment and commit.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

type OfCommit = { readonly environmentId: number; readonly sha: string }

export type KnownCheckRun = { readonly hostId: string; readonly hasAnnotations: boolean }

export async function findCheckRun(
  db: Kysely<Tables>,
  { environmentId, sha }: OfCommit,
): Promise<KnownCheckRun | undefined> {
  const row = await db
    .selectFrom('check_runs')
    .where('environment_id', '=', environmentId)
    .where('commit_sha', '=', sha)
    .select(['host_id', 'has_annotations'])
    .executeTakeFirst()
  return row && { hostId: row.host_id, hasAnnotations: row.has_annotations === 1 }
}

export async function writeCheckRun(
  db: Kysely<Tables>,
  { environmentId, sha, hostId, hasAnnotations }: OfCommit & KnownCheckRun,
): Promise<void> {
  const values = { host_id: hostId, has_annotations: hasAnnotations ? 1 : 0 } as const
  await db
    .insertInto('check_runs')
    .values({ environment_id: environmentId, commit_sha: sha, ...values })
    .onConflict((conflict) => conflict.columns(['environment_id', 'commit_sha']).doUpdateSet(values))
    .execute()
}

export type CheckedCommit = { readonly environmentId: number; readonly sha: string }

/** Environments of the project that have this check run, or one of this commit. Removed environments are left out. */
export async function listCheckedCommits(
  db: Kysely<Tables>,
  projectId: number,
  which: { readonly hostId: string } | { readonly sha: string },
): Promise<readonly CheckedCommit[]> {
  const condition = 'hostId' in which ? sql`c.host_id = ${which.hostId}` : sql`c.commit_sha = ${which.sha}`
  const { rows } = await sql<{ environment_id: number; commit_sha: string }>`
    select c.environment_id, c.commit_sha from check_runs c
    join environments e on e.id = c.environment_id and e.project_id = ${projectId} and e.removed_at is null
    where ${condition} order by c.environment_id limit 100`.execute(db)
  return rows.map((row) => ({ environmentId: row.environment_id, sha: row.commit_sha }))
}

/** For an App that takes the place of another one. */
export async function deleteCheckRunsOfConnection(tx: Change, connectionId: number): Promise<void> {
  await sql`
    delete from check_runs where environment_id in (
      select e.id from environments e join projects p on p.id = e.project_id where p.connection_id = ${connectionId})`.execute(
    tx,
  )
}
