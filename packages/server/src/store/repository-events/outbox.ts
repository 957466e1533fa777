// Rows of outbox: what is to be told to git hosts. Written with what it tells of, read by whoever tells it.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { databaseTime } from '../database-time.ts'
import type { Tables } from '../tables/tables.ts'

export type OutboxEntry = {
  readonly id: number
  readonly projectId: number
  readonly taskId: number | null
  readonly pullRequestNumber: number | null
  readonly told: string | null
  readonly hostDeploymentId: string | null
  readonly attempts: number
  /** Until when it is the taker's; another value here means that there is more to tell. */
  readonly heldUntil: number
}

/** From now on the git host is told how the task goes, where the project has a token for it. */
export async function insertOutboxTask(
  tx: Change,
  { projectId, taskId, at }: { readonly projectId: number; readonly taskId: number; readonly at: number },
): Promise<void> {
  await sql`
    insert into outbox (project_id, task_id, next_at, created_at)
    select id, cast(${taskId} as bigint), 0, cast(${at} as bigint) from projects
    where id = ${projectId} and host_token_sealed is not null`.execute(tx)
  tx.notify({ about: 'queue' })
}

/** Something about a pull request changed that is no task: it waits, or awaits approval. */
export async function insertOutboxPullRequest(
  tx: Change,
  { projectId, number, at }: { readonly projectId: number; readonly number: number; readonly at: number },
): Promise<void> {
  await sql`
    insert into outbox (project_id, pull_request_number, next_at, created_at)
    select id, cast(${number} as bigint), 0, cast(${at} as bigint) from projects
    where id = ${projectId} and host_token_sealed is not null
    on conflict (project_id, pull_request_number) where task_id is null do update set next_at = 0, told = null`.execute(
    tx,
  )
  tx.notify({ about: 'queue' })
}

/** Takes the entry that has been due longest, for a while: nobody else tells it meanwhile. */
export async function takeOutboxEntry(db: Kysely<Tables>, heldMs: number): Promise<OutboxEntry | undefined> {
  const now = databaseTime(db)
  const { rows } = await sql<{
    id: number
    project_id: number
    task_id: number | null
    pull_request_number: number | null
    told: string | null
    host_deployment_id: string | null
    attempts: number
    next_at: number
  }>`
    update outbox set next_at = ${now} + ${sql.lit(heldMs)}, attempts = attempts + 1
    where id = (
      select o.id from outbox o left join tasks t on t.id = o.task_id
      where o.next_at <= ${now} and (o.task_id is null or o.told is null or o.told <> t.status)
      order by o.next_at, o.id limit 1)
      and next_at <= ${now}
    returning id, project_id, task_id, pull_request_number, told, host_deployment_id, attempts, next_at`.execute(db)
  const row = rows[0]
  return (
    row && {
      id: row.id,
      projectId: row.project_id,
      taskId: row.task_id,
      pullRequestNumber: row.pull_request_number,
      told: row.told,
      hostDeploymentId: row.host_deployment_id,
      attempts: row.attempts,
      heldUntil: row.next_at,
    }
  )
}

/** All of it was told, unless there is more to tell since it was taken. */
export async function deleteOutboxEntry(db: Kysely<Tables>, { id, heldUntil }: OutboxEntry): Promise<void> {
  await db.deleteFrom('outbox').where('id', '=', id).where('next_at', '=', heldUntil).execute()
}

/** Told so far; the entry is due again when there is more to tell. */
export async function updateTold(
  db: Kysely<Tables>,
  id: number,
  { told, hostDeploymentId }: { readonly told: string; readonly hostDeploymentId: string | null },
): Promise<void> {
  await db
    .updateTable('outbox')
    .set({ told, host_deployment_id: hostDeploymentId, attempts: 0, next_at: 0, last_error: null })
    .where('id', '=', id)
    .execute()
}

/** It could not be told; later again. */
export async function updateOutboxFailure(
  db: Kysely<Tables>,
  id: number,
  { afterMs, error }: { readonly afterMs: number; readonly error: string },
): Promise<void> {
  await sql`
    update outbox set next_at = ${databaseTime(db)} + ${sql.lit(afterMs)}, last_error = ${error}
    where id = ${id}`.execute(db)
}
