// Rows of outbox: statuses and comments that git hosts are still to receive. Queued with the change that causes them.
import { type Kysely, sql } from 'kysely'
import { type BusyOwners, isFree } from '../busy-owners.ts'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import { IS_WOKEN, isLeased, type Leased, OF_PROJECT, takeDueRow } from '../queue.ts'
import type { Tables } from '../tables/tables.ts'

export type OutboxEntry = Leased & {
  readonly projectId: number
  readonly organizationId: number
  readonly taskId: number | null
  readonly pullRequestNumber: number | null
  readonly hostDeploymentId: string | null
}

/** The git host learns each status of the task, where the project or its connection has a token for it. */
export async function insertOutboxTask(
  tx: Change,
  { projectId, taskId, at }: { readonly projectId: number; readonly taskId: number; readonly at: number },
): Promise<void> {
  await sql`
    insert into outbox (project_id, task_id, next_at, created_at)
    select id, cast(${taskId} as bigint), ${END_OF_PAUSE}, cast(${at} as bigint) from projects
    where id = ${projectId} and (host_token_sealed is not null or connection_id is not null)`.execute(tx)
  tx.notify({ about: 'queue' })
}

/** When the git host of the project may be asked again, if it asked for a pause; else 0. */
const END_OF_PAUSE = sql`coalesce((select max(o.paused_until) from outbox o where o.project_id = projects.id), 0)`

type PullRequestReport = {
  readonly projectId: number
  readonly number: number
  readonly at: number
  /** How long the git host asks to be left alone; 0 by default. */
  readonly askedMs?: number
}

/** For changes of a pull request that are no task: it waits, or awaits approval. A report that is under way is followed by another. */
export async function insertOutboxPullRequest(
  tx: Change,
  { projectId, number, at, askedMs = 0 }: PullRequestReport,
): Promise<void> {
  const isAsked = askedMs > 0
  const pausedUntil = isAsked ? sql`${databaseTime(tx)} + ${sql.lit(Math.ceil(askedMs))}` : END_OF_PAUSE
  const paused = isAsked ? sql`excluded.paused_until` : sql`outbox.paused_until`
  await sql`
    insert into outbox (project_id, pull_request_number, next_at, paused_until, created_at)
    select id, cast(${number} as bigint), ${pausedUntil}, ${pausedUntil}, cast(${at} as bigint) from projects
    where id = ${projectId} and (host_token_sealed is not null or connection_id is not null)
    on conflict (project_id, pull_request_number) where task_id is null
      do update set next_at = ${paused}, paused_until = ${paused}, told = null`.execute(tx)
  tx.notify({ about: 'queue' })
}

/** An entry of a task is due when the task has another status than the host was last sent. */
export async function takeOutboxEntry(
  db: Kysely<Tables>,
  leaseMs: number,
  busy: BusyOwners,
): Promise<OutboxEntry | undefined> {
  const row = await takeDueRow(db, 'outbox', {
    leaseMs,
    join: sql`join projects p on p.id = q.project_id left join tasks t on t.id = q.task_id`,
    where: sql`(q.task_id is null or q.told is null or q.told <> t.status) and ${isFree(busy)}`,
    organization: OF_PROJECT,
  })
  return (
    row && {
      id: row.id,
      attempts: row.attempts,
      leasedUntil: row.leasedUntil,
      projectId: row.project_id,
      organizationId: row.organizationId,
      taskId: row.task_id,
      pullRequestNumber: row.pull_request_number,
      hostDeploymentId: row.host_deployment_id,
    }
  )
}

/** The host has this status; the entry is due again when the task has another. A refused comment may have been answered with a pause. */
export async function updateReportedStatus(db: Kysely<Tables>, entry: OutboxEntry, status: string): Promise<void> {
  const pausedUntil = sql`coalesce((select max(o.paused_until) from outbox o where o.project_id = outbox.project_id and o.id <> outbox.id), 0)`
  await sql`
    update outbox set told = ${status}, attempts = 0, next_at = ${pausedUntil}, held_until = 0, paused_until = 0, last_error = null
    where ${isLeased('outbox', entry)}`.execute(db)
}

export async function updateHostDeployment(db: Kysely<Tables>, entry: OutboxEntry, id: string): Promise<void> {
  await sql`update outbox set host_deployment_id = ${id} where ${isLeased('outbox', entry)}`.execute(db)
}

/** An entry that a change made due again since it was taken stays. */
export async function deleteOutboxEntry(db: Kysely<Tables>, entry: OutboxEntry): Promise<void> {
  await sql`delete from outbox where ${isLeased('outbox', entry)} and not (${IS_WOKEN})`.execute(db)
  await sql`update outbox set attempts = 0, held_until = 0 where ${isLeased('outbox', entry)}`.execute(db)
}
