// Rows of check_waits: deployments that wait for the checks of their commit, one for each environment at most.
import type { FilePullRequestRules } from '@shipway/rules/service-file/read-pull-requests'
import { type Kysely, type Selectable, sql } from 'kysely'
import type { CheckWait, DeployAfterChecks } from '../../domain/repository/commit-checks.ts'
import { effectiveDeployAfter } from '../../domain/repository/pull-request-rules.ts'
import { type BusyOwners, isFree } from '../busy-owners.ts'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import { IS_WOKEN, isLeased, type Leased, OF_PROJECT, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'

export type StoredWait = CheckWait & {
  readonly id: number
  readonly projectId: number
  readonly environmentId: number
  readonly cause: 'push' | 'pull_request'
  readonly names: readonly string[]
  /** The git host was asked which checks are required. */
  readonly isResolved: boolean
  readonly greenSince: number | null
}

export type LeasedWait = StoredWait & Leased & { readonly organizationId: number }

/** Undefined if the project deploys at once. `.service.yml` of the default branch wins over the settings. */
export async function findDeployAfter(db: Kysely<Tables>, projectId: number): Promise<DeployAfterChecks | undefined> {
  const row = await db
    .selectFrom('projects')
    .where('id', '=', projectId)
    .select(['deploy_after', 'deploy_after_checks', 'deploy_after_minutes', 'file_rules'])
    .executeTakeFirst()
  if (!row) return undefined
  // Written by `refreshFileRules` in this shape.
  const inFile = JSON.parse(row.file_rules) as FilePullRequestRules
  const settings = {
    deployAfter: row.deploy_after,
    deployAfterChecks: namesOf(row.deploy_after_checks),
    deployAfterMinutes: row.deploy_after_minutes,
  }
  return effectiveDeployAfter(settings, inFile)
}

type NewWait = Pick<StoredWait, 'projectId' | 'environmentId' | 'sha' | 'cause' | 'names' | 'since' | 'deadlineAt'>

/** Replaces an earlier one: of an environment only the newest commit counts. A process that is at the earlier one finds no row. */
export async function replaceWait(tx: Change, wait: NewWait): Promise<void> {
  const pausedUntil = await deleteWait(tx, wait.environmentId)
  await tx
    .insertInto('check_waits')
    .values({
      project_id: wait.projectId,
      environment_id: wait.environmentId,
      commit_sha: wait.sha,
      cause: wait.cause,
      names: JSON.stringify(wait.names),
      open_checks: JSON.stringify(wait.names),
      since: wait.since,
      deadline_at: wait.deadlineAt,
      next_at: pausedUntil,
      paused_until: pausedUntil,
    })
    .execute()
  notifyOfWait(tx, wait.environmentId)
}

/** `sha`: only if it waits for this commit. Returns until when the git host asked to be left alone; 0 if it did not. */
export async function deleteWait(tx: Change, environmentId: number, sha?: string): Promise<number> {
  const deleted = await tx
    .deleteFrom('check_waits')
    .where('environment_id', '=', environmentId)
    .$if(sha !== undefined, (query) => query.where('commit_sha', '=', sha ?? ''))
    .returning('paused_until')
    .execute()
  if (deleted.length > 0) notifyOfWait(tx, environmentId)
  return deleted[0]?.paused_until ?? 0
}

export async function findWait(db: Kysely<Tables>, environmentId: number): Promise<StoredWait | undefined> {
  const row = await db
    .selectFrom('check_waits')
    .where('environment_id', '=', environmentId)
    .selectAll()
    .executeTakeFirst()
  return row && toWait(row)
}

/** The caller has locked the environment. Undefined if a newer commit has replaced it. */
export async function findLeasedWait(db: Kysely<Tables>, leased: Leased): Promise<StoredWait | undefined> {
  const row = await db.selectFrom('check_waits').where(isLeased('check_waits', leased)).selectAll().executeTakeFirst()
  return row && toWait(row)
}

export async function takeWait(db: Kysely<Tables>, leaseMs: number, busy: BusyOwners): Promise<LeasedWait | undefined> {
  const row = await takeDueRow(db, 'check_waits', {
    leaseMs,
    join: sql`join projects p on p.id = q.project_id`,
    where: sql`q.state = 'waiting' and ${isFree(busy)}`,
    organization: OF_PROJECT,
  })
  const { attempts = 0, leasedUntil = 0, organizationId = 0 } = row ?? {}
  return row && { ...toWait(row), attempts, leasedUntil, organizationId }
}

type SeenChecks = Pick<StoredWait, 'state' | 'names' | 'isResolved' | 'openChecks' | 'greenSince'> & {
  readonly afterMs: number
}

/** True if the row was still the caller's. An event since it was taken may have found newer checks: they are looked at as it says. */
export async function updateWait(tx: Change, wait: LeasedWait, seen: SeenChecks): Promise<boolean> {
  const later = sql`${databaseTime(tx)} + ${sql.lit(Math.ceil(seen.afterMs))}`
  const { rows } = await sql<{ id: number }>`
    update check_waits set state = ${seen.state}, names = ${JSON.stringify(seen.names)},
      is_resolved = ${seen.isResolved ? 1 : 0}, open_checks = ${JSON.stringify(seen.openChecks)},
      green_since = cast(${seen.greenSince} as bigint), last_error = null,
      next_at = case when ${IS_WOKEN} and next_at < ${later} then next_at else ${later} end, held_until = 0, paused_until = 0
    where ${isLeased('check_waits', wait)} returning id`.execute(tx)
  if (rows.length > 0) notifyOfWait(tx, wait.environmentId)
  return rows.length > 0
}

export async function updateWaitCommit(tx: Change, wait: LeasedWait, sha: string): Promise<void> {
  await tx.updateTable('check_waits').set({ commit_sha: sha }).where(isLeased('check_waits', wait)).execute()
  notifyOfWait(tx, wait.environmentId)
}

/**
 * Makes the waits of a commit due soon: the git host says that its checks have changed. A process that reads them keeps its lease, and
 * they are due after it. Returns how many there are.
 */
export async function wakeWaits(
  db: Kysely<Tables>,
  { projectId, sha, afterMs }: { readonly projectId: number; readonly sha: string; readonly afterMs: number },
): Promise<number> {
  const soon = sql`${databaseTime(db)} + ${sql.lit(afterMs)}`
  const { rows } = await sql<{ id: number }>`
    update check_waits set attempts = 0,
      next_at = case when next_at < ${soon} then next_at when paused_until > ${soon} then paused_until else ${soon} end
    where project_id = ${projectId} and commit_sha = ${sha} and state = 'waiting' returning id`.execute(db)
  return rows.length
}

function notifyOfWait(tx: Change, environmentId: number): void {
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

const toWait = (row: Selectable<Tables['check_waits']>): StoredWait => ({
  id: row.id,
  projectId: row.project_id,
  environmentId: row.environment_id,
  sha: row.commit_sha,
  cause: row.cause,
  state: row.state,
  names: namesOf(row.names),
  isResolved: row.is_resolved === 1,
  openChecks: namesOf(row.open_checks),
  greenSince: row.green_since,
  since: row.since,
  deadlineAt: row.deadline_at,
})

/** Written by this file and by the project's settings. */
export const namesOf = (json: string): readonly string[] => JSON.parse(json) as readonly string[]
