// Rows of hook_deliveries, as users see them and send them again.
import { type Kysely, type Selectable, sql } from 'kysely'
import type { Change } from '../change.ts'
import { type Page, type PageRequest, pageOf } from '../page.ts'
import type { Tables } from '../tables/tables.ts'

export type HookDelivery = {
  readonly id: number
  readonly hookId: number
  readonly messageId: string
  readonly event: Tables['hook_messages']['event']
  readonly status: 'pending' | 'succeeded' | 'failed'
  readonly attempts: number
  /** 0 where it was due from the beginning. */
  readonly nextAt: number
  readonly attemptedAt: number | null
  readonly durationMs: number | null
  readonly responseStatus: number | null
  readonly responseText: string | null
  readonly error: string | null
  readonly createdAt: number
}

/** Newest first. The caller has found the hook. */
export async function listHookDeliveries(
  db: Kysely<Tables>,
  hookId: number,
  page: PageRequest,
): Promise<Page<HookDelivery>> {
  const rows = await selectDeliveries(db)
    .where('d.hook_id', '=', hookId)
    .$if(page.before !== undefined, (query) => query.where('d.id', '<', page.before ?? 0))
    .orderBy('d.id', 'desc')
    .limit(page.limit + 1)
    .execute()
  return pageOf(rows.map(toDelivery), page)
}

type DeliveryReference = { readonly hookId: number; readonly id: number }

export async function findHookDelivery(
  db: Kysely<Tables>,
  { hookId, id }: DeliveryReference,
): Promise<HookDelivery | undefined> {
  const row = await selectDeliveries(db).where('d.hook_id', '=', hookId).where('d.id', '=', id).executeTakeFirst()
  return row && toDelivery(row)
}

/** From the beginning, unless it is on its way right now. */
export async function updateForRedelivery(tx: Change, { hookId, id }: DeliveryReference): Promise<void> {
  await sql`
    update hook_deliveries set next_at = 0,
      attempts = case when status = 'pending' then attempts else 0 end,
      held_until = case when status = 'pending' then held_until else 0 end,
      status = 'pending'
    where id = ${id} and hook_id = ${hookId}`.execute(tx)
  tx.notify({ about: 'queue' })
}

/** What waits for a hook that is turned off. */
export async function endPendingDeliveries(tx: Change, hookId: number, error: string): Promise<void> {
  await tx
    .updateTable('hook_deliveries')
    .set({ status: 'failed', error })
    .where('hook_id', '=', hookId)
    .where('status', '=', 'pending')
    .execute()
}

const KEPT = 200
const KEPT_MS = 30 * 86_400_000
/** Limit of pending deliveries to a dead receiver: the oldest are dropped, long before they would be given up. */
const MOST_PENDING = 1_000
const DELETED_AT_ONCE = 1_000

/** Deletes old rows in batches; returns whether there may be more. */
export async function deleteOldHookDeliveries(db: Kysely<Tables>, now: number): Promise<boolean> {
  const { rows: deliveries } = await sql`
    delete from hook_deliveries where id in (
      select id from (
        select id, status, created_at,
          row_number() over (partition by hook_id, case when status = 'pending' then 1 else 0 end order by id desc) as place
        from hook_deliveries) ranked
      where (status = 'pending' and place > ${sql.lit(MOST_PENDING)})
        or (status <> 'pending' and (place > ${sql.lit(KEPT)} or created_at < ${now - KEPT_MS}))
      limit ${sql.lit(DELETED_AT_ONCE)})
    returning id`.execute(db)
  const { rows: messages } = await sql`
    delete from hook_messages where id in (
      select m.id from hook_messages m where not exists (select 1 from hook_deliveries d where d.message_id = m.id)
      limit ${sql.lit(DELETED_AT_ONCE)})
    returning id`.execute(db)
  return [deliveries, messages].some(({ length }) => length === DELETED_AT_ONCE)
}

const selectDeliveries = (db: Kysely<Tables>) =>
  db
    .selectFrom('hook_deliveries as d')
    .innerJoin('hook_messages as m', 'm.id', 'd.message_id')
    .selectAll('d')
    .select(['m.message_id as message_name', 'm.event'])

type Row = Selectable<Tables['hook_deliveries']> & {
  readonly message_name: string
  readonly event: HookDelivery['event']
}

function toDelivery(row: Row): HookDelivery {
  return {
    id: row.id,
    hookId: row.hook_id,
    messageId: row.message_name,
    event: row.event,
    status: row.status,
    attempts: row.attempts,
    nextAt: row.next_at,
    attemptedAt: row.attempted_at,
    durationMs: row.duration_ms,
    responseStatus: row.response_status,
    responseText: row.response_text,
    error: row.error,
    createdAt: row.created_at,
  }
}
