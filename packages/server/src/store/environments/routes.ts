// Rows of routes: where each domain leads. Those of an environment change together.
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import { lockMachineOf, serversOfMachine } from '../servers/machines.ts'
import type { Tables } from '../tables/tables.ts'
import { insertDomain } from './domains.ts'
import { replaceServices } from './services.ts'

export type ServiceRoute = {
  readonly service: string
  readonly domain: string
  readonly port: number
  /** What its file calls it, and the path that shows whether it answers. */
  readonly name?: string
  readonly health?: string
  readonly isSticky?: boolean
}

type Replacement = {
  readonly environmentId: number
  readonly taskId: number
  readonly routes: readonly ServiceRoute[]
  /** They are those that the environment had before. */
  readonly isBroughtBack?: boolean
  readonly at?: number
}

/**
 * Puts these routes in the place of those that the environment had, with the domains of its services. The environment's own
 * domain is the main service's and stays. A domain that another environment has violates `domains(domain)`.
 */
export async function replaceRoutes(
  tx: Change,
  { environmentId, taskId, routes, isBroughtBack = false, at = 0 }: Replacement,
): Promise<void> {
  await deleteRoutes(tx, environmentId)
  await tx
    .deleteFrom('domains')
    .where('environment_id', '=', environmentId)
    .where('service', '<>', MAIN_SERVICE)
    .execute()
  // Sorted, so that concurrent claims of the same names never deadlock.
  for (const { service, domain, port, isSticky = false } of routes.toSorted((a, b) => (a.domain < b.domain ? -1 : 1))) {
    if (service !== MAIN_SERVICE) await insertDomain(tx, { environmentId, domain, service, isBroughtBack })
    const { numAffectedRows = 0n } = await sql`insert into routes (domain, port, task_id, sticky)
      select domain, ${port}, ${taskId}, ${isSticky ? 1 : 0} from domains where domain = ${domain} and environment_id = ${environmentId}`.execute(
      tx,
    )
    if (numAffectedRows !== 1n) throw new Error(`${domain} is not a domain of environment ${environmentId}`)
  }
  await replaceServices(tx, environmentId, { services: routes.map(serviceOf), at })
  tx.notify({ about: 'routes' })
}

const serviceOf = ({ service, name, health }: ServiceRoute) => ({
  name: name ?? (service === MAIN_SERVICE ? UNNAMED : service),
  route: service,
  health: health ?? '/',
})

/** A main service that was deployed before names were kept. */
const UNNAMED = 'main'

async function deleteRoutes(tx: Change, environmentId: number): Promise<void> {
  await sql`delete from routes where domain in (select domain from domains where environment_id = ${environmentId})`.execute(
    tx,
  )
}

/** The routes that an environment has, and the task that made them. */
export async function listServiceRoutes(
  db: Kysely<Tables>,
  environmentId: number,
): Promise<{ readonly routes: readonly ServiceRoute[]; readonly taskId?: number }> {
  const rows = await db
    .selectFrom('routes as r')
    .innerJoin('domains as d', 'd.domain', 'r.domain')
    .leftJoin('services as v', (join) =>
      join.onRef('v.environment_id', '=', 'd.environment_id').onRef('v.route', '=', 'd.service'),
    )
    .where('d.environment_id', '=', environmentId)
    .select(['d.service', 'r.domain', 'r.port', 'r.task_id', 'r.sticky', 'v.name', 'v.health_path'])
    .execute()
  const taskId = rows[0]?.task_id
  return {
    routes: rows.map(({ service, domain, port, sticky, name, health_path: health }) => ({
      service,
      domain,
      port,
      ...(name !== null && { name }),
      ...(health !== null && { health }),
      ...(sticky === 1 && { isSticky: true }),
    })),
    ...(taskId !== undefined && { taskId }),
  }
}

export type EdgeEntry = {
  readonly domain: string
  readonly environmentId: number
  /** Null if nothing is deployed yet. */
  readonly port: number | null
  readonly isSticky: boolean
  readonly basicAuth: {
    readonly username: string
    readonly passwordSealed: string
    readonly hookId: string | null
  } | null
}

/** The environments of a project that routes lead to on other servers than these. */
export async function listRoutedElsewhere(
  db: Kysely<Tables>,
  projectId: number,
  serverIds: readonly number[],
): Promise<readonly string[]> {
  const { rows } = await sql<{ name: string }>`
    select distinct e.name from routes r
    join domains d on d.domain = r.domain
    join environments e on e.id = d.environment_id and e.removed_at is null
    join tasks t on t.id = r.task_id
    where e.project_id = ${projectId} and t.server_id not in (${idList(serverIds)})
    order by e.name`.execute(db)
  return rows.map(({ name }) => name)
}

/**
 * Every domain of the platform's own machine, whose edge is inside the platform. A route counts only where it leads to a port that
 * was allocated to the environment there: nothing else that listens on this machine may be reached.
 */
export async function listEmbeddedRoutes(db: Kysely<Tables>): Promise<readonly EdgeEntry[]> {
  const entries = await listEntries(db, sql`s.edge = 'embedded' and s.connection = 'local'`)
  const { rows } = await sql<{ environment_id: number; port: number }>`
    select p.environment_id, p.port from ports p
    join servers s on s.id = p.server_id and s.edge = 'embedded' and s.connection = 'local'`.execute(db)
  const allocated = new Set(rows.map((row) => `${row.environment_id}:${row.port}`))
  return entries.map((entry) =>
    allocated.has(`${entry.environmentId}:${entry.port}`) ? entry : { ...entry, port: null },
  )
}

/** Every domain of the machine that a server is: whatever its edge, the machine has one. */
export async function listServerRoutes(db: Kysely<Tables>, serverId: number): Promise<readonly EdgeEntry[]> {
  return listEntries(db, sql`s.id in ${serversOfMachine(serverId)}`)
}

/**
 * Increments the version of a server's edge and returns it; undefined if the server was deleted. A caller that
 * reads the routes in the same transaction has a newer state than every lower version. With `from` only if it is still that; else undefined.
 */
export async function raiseEdgeVersion(
  db: Kysely<Tables>,
  serverId: number,
  { above = 0, from }: { readonly above?: number; readonly from?: number } = {},
): Promise<number | undefined> {
  await lockMachineOf(db, serverId)
  if (from !== undefined && (await findEdgeVersion(db, serverId)) !== from) return undefined
  const { rows } = await sql<{ edge_version: number }>`
    update servers set edge_version = (
      select 1 + max(case when s.edge_version < ${above} then ${above} else s.edge_version end)
      from servers s where s.id in ${serversOfMachine(serverId)})
    where id = ${serverId} returning edge_version`.execute(db)
  return rows[0]?.edge_version
}

/** The highest of the machine that a server is. Undefined if the server was deleted. */
export async function findEdgeVersion(db: Kysely<Tables>, serverId: number): Promise<number | undefined> {
  const { rows } = await sql<{ version: number | null }>`
    select max(s.edge_version) as version from servers s
    where s.id in ${serversOfMachine(serverId)} and exists (select 1 from servers own where own.id = ${serverId})`.execute(
    db,
  )
  return rows[0]?.version ?? undefined
}

/** A domain leads to the server on which its routes were switched: an environment that was moved is served there until its next switch. */
async function listEntries(db: Kysely<Tables>, isWanted: RawBuilder<unknown>): Promise<readonly EdgeEntry[]> {
  const { rows } = await sql<{
    domain: string
    environment_id: number
    port: number | null
    sticky: 0 | 1 | null
    username: string | null
    password: string | null
    project_username: string | null
    project_password: string | null
    hook_id: string
  }>`
    select d.domain, e.id as environment_id, r.port, r.sticky, e.basic_auth_username as username,
      e.basic_auth_password_sealed as password, p.basic_auth_username as project_username,
      p.basic_auth_password_sealed as project_password, p.hook_id
    from domains d
    join environments e on e.id = d.environment_id and e.removed_at is null
    join projects p on p.id = e.project_id
    left join routes r on r.domain = d.domain
    left join tasks t on t.id = r.task_id
    join servers s on s.id = coalesce(t.server_id, e.server_id) and ${isWanted}`.execute(db)
  return rows.map((row) => ({
    domain: row.domain,
    environmentId: row.environment_id,
    port: row.port,
    isSticky: row.sticky === 1,
    basicAuth:
      authOf(row.username, row.password, null) ?? authOf(row.project_username, row.project_password, row.hook_id),
  }))
}

/** `hookId` is the encryption context of the project's password. */
function authOf(username: string | null, passwordSealed: string | null, hookId: string | null): EdgeEntry['basicAuth'] {
  return username !== null && passwordSealed !== null ? { username, passwordSealed, hookId } : null
}
