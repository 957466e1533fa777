// Tasks whose files, containers or images may be on a server, for the clean-up. For the platform itself, without an actor.

import type { TaskKind } from '@shipway/api/tasks'
import type { Recipe } from '@shipway/api/values/recipe'
import { type Kysely, sql } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import { TASK_KINDS } from '../../domain/tasks/task.ts'
import { type EnvironmentTasks, KEPT_RELEASES } from '../../domain/tasks/task-orphans.ts'
import { idList } from '../id-list.ts'
import { addressColumns, type ServerAddressRow, toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from './task-kinds.ts'

export type ServerToCleanUp = ServerAddress & {
  /** Recipes of the environments on it. Without any, earlier environments may still have left orphans. */
  readonly recipes: readonly Recipe[]
}

/** Every server that was ever connected, and so may have orphans; with ids, only those. */
export async function listServersToCleanUp(
  db: Kysely<Tables>,
  ids?: readonly number[],
): Promise<readonly ServerToCleanUp[]> {
  const { rows } = await sql<ServerRow>`
    select s.id, s.name, ${addressColumns}, e.recipe from servers s
    left join (select distinct o.server_id, coalesce(o.recipe, p.default_recipe) as recipe
      from environments o join projects p on p.id = o.project_id) e on e.server_id = s.id
    where (e.recipe is not null or s.host_key is not null or s.connection = 'local')
    ${ids ? sql`and s.id in (${idList(ids)})` : sql``}
    order by s.id`.execute(db)
  const byId = Map.groupBy(rows, ({ id }) => id)
  return [...byId.values()].flatMap((ofServer) => {
    const [first] = ofServer
    if (!first) return []
    return [{ ...toServerAddress(first), recipes: ofServer.flatMap(({ recipe }) => recipe ?? []) }]
  })
}

type ServerRow = ServerAddressRow & { readonly recipe: Recipe | null }

/** Servers where the environments of these tasks may have left orphans, for tasks that have ended: every server that they ran on. */
export async function listServersOfEndedTasks(
  db: Kysely<Tables>,
  taskIds: readonly number[],
): Promise<readonly { readonly serverId: number; readonly environmentId: number }[]> {
  const { rows } = await sql<{ server_id: number; environment_id: number }>`
    select distinct o.server_id, o.environment_id from tasks t
    join tasks o on o.environment_id = t.environment_id
    join servers s on s.id = o.server_id
    where t.id in (${idList(taskIds)}) and t.finished_at is not null`.execute(db)
  return rows.map((row) => ({ serverId: row.server_id, environmentId: row.environment_id }))
}

export type EnvironmentOnServer = EnvironmentTasks & {
  readonly id: number
  readonly projectId: number
  readonly recipe: Recipe
  /** No task that locks the environment is queued or running; actions may be. */
  readonly isIdle: boolean
  /** It was moved to another server and serves there. Its data stays here until it is reset there or removed. */
  readonly left: 'with data' | 'for good' | null
}

/** The tasks of these environments. Leaves out a moved environment while this server is the last one that it was deployed on. */
export async function listEnvironmentTasks(
  db: Kysely<Tables>,
  serverId: number,
  environmentIds: readonly number[],
): Promise<readonly EnvironmentOnServer[]> {
  const rows = await listEnvironmentRows(db, serverId, environmentIds)
  const ids = idList(rows.map(({ id }) => id))
  const needed = await sql<TaskRow>`
    select environment_id, id, source_task_id, kind from tasks
    where environment_id in (${ids}) and status in ('queued', 'running')`.execute(db)
  const routed = await sql<TaskRow>`
    select distinct d.environment_id, r.task_id as id from routes r join domains d on d.domain = r.domain
    where d.environment_id in (${ids})`.execute(db)
  const succeeded = await sql<TaskRow>`
    select t.environment_id, t.id from environments e join tasks t on t.environment_id = e.id
    where e.id in (${ids}) and ${whereKind('t', 'isDeployment')} and t.status = 'succeeded'
      and t.id >= coalesce((select n.id from tasks n where n.environment_id = e.id and ${whereKind('n', 'isDeployment')}
        and n.status = 'succeeded' order by n.id desc limit 1 offset ${sql.lit(KEPT_RELEASES - 1)}), 0)
    order by t.id desc`.execute(db)
  return rows.map((row) => {
    const of = (tasks: readonly TaskRow[]): readonly TaskRow[] => tasks.filter((task) => task.environment_id === row.id)
    const active = of(needed.rows)
    const left = leftBy(row)
    const succeededIds = left ? [] : of(succeeded.rows).map(({ id }) => id)
    return {
      id: row.id,
      projectId: row.project_id,
      recipe: row.recipe,
      left,
      isGone: row.removed_at !== null && active.length === 0,
      isIdle: !active.some(({ kind }) => kind && TASK_KINDS[kind].locksEnvironment),
      newestId: row.newest_id,
      neededIds: active.flatMap(({ id, source_task_id: from }) => (from ? [id, from] : [id])),
      liveIds: left ? [] : [...of(routed.rows).map(({ id }) => id), ...succeededIds.slice(0, 1)],
      succeededIds,
    }
  })
}

function leftBy({ is_elsewhere, removed_at, is_reset }: EnvironmentRow): EnvironmentOnServer['left'] {
  if (is_elsewhere === 0) return null
  return removed_at !== null || is_reset === 1 ? 'for good' : 'with data'
}

/** An environment serves where its routes lead, and where its newest successful deployment ran. */
async function listEnvironmentRows(
  db: Kysely<Tables>,
  serverId: number,
  environmentIds: readonly number[],
): Promise<readonly EnvironmentRow[]> {
  const isElsewhere = sql`e.server_id <> ${serverId}`
  const { rows } = await sql<EnvironmentRow & { readonly is_serving: 0 | 1 }>`
    select e.id, e.project_id, e.removed_at, coalesce(e.recipe, p.default_recipe) as recipe,
      coalesce((select max(t.id) from tasks t where t.environment_id = e.id), 0) as newest_id,
      case when ${isElsewhere} then 1 else 0 end as is_elsewhere,
      case when ${isElsewhere} and e.removed_at is null and (
        ${serverId} = (select t.server_id from tasks t where t.environment_id = e.id and ${whereKind('t', 'isDeployment')}
          and t.status = 'succeeded' order by t.id desc limit 1)
        or exists (select 1 from routes r join domains d on d.domain = r.domain join tasks t on t.id = r.task_id
          where d.environment_id = e.id and t.server_id = ${serverId})) then 1 else 0 end as is_serving,
      case when ${isElsewhere} and exists (select 1 from tasks t where t.environment_id = e.id
        and ${whereKind('t', 'clearsEnvironment')} and t.status = 'succeeded' and t.id > (select max(o.id) from tasks o
          where o.environment_id = e.id and o.server_id = ${serverId})) then 1 else 0 end as is_reset
    from environments e join projects p on p.id = e.project_id
    where e.id in (${idList(environmentIds)})`.execute(db)
  return rows.filter((row) => row.is_serving === 0)
}

type EnvironmentRow = {
  readonly id: number
  readonly project_id: number
  readonly removed_at: number | null
  readonly recipe: Recipe
  readonly newest_id: number
  /** It has another server. */
  readonly is_elsewhere: 0 | 1
  readonly is_reset: 0 | 1
}
type TaskRow = {
  readonly environment_id: number
  readonly id: number
  readonly source_task_id?: number | null
  readonly kind?: TaskKind
}

/** Whether one of these tasks ran on another server than this. */
export async function hasTaskOfAnotherServer(
  db: Kysely<Tables>,
  serverId: number,
  taskIds: readonly number[],
): Promise<boolean> {
  const { rows } = await sql`
    select id from tasks where id in (${idList(taskIds)}) and server_id <> ${serverId} limit 1`.execute(db)
  return rows.length > 0
}

/** The commits that a project still needs on a server. */
export async function listNeededCommits(
  db: Kysely<Tables>,
  { serverId, projectId }: { readonly serverId: number; readonly projectId: number },
): Promise<readonly string[]> {
  const { rows: environments } = await sql<{ id: number }>`
    select id from environments where project_id = ${projectId} and server_id = ${serverId} and removed_at is null`.execute(
    db,
  )
  const known = await listEnvironmentTasks(
    db,
    serverId,
    environments.map(({ id }) => id),
  )
  const tasks = known.flatMap(({ neededIds, liveIds, succeededIds }) => [...neededIds, ...liveIds, ...succeededIds])
  const { rows } = await sql<{ commit_sha: string }>`
    select distinct commit_sha from tasks where id in (${idList(tasks)}) and commit_sha is not null`.execute(db)
  return rows.map((row) => row.commit_sha)
}

/** Those of them that were deleted. Ids are never reused; an id above all known ones is ignored. */
export async function listDeleted(
  db: Kysely<Tables>,
  table: 'projects' | 'environments',
  ids: readonly number[],
): Promise<readonly number[]> {
  const rows = sql.table(table)
  const { rows: known } = await sql<{ id: number }>`select id from ${rows} where id in (${idList(ids)})`.execute(db)
  const { rows: newest } = await sql<{ id: number | null }>`select max(id) as id from ${rows}`.execute(db)
  return ids.filter((id) => !known.some((row) => row.id === id) && id < (newest[0]?.id ?? 0))
}

/** Of these projects, the ones that have no row. */
export async function listUnknownProjects(db: Kysely<Tables>, ids: readonly number[]): Promise<readonly number[]> {
  const { rows } = await sql<{ id: number }>`select id from projects where id in (${idList(ids)})`.execute(db)
  const known = new Set(rows.map(({ id }) => id))
  return ids.filter((id) => !known.has(id))
}

/** Those of these environments that are removed from the server, or deleted. */
export async function listGone(
  db: Kysely<Tables>,
  serverId: number,
  ids: readonly number[],
): Promise<readonly number[]> {
  if (ids.length === 0) return []
  const known = await listEnvironmentTasks(db, serverId, ids)
  const removed = known.filter(({ isGone }) => isGone).map(({ id }) => id)
  return [...removed, ...(await listDeleted(db, 'environments', ids))]
}
