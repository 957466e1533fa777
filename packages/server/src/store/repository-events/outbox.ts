// Rows of outbox: statuses and comments that git hosts are still to receive. Queued with the change that causes them.
import { type Kysely, sql } from 'kysely'
import { type BusyOwners, isFree } from '../busy-owners.ts'
import type { Change } from '../change.ts'
import { isLeased, type Leased, OF_PROJECT, takeDueRow } from '../queue.ts'
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
    select id, cast(${taskId} as bigint), 0, cast(${at} as bigint) from projects
    where id = ${projectId} and (host_token_sealed is not null or connection_id is not null)`.execute(tx)
  tx.notify({ about: 'queue' })
}

/** For changes of a pull request that are no task: it waits, or awaits approval. */
export async function insertOutboxPullRequest(
  tx: Change,
  { projectId, number, at }: { readonly projectId: number; readonly number: number; readonly at: number },
): Promise<void> {
  await sql`
    insert into outbox (project_id, pull_request_number, next_at, created_at)
    select id, cast(${number} as bigint), 0, cast(${at} as bigint) from projects
    where id = ${projectId} and (host_token_sealed is not null or connection_id is not null)
    on conflict (project_id, pull_request_number) where task_id is null do update set next_at = 0, told = null`.execute(
    tx,
  )
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

/** The host has this status; the entry is due again when the task has another. */
export async function updateReportedStatus(
  db: Kysely<Tables>,
  entry: OutboxEntry,
  { status, hostDeploymentId }: { readonly status: string; readonly hostDeploymentId: string | null },
): Promise<void> {
  await sql`
    update outbox set told = ${status}, host_deployment_id = ${hostDeploymentId}, attempts = 0, next_at = 0, last_error = null
    where ${isLeased('outbox', entry)}`.execute(db)
}
