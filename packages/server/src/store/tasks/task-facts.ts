// Facts about environments that follow from their tasks: a select names the few tasks that matter, and they are read together.
import type { TaskKind, TaskStatus } from '@shipway/api/tasks'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import type { StatusFacts, TaskFacts } from '../../domain/environment.ts'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from './task-kinds.ts'

export type NamedTasks = {
  readonly running_id: number | null
  readonly queued_id: number | null
  readonly last_id: number | null
  readonly last_deployment_id: number | null
  readonly live_id: number | null
  readonly ended_id: number | null
  readonly started_id: number | null
}

/**
 * Whether a later reset or removal has removed the routes to what a task deployed. `before` is a task that asks for
 * itself: what it has done so far must not change the answer when it runs again.
 */
export function wasTakenAway(task: string, before?: string): RawBuilder<boolean> {
  const [environmentId, id] = [sql.ref(`${task}.environment_id`), sql.ref(`${task}.id`)]
  const isBefore = before === undefined ? sql`` : sql`and later.id < ${sql.ref(`${before}.id`)}`
  return sql`exists (select 1 from tasks later
    where later.environment_id = ${environmentId} and later.unrouted_at is not null and later.id > ${id} ${isBefore})`
}

/** The live deployment of `environments e`: its routes lead there. */
export const LIVE_ID = sql`(select t.id from tasks t where t.environment_id = e.id and ${whereKind('t', 'isDeployment')}
    and t.status = 'succeeded' and not ${wasTakenAway('t')} order by t.id desc limit 1)`

/**
 * Columns for a select over `environments e`. One index answers each, whatever the number of tasks. They are no joins:
 * PostgreSQL would take longer to plan that many than to run them. Actions count only for `last_id`: they lock nothing and put
 * nothing into service.
 */
export const TASK_COLUMNS = sql`
  (select t.id from tasks t where t.environment_id = e.id and t.status = 'running' and ${whereKind('t', 'locksEnvironment')}) as running_id,
  (select t.id from tasks t where t.environment_id = e.id and t.status = 'queued' and ${whereKind('t', 'locksEnvironment')}) as queued_id,
  (select t.id from tasks t where t.environment_id = e.id order by t.id desc limit 1) as last_id,
  (select t.id from tasks t where t.environment_id = e.id and ${whereKind('t', 'locksEnvironment')} order by t.id desc limit 1) as last_deployment_id,
  ${LIVE_ID} as live_id,
  (select t.id from tasks t where t.environment_id = e.id and ${whereKind('t', 'isDeployment')}
    and t.finished_at is not null order by t.id desc limit 1) as ended_id,
  (select t.id from tasks t where t.environment_id = e.id and ${whereKind('t', 'isDeployment')}
    and t.started_at is not null order by t.id desc limit 1) as started_id`

/**
 * The columns that the status of `environments e` follows from, without a second query: for many environments. Few of
 * them have an active task, so those are joined, which PostgreSQL does in one scan.
 */
export const STATUS_COLUMNS = sql`r.kind as running_kind, q.kind as queued_kind, ${LIVE_ID} as live_id,
  (select t.status from tasks t where t.environment_id = e.id and ${whereKind('t', 'isDeployment')}
    and t.finished_at is not null order by t.id desc limit 1) as last_outcome`

export const STATUS_JOINS = sql`
  left join tasks r on r.environment_id = e.id and r.status = 'running' and ${whereKind('r', 'locksEnvironment')}
  left join tasks q on q.environment_id = e.id and q.status = 'queued' and ${whereKind('q', 'locksEnvironment')}`

export type StatusRow = {
  readonly running_kind: TaskKind | null
  readonly queued_kind: TaskKind | null
  readonly live_id: number | null
  readonly last_outcome: TaskStatus | null
}

export const toStatusFacts = (row: StatusRow): StatusFacts => ({
  running: row.running_kind && { kind: row.running_kind },
  queued: row.queued_kind && { kind: row.queued_kind },
  live: row.live_id === null ? null : { id: row.live_id },
  lastOutcome: row.last_outcome,
})

/** Answers for each environment of the list. */
export async function listTaskFacts(db: Kysely<Tables>, named: readonly NamedTasks[]): Promise<readonly TaskFacts[]> {
  const ids = new Set(named.flatMap((row) => idsOf(row)))
  const tasks = ids.size > 0 ? await listNamedTasks(db, [...ids]) : new Map<number, TaskRow>()
  return named.map((row) => taskFactsOf(row, tasks))
}

const idsOf = (row: NamedTasks): number[] =>
  [
    ...[row.running_id, row.queued_id, row.last_id, row.last_deployment_id],
    ...[row.live_id, row.ended_id, row.started_id],
  ].filter((id) => id !== null)

type TaskRow = {
  readonly id: number
  readonly kind: TaskKind
  readonly status: TaskStatus
  readonly commit_sha: string | null
  readonly variables_version: number | null
  readonly finished_at: number | null
}

async function listNamedTasks(db: Kysely<Tables>, ids: readonly number[]): Promise<ReadonlyMap<number, TaskRow>> {
  const { rows } = await sql<TaskRow>`
    select id, kind, status, commit_sha, variables_version, finished_at from tasks where id in (${idList(ids)})`.execute(
    db,
  )
  return new Map(rows.map((row) => [row.id, row]))
}

function taskFactsOf(row: NamedTasks, tasks: ReadonlyMap<number, TaskRow>): TaskFacts {
  const find = (id: number | null): TaskRow | undefined => (id === null ? undefined : tasks.get(id))
  const [running, queued] = [find(row.running_id), find(row.queued_id)]
  const live = find(row.live_id)
  return {
    running: running ? { id: running.id, status: 'running', kind: running.kind } : null,
    queued: queued ? { id: queued.id, status: 'queued', kind: queued.kind } : null,
    last: lastOf(find(row.last_id)),
    lastDeployment: lastOf(find(row.last_deployment_id)),
    live: live ? { id: live.id, commitSha: live.commit_sha, finishedAt: live.finished_at ?? 0 } : null,
    lastOutcome: find(row.ended_id)?.status ?? null,
    lastEndedId: row.ended_id,
    variablesVersion: find(row.started_id)?.variables_version ?? null,
  }
}

const lastOf = (task: TaskRow | undefined): TaskFacts['last'] =>
  task ? { id: task.id, status: task.status, finishedAt: task.finished_at } : null
