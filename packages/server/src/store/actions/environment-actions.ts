// The actions of environments, from the newest successful deployment.
import type { Recipe } from '@shipway/api/values/recipe'
import type { Action, ActionSchedule } from '@shipway/rules/service-file/repository-config'
import { type Insertable, type Kysely, type Selectable, sql } from 'kysely'
import type { Change } from '../change.ts'
import { applySchedules } from '../schedules/apply-schedules.ts'
import { deleteMomentsOfOthers } from '../schedules/schedule-moments.ts'
import { listSchedules, type StoredSchedule } from '../schedules/schedules.ts'
import type { Tables } from '../tables/tables.ts'
import { LIVE_ID } from '../tasks/task-facts.ts'
import { whereKind } from '../tasks/task-kinds.ts'

export type EnvironmentAction = {
  readonly name: string
  readonly service: string | null
  /** The service that is meant where the action names none; null if the file names no service at all. */
  readonly mainService: string | null
  /** Null if the action is disabled. */
  readonly run: string | null
  readonly artifactPaths: readonly string[]
  readonly timeoutMs: number | null
  readonly disabledReason: string | null
  readonly schedule: {
    readonly cron: string
    readonly timeZone: string
    readonly catchesUp: boolean
    /** Null while it does not run by itself in this environment. */
    readonly nextRunAt: number | null
  } | null
}

/** In the order of the file. The caller has found the environment through its actor. */
export async function listActions(db: Kysely<Tables>, environmentId: number): Promise<readonly EnvironmentAction[]> {
  const rows = await db
    .selectFrom('environment_actions')
    .where('environment_id', '=', environmentId)
    .orderBy('place')
    .selectAll()
    .execute()
  return rows.map(toAction)
}

export async function findAction(
  db: Kysely<Tables>,
  environmentId: number,
  name: string,
): Promise<EnvironmentAction | undefined> {
  const row = await db
    .selectFrom('environment_actions')
    .where('environment_id', '=', environmentId)
    .where('name', '=', name)
    .selectAll()
    .executeTakeFirst()
  return row && toAction(row)
}

type DeployedActions = {
  readonly environmentId: number
  /** The deployment that brings them. */
  readonly taskId: number
  readonly actions: readonly Action[]
  readonly mainService: string | null
  readonly at: number
}

/** Replaces all earlier ones. A schedule that stays the same keeps its next moment. */
export async function replaceActions(
  tx: Change,
  { environmentId, taskId, actions, mainService, at }: DeployedActions,
): Promise<void> {
  const earlier = new Map((await listSchedules(tx, environmentId)).map((schedule) => [schedule.name, schedule]))
  await deleteActions(tx, environmentId)
  await deleteMomentsOfOthers(
    tx,
    environmentId,
    actions.map(({ name }) => name),
  )
  if (actions.length === 0) return
  const rows = actions.map((action, place) => ({
    environment_id: environmentId,
    task_id: taskId,
    name: action.name,
    place,
    main_service: mainService,
    ...(action.disabled === null
      ? {
          run: action.run,
          service: action.service,
          artifact_paths: JSON.stringify(action.artifactPaths),
          timeout_ms: action.timeoutMs,
          disabled_reason: null,
          ...scheduleColumns(action, earlier.get(action.name)),
        }
      : {
          run: null,
          service: null,
          artifact_paths: '[]',
          timeout_ms: null,
          disabled_reason: action.disabled,
          ...scheduleColumns({}, undefined),
        }),
  }))
  await tx.insertInto('environment_actions').values(rows).execute()
  await applySchedules(tx, environmentId, at)
}

type ScheduleColumn = 'schedule' | 'time_zone' | 'schedule_environments' | 'catches_up' | 'next_run_at'

/** The schedule is absent where an earlier version of the platform has read the file. */
function scheduleColumns(
  { schedule }: { readonly schedule?: ActionSchedule | null },
  earlier: StoredSchedule | undefined,
): Pick<Insertable<Tables['environment_actions']>, ScheduleColumn> {
  if (!schedule)
    return { schedule: null, time_zone: null, schedule_environments: null, catches_up: 0, next_run_at: null }
  const { cron, timeZone, environments, catchesUp } = schedule
  const isSame = earlier?.cron === cron && earlier.timeZone === timeZone
  return {
    schedule: cron,
    time_zone: timeZone,
    schedule_environments: JSON.stringify(environments),
    catches_up: catchesUp ? 1 : 0,
    next_run_at: isSame ? earlier.nextRunAt : null,
  }
}

export async function deleteActions(tx: Change, environmentId: number): Promise<void> {
  await tx.deleteFrom('environment_actions').where('environment_id', '=', environmentId).execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

export type ActiveAction = { readonly id: number; readonly status: 'queued' | 'running' }

/** The actions and one-off commands of an environment that wait or run; or the run of one action, if there is one. */
export async function listActiveActions(
  db: Kysely<Tables>,
  environmentId: number,
  name?: string,
): Promise<readonly ActiveAction[]> {
  const which =
    name === undefined
      ? whereKind('tasks', 'runsInLiveDeployment')
      : sql`${whereKind('tasks', 'runsNamedAction')} and action = ${name}`
  const { rows } = await sql<ActiveAction>`
    select id, status from tasks where environment_id = ${environmentId} and ${which}
      and status in ('queued', 'running') order by id`.execute(db)
  return rows
}

function toAction(row: Selectable<Tables['environment_actions']>): EnvironmentAction {
  return {
    name: row.name,
    service: row.service,
    mainService: row.main_service,
    run: row.run,
    artifactPaths: JSON.parse(row.artifact_paths),
    timeoutMs: row.timeout_ms,
    disabledReason: row.disabled_reason,
    schedule:
      row.schedule === null
        ? null
        : {
            cron: row.schedule,
            timeZone: row.time_zone ?? 'UTC',
            catchesUp: row.catches_up === 1,
            nextRunAt: row.next_run_at,
          },
  }
}

type ServingDeployment = {
  readonly taskId: number
  readonly branch: string | null
  /** Null for deployments of early versions of the platform. */
  readonly recipe: Recipe | null
}

/** The deployment that an action runs in, on that server: the newest that succeeded, or a later one that its routes lead to already. */
export async function findServing(
  db: Kysely<Tables>,
  { environmentId, serverId }: { readonly environmentId: number; readonly serverId: number },
): Promise<ServingDeployment | undefined> {
  const { rows } = await sql<{ id: number; branch: string | null; recipe: Recipe | null }>`
    select t.id, t.branch, t.recipe from environments e join tasks t on t.environment_id = e.id
    where e.id = ${environmentId} and t.server_id = ${serverId} and (t.id = ${LIVE_ID} or t.id in (
      select r.task_id from routes r join domains d on d.domain = r.domain where d.environment_id = e.id))
    order by t.id desc limit 1`.execute(db)
  return rows[0] && { taskId: rows[0].id, branch: rows[0].branch, recipe: rows[0].recipe }
}
