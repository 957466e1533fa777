// How the last run of each schedule ended.
import { type Kysely, sql } from 'kysely'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'

type ScheduledOutcome = {
  readonly environmentId: number
  readonly organizationId: number
  readonly project: string
  readonly environment: string
  readonly action: string
  readonly taskId: number
  readonly hasFailed: boolean
}

/** Of schedules that run. A later run that succeeded, whatever started it, ends a failure; canceled runs say nothing. */
export async function listScheduledOutcomes(db: Kysely<Tables>): Promise<readonly ScheduledOutcome[]> {
  const { rows } = await sql<{
    environment_id: number
    organization_id: number
    project: string
    environment: string
    action: string
    task_id: number
    has_failed: 0 | 1
  }>`
    select e.id as environment_id, p.organization_id, p.name as project, e.name as environment, a.name as action, t.id as task_id,
      case when t.status = 'failed' and not exists (
        select 1 from tasks s where s.environment_id = e.id and ${whereKind('s', 'runsNamedAction')} and s.action = a.name
          and s.id > t.id and s.status = 'succeeded') then 1 else 0 end as has_failed
    from environment_actions a
    join environments e on e.id = a.environment_id
    join projects p on p.id = e.project_id
    join tasks t on t.id = (
      select m.task_id from schedule_moments m join tasks o on o.id = m.task_id
      where m.environment_id = a.environment_id and m.action = a.name and o.status in ('succeeded', 'failed')
      order by m.due_at desc limit 1)
    where a.next_run_at is not null and e.removed_at is null`.execute(db)
  return rows.map((row) => ({
    environmentId: row.environment_id,
    organizationId: row.organization_id,
    project: row.project,
    environment: row.environment,
    action: row.action,
    taskId: row.task_id,
    hasFailed: row.has_failed === 1,
  }))
}
