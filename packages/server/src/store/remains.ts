// What the records say of the tasks whose things may lie on a server. Not seen through an actor: the platform itself tidies up.
import type { Recipe } from '@shipway/api/projects'
import { type Kysely, sql } from 'kysely'
import { type EnvironmentTasks, KEPT_RELEASES } from '../domain/task-remains.ts'
import { idList } from './id-list.ts'
import type { Tables } from './tables.ts'

export type ServerToTidy = {
  readonly id: number
  readonly name: string
  readonly connection: 'ssh' | 'local'
  readonly hostname: string
  readonly port: number
  readonly unixUser: string
  readonly hostKey: string | null
  /** Those of the environments on it. */
  readonly recipes: readonly Recipe[]
}

/** Every server on which something may have been deployed; with ids only those of them. */
export async function listServersToTidy(db: Kysely<Tables>, ids?: readonly number[]): Promise<readonly ServerToTidy[]> {
  const { rows } = await sql<ServerRow>`
    select s.id, s.name, s.connection, s.hostname, s.port, s.unix_user, s.host_key, e.recipe from servers s
    join (select distinct o.server_id, coalesce(o.recipe, p.default_recipe) as recipe
      from environments o join projects p on p.id = o.project_id) e on e.server_id = s.id
    ${ids ? sql`where s.id in (${idList(ids)})` : sql``}
    order by s.id`.execute(db)
  const byId = Map.groupBy(rows, ({ id }) => id)
  return [...byId.values()].flatMap((ofServer) => {
    const [first] = ofServer
    if (!first) return []
    const { unix_user: unixUser, host_key: hostKey, recipe: _, ...server } = first
    return [{ ...server, unixUser, hostKey, recipes: ofServer.map(({ recipe }) => recipe) }]
  })
}

type ServerRow = Omit<ServerToTidy, 'unixUser' | 'hostKey' | 'recipes'> & {
  readonly unix_user: string
  readonly host_key: string | null
  readonly recipe: Recipe
}

/** Where the ended ones of these tasks ran. */
export async function listEndedPlaces(
  db: Kysely<Tables>,
  taskIds: readonly number[],
): Promise<readonly { readonly serverId: number; readonly environmentId: number }[]> {
  const { rows } = await sql<{ server_id: number; environment_id: number }>`
    select distinct e.server_id, e.id as environment_id from tasks t join environments e on e.id = t.environment_id
    where t.id in (${idList(taskIds)}) and t.finished_at is not null`.execute(db)
  return rows.map((row) => ({ serverId: row.server_id, environmentId: row.environment_id }))
}

export type EnvironmentOnServer = EnvironmentTasks & { readonly id: number; readonly projectId: number }

/**
 * What is known of these environments. One that belongs to another server by now is left out while it is not removed: what it
 * has here may still serve until it is deployed there.
 */
export async function listEnvironmentTasks(
  db: Kysely<Tables>,
  serverId: number,
  environmentIds: readonly number[],
): Promise<readonly EnvironmentOnServer[]> {
  const { rows } = await sql<EnvironmentRow>`
    select e.id, e.project_id, e.removed_at,
      coalesce((select max(t.id) from tasks t where t.environment_id = e.id), 0) as newest_id
    from environments e
    where e.id in (${idList(environmentIds)}) and (e.server_id = ${serverId} or e.removed_at is not null)`.execute(db)
  const ids = idList(rows.map(({ id }) => id))
  const needed = await sql<TaskRow>`
    select environment_id, id, source_task_id from tasks
    where environment_id in (${ids}) and status in ('queued', 'running')`.execute(db)
  const routed = await sql<TaskRow>`
    select distinct d.environment_id, r.task_id as id from routes r join domains d on d.domain = r.domain
    where d.environment_id in (${ids})`.execute(db)
  const succeeded = await sql<TaskRow>`
    select t.environment_id, t.id from environments e join tasks t on t.environment_id = e.id
    where e.id in (${ids}) and t.kind in ('deploy', 'reset') and t.status = 'succeeded'
      and t.id >= coalesce((select n.id from tasks n where n.environment_id = e.id and n.kind in ('deploy', 'reset')
        and n.status = 'succeeded' order by n.id desc limit 1 offset ${sql.lit(KEPT_RELEASES - 1)}), 0)
    order by t.id desc`.execute(db)
  return rows.map((row) => {
    const of = (tasks: readonly TaskRow[]): readonly TaskRow[] => tasks.filter((task) => task.environment_id === row.id)
    const active = of(needed.rows)
    const succeededIds = of(succeeded.rows).map(({ id }) => id)
    return {
      id: row.id,
      projectId: row.project_id,
      isGone: row.removed_at !== null && active.length === 0,
      newestId: row.newest_id,
      neededIds: active.flatMap(({ id, source_task_id: from }) => (from ? [id, from] : [id])),
      liveIds: [...of(routed.rows).map(({ id }) => id), ...succeededIds.slice(0, 1)],
      succeededIds,
    }
  })
}

type EnvironmentRow = {
  readonly id: number
  readonly project_id: number
  readonly removed_at: number | null
  readonly newest_id: number
}
type TaskRow = { readonly environment_id: number; readonly id: number; readonly source_task_id?: number | null }

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

/** Of these, the ones that were deleted. Numbers are not given out again; one that is higher than any known is not judged. */
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
