// Rows of pushes: which push moved a branch from which commit to which. They tell a late push from a new one.
import { type Kysely, sql } from 'kysely'
import type { Push } from '../../domain/repository/repository-event.ts'
import type { Tables } from '../tables/tables.ts'

const KEPT_PER_BRANCH = 100

type OfBranch = { readonly projectId: number; readonly branch: string }

/** The last known commit of the branch. */
export async function findHead(db: Kysely<Tables>, { projectId, branch }: OfBranch): Promise<string | undefined> {
  const row = await db
    .selectFrom('pushes')
    .where('project_id', '=', projectId)
    .where('branch', '=', branch)
    .where('is_late', '=', 0)
    .orderBy('id', 'desc')
    .limit(1)
    .select('after_sha')
    .executeTakeFirst()
  return row?.after_sha
}

/** Whether the branch stood at this commit before it came to where it stands. */
export async function hasPointedAt(
  db: Kysely<Tables>,
  { projectId, branch, sha }: OfBranch & { readonly sha: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('pushes')
    .where('project_id', '=', projectId)
    .where('branch', '=', branch)
    .where((eb) => eb.or([eb('before_sha', '=', sha), eb('after_sha', '=', sha)]))
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether this push is known already. */
export async function isKnownPush(
  db: Kysely<Tables>,
  { projectId, branch, before, sha }: OfBranch & { readonly before: string; readonly sha: string },
): Promise<boolean> {
  const row = await db
    .selectFrom('pushes')
    .where('project_id', '=', projectId)
    .where('branch', '=', branch)
    .where('before_sha', '=', before)
    .where('after_sha', '=', sha)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Whether the commit asked not to be deployed when it was pushed. */
export async function isSkippedCommit(db: Kysely<Tables>, projectId: number, sha: string): Promise<boolean> {
  const row = await db
    .selectFrom('pushes')
    .where('project_id', '=', projectId)
    .where('after_sha', '=', sha)
    .where('is_skipped', '=', 1)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Also deletes the oldest of the branch. */
export async function insertPush(
  db: Kysely<Tables>,
  { projectId, push, isLate, at }: { projectId: number; push: Push; isLate: boolean; at: number },
): Promise<void> {
  await db
    .insertInto('pushes')
    .values({
      project_id: projectId,
      branch: push.branch,
      before_sha: push.before,
      after_sha: push.sha,
      is_skipped: push.isSkipped ? 1 : 0,
      is_late: isLate ? 1 : 0,
      received_at: at,
    })
    .execute()
  await sql`
    delete from pushes where project_id = ${projectId} and branch = ${push.branch} and id <= (
      select id from pushes where project_id = ${projectId} and branch = ${push.branch}
      order by id desc limit 1 offset ${sql.lit(KEPT_PER_BRANCH)})`.execute(db)
}
