// Rows of deliveries: the last of each project, for people to look at, and the ids that were taken, which are kept longer.
import type { RepositoryHost } from '@shipway/api/projects'
import { type Insertable, type Kysely, sql } from 'kysely'
import { type Page, type PageRequest, pageOf } from './page.ts'
import type { Tables } from './tables.ts'

const KEPT = 200
/** Whoever knows the address of a hook can send rubbish to it; that must not push out what was genuine. */
const KEPT_REFUSED = 20
const IDS_KEPT_MS = 90 * 86_400_000

export type Delivery = {
  readonly id: number
  readonly deliveryId: string
  readonly event: string
  readonly verdict: 'accepted' | 'duplicate' | 'ignored' | 'refused'
  readonly reason: string | null
  readonly receivedAt: number
  readonly pullRequestNumber: number | null
  readonly branch: string | null
  readonly environment: { readonly id: number; readonly name: string } | null
  /** The git host that it looked like, where that is not the one of the project. */
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
    .selectAll('d')
    .select('e.name as environment')
    .execute()
  const deliveries = rows.map((row) => ({
    id: row.id,
    deliveryId: row.delivery_id,
    event: row.event,
    verdict: row.verdict,
    reason: row.reason,
    receivedAt: row.received_at,
    pullRequestNumber: row.pull_request_number,
    branch: row.branch,
    environment: row.environment_id === null ? null : { id: row.environment_id, name: row.environment ?? '' },
    sentBy: row.sent_by,
  }))
  return pageOf(deliveries, page)
}

/** Also lets go of the oldest. */
export async function insertDelivery(db: Kysely<Tables>, values: Insertable<Tables['deliveries']>): Promise<void> {
  await db.insertInto('deliveries').values(values).execute()
  const isRefused = values.verdict === 'refused'
  const kind = isRefused ? sql`verdict = 'refused'` : sql`verdict <> 'refused'`
  await sql`
    delete from deliveries where project_id = ${values.project_id} and ${kind} and id <= (
      select id from deliveries where project_id = ${values.project_id} and ${kind}
      order by id desc limit 1 offset ${sql.lit(isRefused ? KEPT_REFUSED : KEPT)})`.execute(db)
}

/** False where the same delivery was taken before. */
export async function insertDeliveryId(
  db: Kysely<Tables>,
  { projectId, deliveryId, at }: { projectId: number; deliveryId: string; at: number },
): Promise<boolean> {
  const inserted = await db
    .insertInto('delivery_ids')
    .values({ project_id: projectId, delivery_id: deliveryId, received_at: at })
    .onConflict((conflict) => conflict.doNothing())
    .returning('delivery_id')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function deleteOldDeliveryIds(db: Kysely<Tables>, now: number): Promise<void> {
  await db
    .deleteFrom('delivery_ids')
    .where('received_at', '<', now - IDS_KEPT_MS)
    .execute()
}
