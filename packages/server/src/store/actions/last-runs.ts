// The newest run of each action of an environment.
import type { TaskStatus } from '@shipway/api/tasks'
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'

export type LastRun = { readonly taskId: number; readonly status: TaskStatus; readonly at: number }

/** By the name of the action. The caller has found the environment. */
export async function listLastRuns(db: Kysely<Tables>, environmentId: number): Promise<ReadonlyMap<string, LastRun>> {
  const { rows } = await sql<{ name: string; id: number; status: TaskStatus; at: number }>`
    select a.name, t.id, t.status, coalesce(t.started_at, t.created_at) as at
    from environment_actions a
    join tasks t on t.id = (
      select max(id) from tasks where environment_id = a.environment_id and action = a.name
        and ${whereKind('tasks', 'runsNamedAction')})
    where a.environment_id = ${environmentId}`.execute(db)
  return new Map(rows.map(({ name, id, status, at }) => [name, { taskId: id, status, at }]))
}
