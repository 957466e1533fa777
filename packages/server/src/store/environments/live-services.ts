// Live environments of a server, with everything that the check of their services needs. For the platform itself, without an actor.
import type { ServiceState } from '@shipway/api/oversight/service-states'
import type { Recipe } from '@shipway/api/values/recipe'
import { type Kysely, sql } from 'kysely'
import type { ServerAddress } from '../../domain/server-address.ts'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import { addressColumns, type ServerAddressRow, toServerAddress } from '../servers/server-addresses.ts'
import type { Tables } from '../tables/tables.ts'
import { whereKind } from '../tasks/task-kinds.ts'
import type { ServiceRecord } from './services.ts'

/** The servers that routes lead to. */
export async function listServersThatServe(db: Kysely<Tables>): Promise<readonly ServerAddress[]> {
  const { rows } = await sql<ServerAddressRow>`
    select s.id, s.name, ${addressColumns} from servers s where s.id in (
      select t.server_id from routes r join tasks t on t.id = r.task_id)
    order by s.id`.execute(db)
  return rows.map(toServerAddress)
}

type LiveRoute = {
  readonly service: string
  readonly domain: string
  readonly port: number
  /** Of the container that serves, where it has one. */
  readonly slot: 'a' | 'b' | null
  readonly health: string
}

export type LiveEnvironment = {
  readonly id: number
  readonly projectId: number
  readonly isFork: boolean
  readonly recipe: Recipe
  /** The deployment that made the routes. */
  readonly taskId: number
  /** The newest deployment that has ended; null while one runs, which may change what was seen. */
  readonly endedTaskId: number | null
  readonly routes: readonly LiveRoute[]
  readonly known: readonly KnownService[]
}

export type KnownService = ServiceRecord & { readonly route: string | null }

type RouteRow = {
  readonly environment_id: number
  readonly project_id: number
  readonly is_fork: 0 | 1
  readonly recipe: Recipe | null
  readonly task_id: number
  readonly running_id: number | null
  readonly ended_id: number | null
  readonly service: string
  readonly domain: string
  readonly port: number
  readonly slot: 'a' | 'b' | null
  readonly slot_service: string | null
}

export async function listLiveEnvironments(db: Kysely<Tables>, serverId: number): Promise<readonly LiveEnvironment[]> {
  const { rows } = await sql<RouteRow>`
    select e.id as environment_id, e.project_id, e.is_fork, t.recipe, r.task_id, d.service, r.domain, r.port,
      p.slot, p.service as slot_service,
      (select o.id from tasks o where o.environment_id = e.id and o.status = 'running' and ${whereKind('o', 'locksEnvironment')}) as running_id,
      (select o.id from tasks o where o.environment_id = e.id and ${whereKind('o', 'isDeployment')}
        and o.finished_at is not null order by o.id desc limit 1) as ended_id
    from routes r
    join tasks t on t.id = r.task_id and t.server_id = ${serverId}
    join domains d on d.domain = r.domain
    join environments e on e.id = d.environment_id and e.removed_at is null
    left join ports p on p.environment_id = e.id and p.server_id = t.server_id and p.port = r.port and p.service not like ':%'
    order by e.id, d.service`.execute(db)
  const known = await listKnown(db, [...new Set(rows.map((row) => row.environment_id))])
  return [...Map.groupBy(rows, (row) => row.environment_id)].flatMap(([id, routes]) => {
    const [first] = routes
    return first ? [toLive(first, routes, known.get(id) ?? [])] : []
  })
}

type KnownRow = {
  readonly environment_id: number
  readonly name: string
  readonly route: string | null
  readonly health_path: string
  readonly state: ServiceState
  readonly since: number
  readonly restarts: number
  readonly exit_code: number | null
  readonly checked_task_id: number | null
}

async function listKnown(
  db: Kysely<Tables>,
  environmentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly KnownRow[]>> {
  const { rows } = await sql<KnownRow>`
    select environment_id, name, route, health_path, state, since, restarts, exit_code, checked_task_id
    from services where environment_id in (${idList(environmentIds)})`.execute(db)
  return Map.groupBy(rows, (row) => row.environment_id)
}

function toLive(first: RouteRow, routes: readonly RouteRow[], known: readonly KnownRow[]): LiveEnvironment {
  return {
    id: first.environment_id,
    projectId: first.project_id,
    isFork: first.is_fork === 1,
    recipe: first.recipe ?? 'docker',
    taskId: first.task_id,
    endedTaskId: first.running_id === null ? first.ended_id : null,
    routes: routes.map(({ service, domain, port, slot }) => {
      const health = known.find(({ route }) => route === service)?.health_path ?? '/'
      return { service, domain, port, slot, health }
    }),
    known: [
      ...known.map((row) => ({
        name: row.name,
        route: row.route,
        state: row.state,
        since: row.since,
        restarts: row.restarts,
        exitCode: row.exit_code,
        checkedTaskId: row.checked_task_id,
      })),
      // Deployed by a release that kept no row of it.
      ...routes
        .filter(({ service }) => !known.some(({ route }) => route === service))
        .map((row) => unseen(row.service, row.slot_service)),
    ],
  }
}

const unseen = (service: string, portOwner: string | null): KnownService => ({
  name: service === MAIN_SERVICE ? (portOwner ?? 'main') : service,
  route: service,
  state: 'unknown',
  since: 0,
  restarts: 0,
  exitCode: null,
  checkedTaskId: null,
})

/**
 * Whether the routes of an environment are still those that a task made. Locks their rows until the transaction
 * ends.
 */
export async function lockRoutesOf(
  tx: Change,
  { environmentId, taskId }: { readonly environmentId: number; readonly taskId: number },
): Promise<boolean> {
  const { rows } = await sql<{ task_id: number }>`
    update routes set task_id = task_id where domain in (select domain from domains where environment_id = ${environmentId})
    returning task_id`.execute(tx)
  return rows.length > 0 && rows.every((row) => row.task_id === taskId)
}

/** The servers that these tasks ran on, where they have ended. */
export async function listServersOfEndedTasks(
  db: Kysely<Tables>,
  taskIds: readonly number[],
): Promise<readonly ServerAddress[]> {
  const { rows } = await sql<ServerAddressRow>`
    select s.id, s.name, ${addressColumns} from servers s where s.id in (
      select t.server_id from tasks o join tasks t on t.environment_id = o.environment_id
      join routes r on r.task_id = t.id where o.id in (${idList(taskIds)}) and o.finished_at is not null)
    order by s.id`.execute(db)
  return rows.map(toServerAddress)
}
