// Rows of certificates that are ordered: which are due, and how an order went.
import { type Kysely, sql } from 'kysely'
import type { PlacedOrder } from '../../domain/order-shares.ts'
import type { Change } from '../change.ts'
import type { Tables } from '../tables/tables.ts'
import type { IssuedValues } from './certificates.ts'

/** Of one domain of one project. */
export type DueOrder = {
  readonly organizationId: number
  readonly projectId: number
  readonly domain: string
  readonly serverId: number
  /** Of orders since the last one that succeeded. */
  readonly failures: number
}

/**
 * Domains that have a route on a server with HAProxy, in projects that want it, and no certificate or one that is to be
 * renewed. Those that never failed come first, so that no bad name keeps a good one waiting.
 */
export async function listDueOrders(db: Kysely<Tables>, now: number): Promise<readonly DueOrder[]> {
  const { rows } = await sql<DueRow>`
    select p.organization_id, p.id as project_id, d.domain, s.id as server_id, coalesce(c.failures, 0) as failures
    from routes r
    join domains d on d.domain = r.domain
    join environments e on e.id = d.environment_id and e.removed_at is null
    join tasks t on t.id = r.task_id
    join servers s on s.id = coalesce(t.server_id, e.server_id) and s.edge = 'haproxy'
    join projects p on p.id = e.project_id and p.tls = 'automatic' and p.deleting_since is null
    left join certificates c on c.project_id = p.id and c.domain = d.domain
    where c.id is null or coalesce(c.next_attempt_at, 0) <= ${now}
    order by coalesce(c.failures, 0), c.not_after, d.domain`.execute(db)
  return rows.map((row) => ({
    organizationId: row.organization_id,
    projectId: row.project_id,
    domain: row.domain,
    serverId: row.server_id,
    failures: row.failures,
  }))
}

type DueRow = {
  readonly organization_id: number
  readonly project_id: number
  readonly domain: string
  readonly server_id: number
  readonly failures: number
}

/** Domains of an environment whose last certificate order failed, if their project orders certificates. */
export async function listFailedOrders(
  db: Kysely<Tables>,
  environmentId: number,
): Promise<readonly { readonly domain: string; readonly error: string }[]> {
  const { rows } = await sql<{ domain: string; error: string }>`
    select d.domain, c.last_error as error
    from domains d
    join environments e on e.id = d.environment_id
    join projects p on p.id = e.project_id and p.tls = 'automatic'
    join certificates c on c.project_id = p.id and c.domain = d.domain and c.last_error is not null
    where d.environment_id = ${environmentId}
    order by d.domain limit 3`.execute(db)
  return rows
}

type OfDomain = Pick<DueOrder, 'projectId' | 'domain'>

export async function updateIssued(
  tx: Change,
  order: OfDomain,
  { at, renewAt, ...values }: IssuedValues & { readonly at: number; readonly renewAt: number },
): Promise<void> {
  const changed = { ...values, failures: 0, last_error: null, next_attempt_at: renewAt, updated_at: at }
  await upsertOrder(tx, order, at, changed)
}

/** The certificate that is there stays as it is. */
export async function updateOrderFailed(
  tx: Change,
  order: OfDomain,
  failed: { readonly at: number; readonly failures: number; readonly error: string; readonly nextAttemptAt: number },
): Promise<void> {
  const { at, failures, error, nextAttemptAt } = failed
  const changed = { failures, last_error: error, next_attempt_at: nextAttemptAt, updated_at: at }
  await upsertOrder(tx, order, at, changed)
}

/** Ended certificates whose domain the project no longer has. Kept until then, since the domain may come back. */
export async function deleteEndedOrders(tx: Change, now: number): Promise<void> {
  const { rows } = await sql<{
    project_id: number
  }>`delete from certificates where domain is not null and coalesce(not_after, next_attempt_at, 0) < ${now}
    and not exists (select 1 from domains d join environments e on e.id = d.environment_id
      where d.domain = certificates.domain and e.project_id = certificates.project_id)
    returning project_id`.execute(tx)
  for (const { project_id: id } of rows) tx.notify({ about: 'project', id, how: 'updated' })
}

type Changed = Partial<IssuedValues> & {
  readonly failures: number
  readonly last_error: string | null
  readonly next_attempt_at: number
  readonly updated_at: number
}

async function upsertOrder(tx: Change, order: OfDomain, at: number, changed: Changed): Promise<void> {
  // The project may have been deleted while its order was under way.
  const project = await tx.selectFrom('projects').where('id', '=', order.projectId).select('id').executeTakeFirst()
  if (!project) return
  await tx
    .insertInto('certificates')
    .values({ project_id: order.projectId, source: 'acme', domain: order.domain, ...changed, created_at: at })
    .onConflict((conflict) =>
      conflict.columns(['project_id', 'domain']).where('domain', 'is not', null).doUpdateSet(changed),
    )
    .execute()
  tx.notify({ about: 'project', id: order.projectId, how: 'updated' })
}

/** Orders after that time; deletes older ones. */
export async function listPlacedOrders(db: Kysely<Tables>, after: number): Promise<readonly PlacedOrder[]> {
  await db.deleteFrom('placed_orders').where('placed_at', '<=', after).execute()
  const rows = await db.selectFrom('placed_orders').select(['organization_id', 'placed_at']).execute()
  return rows.map(({ organization_id: organizationId, placed_at: at }) => ({ organizationId, at }))
}

/** Written before the order is placed, so that a lost one is counted, too. Returns its id. */
export async function insertPlacedOrder(db: Kysely<Tables>, { organizationId, at }: PlacedOrder): Promise<number> {
  const row = await db
    .insertInto('placed_orders')
    .values({ organization_id: organizationId, placed_at: at })
    .returning('id')
    .executeTakeFirstOrThrow()
  return row.id
}

/** The order never reached the authority. */
export async function deletePlacedOrder(db: Kysely<Tables>, id: number): Promise<void> {
  await db.deleteFrom('placed_orders').where('id', '=', id).execute()
}
