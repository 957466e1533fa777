// Rows of repository_access: which deploy key and webhook the platform made at the git host of a project, and when both are checked next.
import { type Kysely, sql } from 'kysely'
import { type BusyOwners, isFree, NONE_BUSY } from '../busy-owners.ts'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import { isLeased, type Leased, OF_PROJECT, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'

export type TakenAccess = Leased & {
  readonly projectId: number
  readonly organizationId: number
  /** Its full name at the git host. */
  readonly repository: string
  readonly deployKeyId: string | null
  readonly hasCurrentSecret: boolean
  /** What the git host said of the repository, until it can be read again. */
  readonly hostFault: string | null
}

export async function insertAccess(
  tx: Change,
  { projectId, repository }: { readonly projectId: number; readonly repository: string },
): Promise<void> {
  await tx.insertInto('repository_access').values({ project_id: projectId, repository }).execute()
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
}

/** Of one project if it is named, else the one that has been due longest. */
export async function takeAccess(
  db: Kysely<Tables>,
  {
    leaseMs,
    projectId,
    busy = NONE_BUSY,
  }: { readonly leaseMs: number; readonly projectId?: number | undefined; readonly busy?: BusyOwners },
): Promise<TakenAccess | undefined> {
  const own = projectId === undefined ? sql`true` : sql`p.id = ${projectId}`
  const row = await takeDueRow(db, 'repository_access', {
    leaseMs,
    join: sql`join projects p on p.id = q.project_id`,
    where: sql`p.deleting_since is null and p.connection_id is not null and ${own} and ${isFree(busy)}`,
    organization: OF_PROJECT,
  })
  return (
    row && {
      id: row.id,
      attempts: row.attempts,
      leasedUntil: row.leasedUntil,
      projectId: row.project_id,
      organizationId: row.organizationId,
      repository: row.repository,
      deployKeyId: row.deploy_key_id,
      hasCurrentSecret: row.has_current_secret === 1,
      hostFault: row.host_fault,
    }
  )
}

type AccessIds = { readonly deploy_key_id: string } | { readonly webhook_id: string; readonly has_current_secret: 1 }

/** Written at once, so that a project that is deleted next leaves nothing behind. False if the row is gone with its project. */
export async function updateAccessIds(tx: Change, taken: TakenAccess, values: AccessIds): Promise<boolean> {
  await tx.updateTable('repository_access').set(values).where(isLeased('repository_access', taken)).execute()
  tx.notify({ about: 'project', id: taken.projectId, how: 'updated' })
  const row = tx.selectFrom('repository_access').where('id', '=', taken.id)
  return (await row.select('id').executeTakeFirst()) !== undefined
}

type Outcome = {
  readonly afterMs: number
  /** Null: both were found, and the key reads the repository. */
  readonly error: string | null
  readonly at: number
}

export async function updateAccessOutcome(tx: Change, taken: TakenAccess, outcome: Outcome): Promise<void> {
  const { afterMs, error, at } = outcome
  const proof = error === null ? sql`proven_at = ${at}, attempts = 0, host_fault = null` : sql`proven_at = proven_at`
  await sql`
    update repository_access set next_at = ${databaseTime(tx)} + ${sql.lit(Math.round(afterMs))}, last_error = ${error}, ${proof}
    where ${isLeased('repository_access', taken)}`.execute(tx)
  tx.notify({ about: 'project', id: taken.projectId, how: 'updated' })
}

/** Due now. A check that is under way writes nothing any more. */
export async function updateAccessDue(
  tx: Change,
  projectId: number,
  { hasNewSecret = false }: { readonly hasNewSecret?: boolean } = {},
): Promise<void> {
  await tx
    .updateTable('repository_access')
    .set({ next_at: 0, attempts: 0, ...(hasNewSecret && { has_current_secret: 0 as const }) })
    .where('project_id', '=', projectId)
    .execute()
  tx.notify({ about: 'project', id: projectId, how: 'updated' })
  tx.notify({ about: 'queue' })
}

/** After a token or key of a connection was replaced: what failed with the earlier one may work now. `all`: also what did not fail. */
export async function updateAccessDueOfConnection(
  tx: Change,
  connectionId: number,
  { all = false }: { readonly all?: boolean } = {},
): Promise<void> {
  const isChosen = all ? sql`true` : sql`last_error is not null`
  await sql`
    update repository_access set next_at = 0, attempts = 0 where ${isChosen}
      and project_id in (select id from projects where connection_id = ${connectionId})`.execute(tx)
  await sql`update access_removals set next_at = 0 where connection_id = ${connectionId}`.execute(tx)
  tx.notify({ about: 'queue' })
}
