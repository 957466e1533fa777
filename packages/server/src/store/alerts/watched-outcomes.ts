// How the last deployment of each watched environment ended.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'

type WatchedOutcome = {
  readonly environmentId: number
  readonly organizationId: number
  readonly project: string
  readonly environment: string
  readonly taskId: number
  readonly hasFailed: boolean
  readonly failedStep: string | null
}

/** Deployments that were canceled say nothing. */
export async function listWatchedOutcomes(db: Kysely<Tables>): Promise<readonly WatchedOutcome[]> {
  const { rows } = await sql<{
    environment_id: number
    organization_id: number
    project: string
    environment: string
    task_id: number
    status: string
    failed_step: string | null
  }>`
    select e.id as environment_id, p.organization_id, p.name as project, e.name as environment, t.id as task_id, t.status,
      (select s.name from steps s where s.task_id = t.id and s.status = 'failed' order by s.position limit 1) as failed_step
    from environments e
    join projects p on p.id = e.project_id
    join tasks t on t.id = (
      select max(id) from tasks where environment_id = e.id and ${whereKind('tasks', 'isDeployment')}
        and status in ('succeeded', 'failed'))
    where e.removed_at is null and exists (select 1 from watches w where w.environment_id = e.id)`.execute(db)
  return rows.map((row) => ({
    environmentId: row.environment_id,
    organizationId: row.organization_id,
    project: row.project,
    environment: row.environment,
    taskId: row.task_id,
    hasFailed: row.status === 'failed',
    failedStep: row.failed_step,
  }))
}
