// Rows of services: the live services of each environment with their last known state. Written only when that changes.
import type { ServiceState } from '@shipway/api/oversight/service-states'
import { type Kysely, type RawBuilder, sql } from 'kysely'
import { MAIN_SERVICE } from '../../domain/service-domains.ts'
import type { Change } from '../change.ts'
import { idList } from '../id-list.ts'
import type { Tables } from '../tables/tables.ts'

export type ServiceRecord = {
  readonly name: string
  readonly state: ServiceState
  readonly since: number
  readonly restarts: number
  readonly exitCode: number | null
  readonly checkedTaskId: number | null
}

/** One that a domain leads to. */
export type RoutedService = ServiceRecord & { readonly domain: string }

/** Those of each environment that a domain leads to, the main one first. */
export async function listRoutedServices(
  db: Kysely<Tables>,
  environmentIds: readonly number[],
): Promise<ReadonlyMap<number, readonly RoutedService[]>> {
  if (environmentIds.length === 0) return new Map()
  const { rows } = await sql<Row & { environment_id: number; domain: string }>`
    select d.environment_id, d.domain, coalesce(v.name, d.service) as name, coalesce(v.state, 'unknown') as state,
      coalesce(v.since, e.created_at) as since, coalesce(v.restarts, 0) as restarts, v.exit_code, v.checked_task_id
    from domains d
    join environments e on e.id = d.environment_id
    left join services v on v.environment_id = d.environment_id and v.route = d.service
    where d.environment_id in (${idList(environmentIds)}) and (d.service <> ${MAIN_SERVICE} or v.name is not null)
    order by d.environment_id, d.service`.execute(db)
  return Map.groupBy(
    rows.map((row) => ({ ...toRecord(row), environmentId: row.environment_id, domain: row.domain })),
    ({ environmentId }) => environmentId,
  )
}

export type ServiceWithOutput = ServiceRecord & { readonly isRouted: boolean; readonly lastLines: string | null }

/** All of them, routed ones first. The caller has found the environment. */
export async function listServices(db: Kysely<Tables>, environmentId: number): Promise<readonly ServiceWithOutput[]> {
  const rows = await db
    .selectFrom('services')
    .where('environment_id', '=', environmentId)
    .orderBy(sql`case when route is null then 1 else 0 end`)
    .orderBy('route')
    .orderBy('name')
    .selectAll()
    .execute()
  return rows.map((row) => ({ ...toRecord(row), isRouted: row.route !== null, lastLines: row.last_lines }))
}

type Row = {
  readonly name: string
  readonly state: ServiceState
  readonly since: number
  readonly restarts: number
  readonly exit_code: number | null
  readonly checked_task_id: number | null
}

const toRecord = (row: Row): ServiceRecord => ({
  name: row.name,
  state: row.state,
  since: row.since,
  restarts: row.restarts,
  exitCode: row.exit_code,
  checkedTaskId: row.checked_task_id,
})

/** Whether a service of `environments e` does not respond, or its state is unknown. The same rule as `isDegraded` of the domain. */
export const IS_DEGRADED: RawBuilder<0 | 1> = sql`(case when exists (select 1 from services v
  where v.environment_id = e.id and v.route is not null and v.state not in ('healthy', 'running')
    and not (v.state = 'starting' and v.checked_task_id is null)) then 1 else 0 end)`

type DeployedService = { readonly name: string; readonly route: string; readonly health: string }

/** What a deployment has put into service, in the place of what was live before. */
export async function replaceServices(
  tx: Change,
  environmentId: number,
  { services, at }: { readonly services: readonly DeployedService[]; readonly at: number },
): Promise<void> {
  await tx.deleteFrom('services').where('environment_id', '=', environmentId).execute()
  for (const { name, route, health } of services) {
    const row = {
      environment_id: environmentId,
      name,
      route,
      health_path: health,
      state: 'starting',
      since: at,
    } as const
    await tx
      .insertInto('services')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  }
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

export type StateChange = ServiceRecord & {
  readonly route: string | null
  /** Undefined if they stay as they are. */
  readonly lastLines: string | null | undefined
}

/** `gone` were seen before and are there no more. */
export async function updateServices(
  tx: Change,
  environmentId: number,
  { changed, gone }: { readonly changed: readonly StateChange[]; readonly gone: readonly string[] },
): Promise<void> {
  for (const { name, route, state, since, restarts, exitCode, checkedTaskId, lastLines } of changed) {
    const seen = { state, since, restarts, exit_code: exitCode, checked_task_id: checkedTaskId }
    const values = { ...seen, ...(lastLines !== undefined && { last_lines: lastLines }) }
    await tx
      .insertInto('services')
      .values({ environment_id: environmentId, name, route, ...values })
      .onConflict((conflict) => conflict.columns(['environment_id', 'name']).doUpdateSet(values))
      .execute()
  }
  if (gone.length > 0)
    await tx.deleteFrom('services').where('environment_id', '=', environmentId).where('name', 'in', gone).execute()
  tx.notify({ about: 'environment', id: environmentId, how: 'updated' })
}

export async function hasKnownServices(db: Kysely<Tables>, serverId: number): Promise<boolean> {
  const { rows } = await sql`select 1 from services where state <> 'unknown' and environment_id in ${routedOn(serverId)}
    limit 1`.execute(db)
  return rows.length > 0
}

const routedOn = (serverId: number): RawBuilder<unknown> => sql`(select d.environment_id from routes r
  join domains d on d.domain = r.domain join tasks t on t.id = r.task_id where t.server_id = ${serverId})`

/** The state of every service on a server is unknown from now on. */
export async function updateServicesUnknown(tx: Change, serverId: number, at: number): Promise<void> {
  const { rows } = await sql<{ environment_id: number }>`
    update services set state = 'unknown', since = ${at}, exit_code = null, last_lines = null
    where state <> 'unknown' and environment_id in ${routedOn(serverId)}
    returning environment_id`.execute(tx)
  for (const id of new Set(rows.map((row) => row.environment_id)))
    tx.notify({ about: 'environment', id, how: 'updated' })
}
