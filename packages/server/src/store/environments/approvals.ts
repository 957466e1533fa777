// Rows of approvals: commits of forks that may be deployed.
import type { Insertable, Kysely } from 'kysely'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export async function hasApproval(db: Kysely<Tables>, environmentId: number, sha: string): Promise<boolean> {
  const row = await db
    .selectFrom('approvals')
    .where('environment_id', '=', environmentId)
    .where('commit_sha', '=', sha)
    .select('commit_sha')
    .executeTakeFirst()
  return row !== undefined
}

/** The newest commit that was approved. */
export async function findApprovedCommit(db: Kysely<Tables>, environmentId: number): Promise<string | undefined> {
  const row = await db
    .selectFrom('approvals')
    .where('environment_id', '=', environmentId)
    .orderBy('approved_at', 'desc')
    .select('commit_sha')
    .limit(1)
    .executeTakeFirst()
  return row?.commit_sha
}

/** Idempotent. */
export async function insertApproval(tx: Change, values: Insertable<Tables['approvals']>): Promise<void> {
  await tx
    .insertInto('approvals')
    .values(values)
    .onConflict((conflict) => conflict.doNothing())
    .execute()
  tx.notify({ about: 'environment', id: values.environment_id, how: 'updated' })
}
