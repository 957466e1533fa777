// Rows of watches: users who get mails when a deployment of an environment fails, and the last task reported to each.
import { type Kysely, sql } from 'kysely'
import type { Change } from '../change.ts'
import { isLockedOut } from '../people/two-factor.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'

type Watcher = { readonly environmentId: number; readonly userId: number }

/** Starts with the tasks after the last one that has ended. */
export async function insertWatch(tx: Change, { environmentId, userId }: Watcher): Promise<boolean> {
  const { rows } = await sql`
    insert into watches (environment_id, user_id, told_task_id)
    select cast(${environmentId} as bigint), cast(${userId} as bigint), coalesce(max(id), 0) from tasks
    where environment_id = ${environmentId} and ${whereKind('tasks', 'isDeployment')} and status in ('succeeded', 'failed')
    on conflict (environment_id, user_id) do nothing
    returning user_id`.execute(tx)
  return rows.length === 1
}

export async function deleteWatch(tx: Change, { environmentId, userId }: Watcher): Promise<boolean> {
  const deleted = await tx
    .deleteFrom('watches')
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', userId)
    .returning('user_id')
    .execute()
  return deleted.length === 1
}

export async function findWatch(db: Kysely<Tables>, { environmentId, userId }: Watcher): Promise<boolean> {
  const row = await db
    .selectFrom('watches')
    .where('environment_id', '=', environmentId)
    .where('user_id', '=', userId)
    .select('user_id')
    .executeTakeFirst()
  return row !== undefined
}

export type DueWatch = Watcher & {
  readonly environment: string
  readonly project: string
  readonly email: string
  readonly taskId: number
  readonly notifiedTaskId: number
  readonly hasFailed: boolean
  readonly wasFailing: boolean
}

/** The newest ended deployment of each watched environment that its watcher has not been notified about. Only for members with access. */
export async function listDueWatches(db: Kysely<Tables>, most: number): Promise<readonly DueWatch[]> {
  const { rows } = await sql<{
    environment_id: number
    user_id: number
    environment: string
    project: string
    email: string
    task_id: number
    told_task_id: number
    status: string
    is_failing: number
  }>`
    select w.environment_id, w.user_id, e.name as environment, p.name as project, u.email, t.id as task_id, w.told_task_id, t.status, w.is_failing
    from watches w
    join environments e on e.id = w.environment_id and e.removed_at is null
    join projects p on p.id = e.project_id
    join memberships m on m.organization_id = p.organization_id and m.user_id = w.user_id
    join organizations o on o.id = p.organization_id
    join users u on u.id = w.user_id and ${isLockedOut} = 0
    join tasks t on t.id = (
      select max(id) from tasks where environment_id = w.environment_id and ${whereKind('tasks', 'isDeployment')}
        and status in ('succeeded', 'failed') and id > w.told_task_id)
    order by w.user_id, w.environment_id limit ${sql.lit(most)}`.execute(db)
  return rows.map((row) => ({
    environmentId: row.environment_id,
    userId: row.user_id,
    environment: row.environment,
    project: row.project,
    email: row.email,
    taskId: row.task_id,
    notifiedTaskId: row.told_task_id,
    hasFailed: row.status === 'failed',
    wasFailing: row.is_failing === 1,
  }))
}

/** False if another process was faster, or the watch was deleted. */
export async function updateWatchNotified(tx: Change, due: DueWatch): Promise<boolean> {
  const updated = await tx
    .updateTable('watches')
    .set({ told_task_id: due.taskId, is_failing: due.hasFailed ? 1 : 0 })
    .where('environment_id', '=', due.environmentId)
    .where('user_id', '=', due.userId)
    .where('told_task_id', '=', due.notifiedTaskId)
    .returning('user_id')
    .execute()
  return updated.length === 1
}
