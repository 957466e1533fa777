// Rows of deliveries: the last of each project, as users see them. Those that are still to be applied are in `inbox.ts`.
import type { RepositoryHost } from '@shipway/api/values/repository-address'
import { type Insertable, type Kysely, PostgresAdapter, sql } from 'kysely'
import type { Change } from '../change.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

const KEPT = 200
/** Anybody who knows the address of a hook can send invalid deliveries; they must not displace verified ones. */
const KEPT_REFUSED = 20

export type Delivery = {
  readonly id: number
  readonly deliveryId: string
  readonly event: string
  readonly verdict: Tables['deliveries']['verdict']
  readonly reason: string | null
  readonly detail: string | null
  readonly receivedAt: number
  readonly pullRequestNumber: number | null
  readonly branch: string | null
  readonly environment: { readonly id: number; readonly name: string } | null
  /** The git host that it seemed to come from, if that is not the project's. */
  readonly sentBy: RepositoryHost | null
}

/** The caller has found the project. */
export async function listDeliveries(
  db: Kysely<Tables>,
  projectId: number,
  page: PageRequest,
): Promise<Page<Delivery>> {
  const rows = await db
    .selectFrom('deliveries as d')
    .leftJoin('environments as e', 'e.id', 'd.environment_id')
    .where('d.project_id', '=', projectId)
    .$if(page.before !== undefined, (query) => query.where('d.id', '<', page.before ?? 0))
    .orderBy('d.id', 'desc')
    .limit(page.limit + 1)
    .select(['d.id', 'd.delivery_id', 'd.event', 'd.verdict', 'd.reason', 'd.detail', 'd.received_at'])
    .select(['d.pull_request_number', 'd.branch', 'd.environment_id', 'd.sent_by', 'e.name as environment'])
    .execute()
  const deliveries = rows.map((row) => ({
    id: row.id,
    deliveryId: row.delivery_id,
    event: row.event,
    verdict: row.verdict,
    reason: row.reason,
    detail: row.detail,
    receivedAt: row.received_at,
    pullRequestNumber: row.pull_request_number,
    branch: row.branch,
    environment: row.environment_id === null ? null : { id: row.environment_id, name: row.environment ?? '' },
    sentBy: row.sent_by,
  }))
  return pageOf(deliveries, page)
}

/** For an accepted delivery whose outcome was known only later. */
export async function updateOutcome(
  tx: Change,
  { id, projectId }: { readonly id: number; readonly projectId: number },
  outcome: {
    readonly verdict: 'accepted' | 'ignored' | 'failed'
    readonly reason: string | null
    readonly detail?: string | null
  },
): Promise<void> {
  await tx.updateTable('deliveries').set(outcome).where('id', '=', id).where('verdict', '=', 'accepted').execute()
  tx.notify({ about: 'delivery', id, projectId })
}

type RefusedDelivery = Omit<Insertable<Tables['deliveries']>, 'verdict' | 'content' | 'attempts' | 'next_at'>

/** Also deletes the oldest. Does nothing if the project was deleted meanwhile. */
export async function insertRefusedDelivery(tx: Change, values: RefusedDelivery): Promise<void> {
  // Else the foreign key would fail.
  const lockClause = tx.getExecutor().adapter instanceof PostgresAdapter ? sql`for key share` : sql``
  const { rows } = await sql`select 1 from projects where id = ${values.project_id} ${lockClause}`.execute(tx)
  if (rows.length === 0) return
  const { id } = await tx
    .insertInto('deliveries')
    .values({ ...values, verdict: 'refused' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await deleteOldDeliveries(tx, values.project_id, 'refused')
  tx.notify({ about: 'delivery', id, projectId: values.project_id })
}

/** Deletes those beyond the limit. Deliveries that are still to be applied are never deleted. */
export async function deleteOldDeliveries(
  db: Kysely<Tables>,
  projectId: number,
  which: 'refused' | 'genuine',
): Promise<void> {
  const kind = which === 'refused' ? sql`verdict = 'refused'` : sql`verdict not in ('refused', 'stored')`
  await sql`
    delete from deliveries where project_id = ${projectId} and ${kind} and id <= (
      select id from deliveries where project_id = ${projectId} and ${kind}
      order by id desc limit 1 offset ${sql.lit(which === 'refused' ? KEPT_REFUSED : KEPT)})`.execute(db)
}
