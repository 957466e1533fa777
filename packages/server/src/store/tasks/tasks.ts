// Rows of tasks, as they are read.
import type { TaskKind, TaskReason, TaskStatus } from '@shipway/api/tasks'
import { type Kysely, type Selectable, sql } from 'kysely'
import { type Actor, organizationsOf, type Viewer } from '../../domain/people/actor.ts'
import { VARIABLES_VERSION } from '../environments/variables.ts'
import { idList } from '../id-list.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'
import { wasTakenAway } from './task-facts.ts'
import { whereKind } from './task-kinds.ts'

type Row = Selectable<Tables['tasks']>

export type Task = {
  readonly id: number
  readonly environmentId: number
  readonly environmentName: string
  readonly projectId: number
  readonly projectName: string
  readonly organizationId: number
  readonly kind: TaskKind
  readonly status: TaskStatus
  readonly reason: TaskReason | null
  readonly cause: Row['cause']
  readonly startedBy: { readonly id: number; readonly name: string } | null
  readonly branch: string | null
  readonly commit: { readonly sha: string; readonly message: string | null; readonly author: string | null } | null
  readonly action: string | null
  /** Words of a one-off command, masked. */
  readonly command: readonly string[] | null
  readonly service: string | null
  /** The version of the variables that the run took. */
  readonly variablesVersion: number | null
  readonly createdAt: number
  readonly startedAt: number | null
  readonly finishedAt: number | null
  /** How much it has printed so far. */
  readonly outputBytes: number
  /** When its output was removed; null while it is kept, and for a task that printed nothing. */
  readonly outputExpiredAt: number | null
}

type TaskFilters = { readonly status?: TaskStatus | undefined; readonly kind?: TaskKind | undefined }

/** Through the caller's organizations; tasks of a removed environment stay readable. */
export async function findTask(db: Kysely<Tables>, actor: Viewer, id: number): Promise<Task | undefined> {
  const row = await selectTasks(db)
    .where('t.id', '=', id)
    .where('p.organization_id', 'in', organizationsOf(actor))
    .executeTakeFirst()
  return row && toTask(row)
}

/** Newest first. The caller has found them through its actor. */
export async function listTasksById(db: Kysely<Tables>, ids: readonly number[]): Promise<readonly Task[]> {
  if (ids.length === 0) return []
  const rows = await selectTasks(db)
    .where(sql<boolean>`t.id in (${idList(ids)})`)
    .orderBy('t.id', 'desc')
    .execute()
  return rows.map(toTask)
}

/** For the platform itself, without an actor. */
export async function findTaskAnywhere(db: Kysely<Tables>, id: number): Promise<Task | undefined> {
  const row = await selectTasks(db).where('t.id', '=', id).executeTakeFirst()
  return row && toTask(row)
}

/** The newest task of an environment that is no action. */
export async function findLatestTask(db: Kysely<Tables>, environmentId: number): Promise<Task | undefined> {
  const row = await selectTasks(db)
    .where('t.environment_id', '=', environmentId)
    .where(whereKind('t', 'locksEnvironment'))
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toTask(row)
}

type TaskEnvironment = {
  readonly id: number
  readonly name: string
  readonly organizationId: number
  readonly variablesVersion: number
  readonly isProtected: boolean
  readonly owner: { readonly id: number }
}

/** The environment of tasks to read or cancel, removed or not. */
export async function findTaskEnvironment(
  db: Kysely<Tables>,
  actor: Actor,
  environmentId: number,
): Promise<TaskEnvironment | undefined> {
  const row = await db
    .selectFrom('environments as e')
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .where('e.id', '=', environmentId)
    .where('p.organization_id', 'in', organizationsOf(actor))
    .select(['e.id', 'e.name', 'e.is_protected', 'e.owner_id', 'p.organization_id'])
    .select(VARIABLES_VERSION.as('variables_version'))
    .executeTakeFirst()
  return (
    row && {
      id: row.id,
      name: row.name,
      organizationId: row.organization_id,
      variablesVersion: row.variables_version,
      isProtected: row.is_protected === 1,
      owner: { id: row.owner_id },
    }
  )
}

/** Newest first. The caller has found the environment through its actor. */
export async function listTasks(
  db: Kysely<Tables>,
  environmentId: number,
  { status, kind, ...page }: TaskFilters & PageRequest,
): Promise<Page<Task>> {
  const rows = await selectTasks(db)
    .where('t.environment_id', '=', environmentId)
    .where((eb) => eb.and({ ...(status && { 't.status': status }), ...(kind && { 't.kind': kind }) }))
    .$if(page.before !== undefined, (query) => query.where('t.id', '<', page.before ?? 0))
    .orderBy('t.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(rows.map(toTask), page)
}

/** The newest deployment of an environment, or the newest that failed, or the newest that began to run. */
export async function findLatestDeployment(
  db: Kysely<Tables>,
  environmentId: number,
  which: 'any' | 'failed' | 'started' = 'any',
): Promise<Task | undefined> {
  const row = await selectTasks(db)
    .where('t.environment_id', '=', environmentId)
    .where(whereKind('t', 'isDeployment'))
    .$if(which === 'failed', (query) => query.where('t.status', '=', 'failed'))
    .$if(which === 'started', (query) => query.where('t.started_at', 'is not', null))
    .orderBy('t.id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row && toTask(row)
}

/** The newest deployments of an environment that succeeded. */
export async function listSucceededDeployments(
  db: Kysely<Tables>,
  environmentId: number,
  most: number,
): Promise<readonly Task[]> {
  const rows = await selectTasks(db)
    .where('t.environment_id', '=', environmentId)
    .where(whereKind('t', 'isDeployment'))
    .where('t.status', '=', 'succeeded')
    .orderBy('t.id', 'desc')
    .limit(most)
    .execute()
  return rows.map(toTask)
}

/** Deployments whose images and releases are still on the environment's server, the newest first: not cleared by a reset. */
export async function listRollbackTargets(db: Kysely<Tables>, environmentId: number, most: number): Promise<Task[]> {
  const rows = await selectTasks(db)
    .where('t.environment_id', '=', environmentId)
    .where(whereKind('t', 'isDeployment'))
    .where('t.status', '=', 'succeeded')
    .where((eb) => eb(eb.fn.coalesce('t.server_id', 'e.server_id'), '=', eb.ref('e.server_id')))
    .where(sql<boolean>`not ${wasTakenAway('t')}`)
    .orderBy('t.id', 'desc')
    .limit(most)
    .execute()
  return rows.map(toTask)
}

/** The queued or running task of an environment that is no action; of two, the one that came first. */
export async function findActiveTask(
  db: Kysely<Tables>,
  environmentId: number,
  which: 'any' | 'queued' = 'any',
): Promise<Task | undefined> {
  const row = await selectTasks(db)
    .where('t.environment_id', '=', environmentId)
    .where(whereKind('t', 'locksEnvironment'))
    .where('t.status', 'in', which === 'queued' ? ['queued'] : ['queued', 'running'])
    .orderBy('t.id')
    .limit(1)
    .executeTakeFirst()
  return row && toTask(row)
}

/** What is deployed. */
export type TaskCommit = {
  readonly sha: string
  readonly message: string
  readonly author: string
}

/** When routes were switched to what the task deployed, and when it removed the routes; null if it did not. */
export type TaskRouting = { readonly switchedAt: number | null; readonly unroutedAt: number | null }

export async function findRouting(db: Kysely<Tables>, id: number): Promise<TaskRouting> {
  const row = await db
    .selectFrom('tasks')
    .where('id', '=', id)
    .select(['switched_at', 'unrouted_at'])
    .executeTakeFirstOrThrow()
  return { switchedAt: row.switched_at, unroutedAt: row.unrouted_at }
}

function selectTasks(db: Kysely<Tables>) {
  return db
    .selectFrom('tasks as t')
    .innerJoin('environments as e', 'e.id', 't.environment_id')
    .innerJoin('projects as p', 'p.id', 'e.project_id')
    .leftJoin('users as u', 'u.id', 't.started_by')
    .selectAll('t')
    .select(['e.project_id', 'p.organization_id', 'u.name as started_by_name'])
    .select(['e.name as environment_name', 'p.name as project_name'])
}

type JoinedRow = Row & {
  readonly environment_name: string
  readonly project_id: number
  readonly project_name: string
  readonly organization_id: number
  readonly started_by_name: string | null
}

function toTask(row: JoinedRow): Task {
  return {
    id: row.id,
    environmentId: row.environment_id,
    environmentName: row.environment_name,
    projectId: row.project_id,
    projectName: row.project_name,
    organizationId: row.organization_id,
    kind: row.kind,
    status: row.status,
    // How it ended says more than why it was started.
    reason: row.reason ?? (row.is_expiry === 1 ? 'expired' : null),
    cause: row.cause,
    startedBy: row.started_by === null ? null : { id: row.started_by, name: row.started_by_name ?? '' },
    branch: row.branch,
    commit:
      row.commit_sha === null ? null : { sha: row.commit_sha, message: row.commit_message, author: row.commit_author },
    action: row.action,
    command: row.command === null ? null : JSON.parse(row.command),
    service: row.service,
    variablesVersion: row.variables_version,
    createdAt: row.created_at,
    startedAt: row.started_at,
    finishedAt: row.finished_at,
    outputBytes: row.output_bytes,
    outputExpiredAt: row.output_bytes === 0 ? null : row.output_expired_at,
  }
}

type ServerOfEnvironment = { readonly environmentId: number; readonly serverId: number }

/** Whether the server may hold output of the environment: one that was moved leaves its output behind. */
export async function hasRunOn(db: Kysely<Tables>, { environmentId, serverId }: ServerOfEnvironment): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .where('environment_id', '=', environmentId)
    .where('server_id', '=', serverId)
    .select('id')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}
