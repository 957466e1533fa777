// Removed environments: their rows stay, and the last removal says why.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'

export type RemovedEnvironment = {
  readonly id: number
  readonly name: string
  readonly removedAt: number
  readonly taskId: number | null
  /** Null if the platform removed it. */
  readonly removedBy: { readonly id: number; readonly name: string } | null
  readonly because: string | null
}

/** Newest first. */
export async function listRemovedEnvironments(
  db: Kysely<Tables>,
  projectId: number,
  most: number,
): Promise<readonly RemovedEnvironment[]> {
  const { rows } = await sql<{
    id: number
    name: string
    removed_at: number
    task_id: number | null
    user_id: number | null
    user_name: string | null
    because: string | null
  }>`
    select e.id, e.name, e.removed_at, t.id as task_id, u.id as user_id, u.name as user_name, t.because
    from environments e
    left join tasks t on t.id = (select max(r.id) from tasks r where r.environment_id = e.id and ${whereKind('r', 'removesEnvironment')})
    left join users u on u.id = t.started_by
    where e.project_id = ${projectId} and e.removed_at is not null
    order by e.removed_at desc, e.id desc limit ${sql.lit(most)}`.execute(db)
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    removedAt: row.removed_at,
    taskId: row.task_id,
    removedBy: row.user_id === null ? null : { id: row.user_id, name: row.user_name ?? '' },
    because: row.because,
  }))
}

type Removal = { readonly isExpiry: boolean; readonly because: string | null }

/** Of an environment that is removed or being removed. */
export async function findRemoval(db: Kysely<Tables>, environmentId: number): Promise<Removal | undefined> {
  const row = await db
    .selectFrom('tasks')
    .where('environment_id', '=', environmentId)
    .where(whereKind('tasks', 'removesEnvironment'))
    .orderBy('id', 'desc')
    .limit(1)
    .select(['is_expiry', 'because'])
    .executeTakeFirst()
  return row && { isExpiry: row.is_expiry === 1, because: row.because }
}

export type NamedEnvironment = { readonly name: string; readonly pullRequestNumber: number | null }

/** Also of a removed environment. */
export async function findNamedEnvironment(
  db: Kysely<Tables>,
  environmentId: number,
): Promise<NamedEnvironment | undefined> {
  const row = await db
    .selectFrom('environments')
    .where('id', '=', environmentId)
    .select(['name', 'pull_request_number'])
    .executeTakeFirst()
  return row && { name: row.name, pullRequestNumber: row.pull_request_number }
}
