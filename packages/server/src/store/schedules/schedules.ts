// Schedules of actions: those that are due, and when each runs next. They are columns of environment_actions.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { DueSchedule } from '../../domain/schedules/schedule.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'

export type DueAction = { readonly environmentId: number; readonly projectId: number; readonly name: string }

/**
 * Each organization's longest due first, then each one's second: many schedules of one organization delay no others. The caller reads each
 * again under the lock of its environment.
 */
export async function listDueActions(
  db: Kysely<Tables>,
  { now, most }: { readonly now: number; readonly most: number },
): Promise<readonly DueAction[]> {
  const { rows } = await sql<{ environment_id: number; project_id: number; name: string }>`
    select environment_id, project_id, name from (
      select a.environment_id, e.project_id, a.name, a.next_run_at,
        row_number() over (partition by p.organization_id order by a.next_run_at, a.environment_id, a.name) as place
      from environment_actions a join environments e on e.id = a.environment_id join projects p on p.id = e.project_id
      where a.next_run_at <= ${now} and e.removed_at is null
    ) as due order by place, next_run_at, environment_id limit ${sql.lit(most)}`.execute(db)
  return rows.map((row) => ({ environmentId: row.environment_id, projectId: row.project_id, name: row.name }))
}

/** Undefined if it does not run by a schedule. */
export async function findDueSchedule(
  db: Kysely<Tables>,
  { environmentId, name }: Pick<DueAction, 'environmentId' | 'name'>,
): Promise<DueSchedule | undefined> {
  const row = await db
    .selectFrom('environment_actions')
    .where('environment_id', '=', environmentId)
    .where('name', '=', name)
    .select(['schedule', 'time_zone', 'catches_up', 'next_run_at'])
    .executeTakeFirst()
  if (!row || row.schedule === null || row.next_run_at === null) return undefined
  const { schedule: cron, time_zone: timeZone, next_run_at: nextRunAt } = row
  return { cron, timeZone: timeZone ?? 'UTC', catchesUp: row.catches_up === 1, nextRunAt }
}

export async function updateNextRun(
  tx: Change,
  { environmentId, name, nextAt }: Pick<DueAction, 'environmentId' | 'name'> & { readonly nextAt: number | null },
): Promise<void> {
  await tx
    .updateTable('environment_actions')
    .set({ next_run_at: nextAt })
    .where('environment_id', '=', environmentId)
    .where('name', '=', name)
    .execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

export type StoredSchedule = {
  readonly name: string
  readonly cron: string
  readonly timeZone: string
  readonly environments: readonly string[]
  readonly nextRunAt: number | null
}

export async function listSchedules(db: Kysely<Tables>, environmentId: number): Promise<readonly StoredSchedule[]> {
  const rows = await db
    .selectFrom('environment_actions')
    .where('environment_id', '=', environmentId)
    .where('schedule', 'is not', null)
    .select(['name', 'schedule', 'time_zone', 'schedule_environments', 'next_run_at'])
    .execute()
  return rows.map((row) => ({
    name: row.name,
    cron: row.schedule ?? '',
    timeZone: row.time_zone ?? 'UTC',
    environments: environmentsOf(row),
    nextRunAt: row.next_run_at,
  }))
}

const environmentsOf = (row: Pick<Selectable<Tables['environment_actions']>, 'schedule_environments'>): string[] =>
  JSON.parse(row.schedule_environments ?? '[]')
